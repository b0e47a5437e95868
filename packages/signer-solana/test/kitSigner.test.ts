import { describe, expect, it } from "@effect/vitest"
import { type Address, createNoopSigner, type TransactionSendingSigner } from "@solana/kit"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, walletKey } from "./keys.js"
import { neverAborted, rejection, refusal } from "./expectError.js"
import { agreed } from "./transactions.js"
import { modifyingSigner, partialSigner } from "./wallets.js"

const { fromKitSigner } = SolanaSigner
const { address } = walletKey()

describe("a kit signer", () => {
  const key = walletKey()

  it("is refused if it can only sign and send in one step", () => {
    const sending: TransactionSendingSigner = { address: address as Address, signAndSendTransactions: async () => [] }
    expect(refusal(() => fromKitSigner(sending as never))).toMatchInlineSnapshot(
      `"signer | signer: it can only sign and send in one step, but the GeoSwap relayer must send the transaction. Use a signer with signTransactions."`
    )
  })

  it("is refused if it cannot sign transactions, has no address or is not a signer", () => {
    expect(refusal(() => fromKitSigner({ address } as never))).toMatchInlineSnapshot(
      `"signer | signer: it has neither signTransactions nor modifyAndSignTransactions. Use a signer that signs transactions."`
    )
    expect(refusal(() => fromKitSigner({ ...partialSigner(key), address: "me" as Address }))).toMatchInlineSnapshot(
      `"signer | signer: its address is not a Solana address."`
    )
    expect(refusal(() => fromKitSigner(undefined as never))).toMatchInlineSnapshot(
      `"signer | signer: expected a signer, got undefined."`
    )
    expect(refusal(() => fromKitSigner("key" as never))).toMatchInlineSnapshot(
      `"signer | signer: expected a signer, got a string of 3 characters."`
    )
  })

  it("is used as a partial signer if it is also a modifying signer", async () => {
    const { modifyAndSignTransactions } = modifyingSigner(otherKey())
    const signer = fromKitSigner({ ...partialSigner(key), modifyAndSignTransactions })
    expect(isSignedBy(await signer.signTransaction(agreed, neverAborted()), address)).toBe(true)
  })

  it("gets a transaction with a lifetime, and the signal", async () => {
    const seen: Array<unknown> = []
    const signer = fromKitSigner({
      ...partialSigner(key),
      signTransactions: async (transactions, config) => {
        seen.push(transactions[0]?.lifetimeConstraint, config?.abortSignal)
        return partialSigner(key).signTransactions(transactions)
      }
    })
    await signer.signTransaction(agreed, neverAborted())
    expect(seen).toStrictEqual([
      { blockhash: "EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N", lastValidBlockHeight: 2n ** 64n - 1n },
      expect.any(AbortSignal)
    ])
  })

  it("gets an error if it returns no signature", async () => {
    const error = await rejection(
      fromKitSigner(createNoopSigner(address as Address)).signTransaction(agreed, neverAborted())
    )
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatchInlineSnapshot(`"The signer returned undefined instead of a 64-byte signature."`)
  })

  it("gets an error with the other address that it signed for", async () => {
    const other = otherKey()
    const signer = fromKitSigner({ ...partialSigner(other), address: address as Address })
    const error = await rejection(signer.signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ reason: "invalid", message: expect.stringContaining(other.address) as string })
  })
})
