import { describe, expect, it, vi } from "@effect/vitest"
import { type Signer } from "@geoswap/core"
import { address as kitAddress } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, walletKey } from "./keys.js"
import { neverAborted } from "./expectError.js"
import {
  against,
  agreed,
  agreement,
  budget,
  memo,
  mint,
  otherMint,
  stranger,
  tokenAccount,
  transferOf,
  vault,
  wireOf
} from "./transactions.js"

const { fromKeyService } = SolanaSigner
const { address } = walletKey()

describe("the token accounts of a signer", () => {
  const derivations = vi.spyOn(crypto.subtle, "digest")
  const signer = fromKeyService({ address, signMessage: async () => "" })
  const derived = async (transaction: Signer.TransactionToSign) => {
    const before = derivations.mock.calls.length
    await Promise.resolve(signer.verifyTransaction?.(transaction, neverAborted())).catch(() => undefined)
    return derivations.mock.calls.length - before
  }
  const withVault = (fill: number) =>
    against(agreed.unsignedTransaction, { deployment: { ...agreement.deployment, vault: otherKey(fill).address } })

  it("are cached up to a limit", async () => {
    expect(await derived(agreed)).toBeGreaterThan(0)
    expect(await derived(agreed)).toBe(0)
    for (let fill = 100; fill < 140; fill++) expect(await derived(withVault(fill))).toBeGreaterThan(0)
    expect(await derived(withVault(139))).toBe(0)
    expect(await derived(withVault(100))).toBeGreaterThan(0)
  })

  it("are distinguished by token and by vault", async () => {
    const key = walletKey()
    const signer = fromKeyService({ address, signMessage: async (message) => key.sign(message) })
    const otherVault = kitAddress(otherKey(50).address)
    for (const [token, owner] of [
      [mint, vault],
      [otherMint, vault],
      [mint, otherVault],
      [otherMint, otherVault],
      [mint, vault]
    ] as const) {
      const transfer = transferOf({
        mint: token,
        source: await tokenAccount(kitAddress(address), token),
        destination: await tokenAccount(owner, token)
      })
      const change = { request: { inputToken: token }, deployment: { ...agreement.deployment, vault: owner } }
      const transaction = against(wireOf([...budget, transfer, memo]), change)
      expect(isSignedBy(await signer.signTransaction(transaction, neverAborted()), address)).toBe(true)
      // A transaction that is valid for one is refused for all others.
      for (const wrong of [
        { ...change.request, inputToken: stranger },
        { ...change.request, amount: 1n }
      ]) {
        await expect(
          signer.signTransaction({ ...transaction, request: { ...transaction.request, ...wrong } }, neverAborted())
        ).rejects.toMatchObject({ _tag: "UnsafeOperation" })
      }
    }
  })
})
