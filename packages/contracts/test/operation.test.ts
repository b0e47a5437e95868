import { describe, expect, it } from "@effect/vitest"
import { encodeAbiParameters, hashMessage, type Hex, keccak256, numberToHex, toHex } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { genesis } from "./chain.ts"
import { useChain } from "./suite.ts"
import {
  accountOf,
  authorize,
  balanceOf,
  collect,
  delegateTo,
  digestOf,
  domainOf,
  highS,
  holding,
  operation,
  otherWallet,
  owner,
  present,
  sign,
  stranger,
  usdc,
  vault,
  wallet,
  weth
} from "./fixture.ts"

describe("an operation", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
    await delegateTo(chain, otherWallet)
  })
  const op = operation()

  it("is valid as it was signed", async () => {
    expect((await collect(chain, wallet.address, op, await sign(wallet, op))).result).toBe("done")
  })

  it.each([
    ["token", { token: weth }],
    ["amount", { amount: op.amount + 1n }],
    ["order", { orderId: op.terms }],
    ["terms", { terms: op.orderId }],
    ["nonce", { nonce: 1n }],
    ["deadline", { deadline: op.deadline + 1n }]
  ])("is refused with a different %s than the signed one", async (_, change) => {
    const changed = { ...op, ...change }
    expect((await collect(chain, wallet.address, changed, await sign(wallet, op))).result).toBe("InvalidSignature")
  })

  it.each([
    ["chain", { chainId: 1 }],
    ["wallet", { wallet: otherWallet.address }],
    ["delegate", { delegate: vault }],
    ["vault", { vault: owner.address }]
  ])("is refused if it was signed for another %s", async (_, domain) => {
    expect((await collect(chain, wallet.address, op, await sign(wallet, op, domain))).result).toBe("InvalidSignature")
  })

  it("is refused if another wallet signed it, or presents it", async () => {
    const stolen = await sign(otherWallet, op, { wallet: wallet.address })
    expect((await collect(chain, wallet.address, op, stolen)).result).toBe("InvalidSignature")
    expect((await collect(chain, otherWallet.address, op, await sign(wallet, op))).result).toBe("InvalidSignature")
  })

  it("is signed by personal_sign over the 32 bytes, not over their hex string and not without the prefix", async () => {
    const digest = digestOf(domainOf(wallet.address), op)
    const asText = present(await wallet.signMessage({ message: digest }))
    expect((await collect(chain, wallet.address, op, asText)).result).toBe("InvalidSignature")
    const raw = present(await wallet.sign({ hash: digest }))
    expect((await collect(chain, wallet.address, op, raw)).result).toBe("InvalidSignature")
    const right = present(await wallet.sign({ hash: hashMessage({ raw: digest }) }))
    expect((await collect(chain, wallet.address, op, right)).result).toBe("done")
  })

  it("cannot be presented with the high s of its signature: there is no room for it beside the parity", async () => {
    const { r, vs } = await sign(wallet, op)
    const parity = BigInt(vs) >> 255n
    const s = BigInt(highS(numberToHex(BigInt(vs) & (2n ** 255n - 1n), { size: 32 })))
    for (const other of [
      s,
      s | (1n << 255n),
      2n ** 255n - 1n,
      ((1n - parity) << 255n) | (BigInt(vs) & (2n ** 255n - 1n))
    ]) {
      const outcome = await collect(chain, wallet.address, op, {
        r,
        vs: numberToHex(other, { size: 32 })
      })
      expect(outcome.result).toBe("InvalidSignature")
    }
    expect((await collect(chain, wallet.address, op, { r, vs })).result).toBe("done")
  })

  it("is refused with a signature of zeros, which recovers to no wallet", async () => {
    const zeros = numberToHex(0, { size: 32 })
    expect((await collect(chain, wallet.address, op, { r: zeros, vs: zeros })).result).toBe("InvalidSignature")
  })

  it("is valid in the last second of its deadline, and refused in the next", async () => {
    const signed = await sign(wallet, op)
    const snapshot = await chain.client.snapshot()
    await chain.at(op.deadline + 1n)
    const late = await collect(chain, wallet.address, op, signed)
    expect(late.result).toBe("Expired")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding)
    await chain.revert(snapshot)
    await chain.at(op.deadline)
    const inTime = await collect(chain, wallet.address, op, signed)
    expect(inTime.result).toBe("done")
    const { timestamp } = await chain.client.getBlock({ blockNumber: inTime.receipt.blockNumber })
    expect(timestamp).toBe(op.deadline)
  })

  it("can have the maximum deadline", async () => {
    const forever = operation({ deadline: 2n ** 256n - 1n })
    await chain.at(genesis + 10_000_000_000n)
    expect((await collect(chain, wallet.address, forever, await sign(wallet, forever))).result).toBe("done")
  })

  it("pays once", async () => {
    const signed = await sign(wallet, op)
    expect((await collect(chain, wallet.address, op, signed)).result).toBe("done")
    expect((await collect(chain, wallet.address, op, signed)).result).toBe("NonceUsed")
    const sameNonce = operation({ amount: 1n })
    expect((await collect(chain, wallet.address, sameNonce, await sign(wallet, sameNonce))).result).toBe("NonceUsed")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding - op.amount)
  })

  it("accepts nonces in any order, each once, across word borders and up to the maximum", async () => {
    const max = 2n ** 256n - 1n
    const nonces = [256n, 0n, 255n, max, 511n, 1n, 512n, max - 1n, max - 255n, max - 256n, 2n ** 255n]
    const used = () => Promise.all(nonces.map((nonce) => chain.read(wallet.address, GeoAccount, "isUsed", [nonce])))
    expect(await used()).toEqual(nonces.map(() => false))
    for (const [index, nonce] of nonces.entries()) {
      const next = operation({ nonce, amount: 1n })
      expect((await collect(chain, wallet.address, next, await sign(wallet, next))).result).toBe("done")
      expect(await used()).toEqual(nonces.map((_, other) => other <= index))
    }
    for (const nonce of [0n, 511n, max]) {
      const again = operation({ nonce, amount: 1n })
      expect((await collect(chain, wallet.address, again, await sign(wallet, again))).result).toBe("NonceUsed")
    }
    expect(await chain.read(otherWallet.address, GeoAccount, "isUsed", [0n])).toBe(false)
    expect(await chain.read(wallet.address, GeoAccount, "isUsed", [2n])).toBe(false)
  })

  it("is recorded in the ERC-7201 slot of geoswap.account, and in no other", async () => {
    const namespace = BigInt(keccak256(toHex("geoswap.account"))) - 1n
    const root = BigInt(keccak256(numberToHex(namespace, { size: 32 }))) & ~0xffn
    const third = operation({ nonce: 259n })
    await collect(chain, wallet.address, third, await sign(wallet, third))
    const slot = keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, root]))
    const storage = (slot: Hex) => chain.client.getStorageAt({ address: wallet.address, slot })
    expect(BigInt((await storage(slot)) ?? "0x0")).toBe(1n << 3n)
    for (const plain of [0n, 1n, root]) expect(BigInt((await storage(numberToHex(plain))) ?? "0x0")).toBe(0n)
  })

  it("is invalid for another account contract of the vault", async () => {
    const second = await chain.deploy(owner, accountOf(vault))
    await chain.write(owner, vault, GeoVault, "setDelegate", [second, true])
    const first = await sign(wallet, op)
    await delegateTo(chain, wallet, second, 1)
    expect((await collect(chain, wallet.address, op, first)).result).toBe("InvalidSignature")
    const renewed = await sign(wallet, op, { delegate: second })
    expect((await collect(chain, wallet.address, op, renewed)).result).toBe("done")
  })
})

describe("an operation on two chains with the same addresses", () => {
  const chain = useChain()
  const other = useChain(undefined, 31338)

  it("pays only on its own chain, and its authorization delegates only there", async () => {
    const op = operation()
    const signed = await sign(wallet, op)
    const authorization = await authorize(wallet)
    expect((await collect(chain, wallet.address, op, signed, [authorization])).result).toBe("done")
    expect((await collect(other, wallet.address, op, signed, [authorization])).result).toBe("NotDelegated")
    await delegateTo(other, wallet)
    expect((await collect(other, wallet.address, op, signed)).result).toBe("InvalidSignature")
    const there = await sign(wallet, op, { chainId: other.id })
    expect((await collect(other, wallet.address, op, there)).result).toBe("done")
    expect(await balanceOf(other, usdc, wallet.address)).toBe(holding - op.amount)
    expect(await other.client.getBalance({ address: stranger.address })).toBeGreaterThan(0n)
  })
})
