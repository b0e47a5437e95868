import { describe, expect, it } from "@effect/vitest"
import { encodeAbiParameters, hashTypedData, type Hex, keccak256, numberToHex, parseSignature, zeroAddress } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import * as GeoAccountV2 from "../src/generated/GeoAccountV2.ts"
import * as GeoVault from "../src/generated/GeoVault.ts"
import { genesis } from "./chain.ts"
import {
  balanceOf,
  collect,
  delegate,
  eventsOf,
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
  wallet
} from "./fixture.ts"
import {
  collectOrder,
  delegateNow,
  hashTerms,
  type Order,
  orderOf,
  paymentDigest,
  secondDelegate,
  signOrder,
  typedData
} from "./payments.ts"
import { useChain } from "./suite.ts"

/** The fields of an order that the account receives. */
const operationOf = ({ amount, deadline, index, orderId, terms, token }: Order) => ({
  token,
  amount,
  orderId,
  terms: hashTerms(terms),
  nonce: index,
  deadline
})

describe("the second account", () => {
  const chain = useChain(async (chain) => {
    await delegateNow(chain, wallet, secondDelegate)
  })
  const order = orderOf(usdc)
  const personal = async (of: Order) =>
    present(await wallet.signMessage({ message: { raw: paymentDigest("typed", of) } }))

  it("is deployed with the vault, and cannot be removed or added again", async () => {
    expect(await chain.read(vault, GeoVault, "secondDelegate", [])).toBe(secondDelegate)
    expect(await chain.read(vault, GeoVault, "isDelegate", [secondDelegate])).toBe(true)
    expect(await chain.read(secondDelegate, GeoAccountV2, "vault", [])).toBe(vault)
    expect(await chain.read(secondDelegate, GeoAccountV2, "delegate", [])).toBe(secondDelegate)
    for (const allowed of [false, true]) {
      const { result } = await chain.write(owner, vault, GeoVault, "setDelegate", [secondDelegate, allowed])
      expect(result).toBe("WrongDelegate")
    }
  })

  it("has the digest of the typed data, which depends on every field", async () => {
    const orders = [
      order,
      { ...order, token: stranger.address },
      { ...order, amount: 2n ** 256n - 1n },
      { ...order, orderId: `0x${"c3".repeat(32)}` as const },
      { ...order, index: 1n },
      { ...order, deadline: genesis },
      ...(["destinationChain", "minOutput"] as const).map((name) => ({
        ...order,
        terms: { ...order.terms, [name]: 7n }
      })),
      ...(["outputToken", "recipient"] as const).map((name) => ({
        ...order,
        terms: { ...order.terms, [name]: `0x${"07".repeat(32)}` as const }
      }))
    ]
    const digests = await Promise.all(
      orders.map((each) => chain.read(wallet.address, GeoAccountV2, "digestOf", [operationOf(each)]))
    )
    expect(digests).toEqual(orders.map((each) => hashTypedData(typedData.typed(each))))
    expect(new Set(digests).size).toBe(orders.length)
  })

  it("pays the typed form and the personal_sign form of one digest, one of them", async () => {
    const typed = await signOrder("typed", wallet, order)
    const op = operationOf(order)
    expect((await collect(chain, wallet.address, op, typed)).result).toBe("InvalidSignature")
    expect((await collectOrder(chain, "typed", order, await personal(order))).result).toBe("InvalidSignature")
    const paid = await collect(chain, wallet.address, op, await personal(order))
    expect(paid.result).toBe("done")
    expect(eventsOf(paid.receipt)).toMatchObject([{ args: { terms: hashTerms(order.terms) } }])
    expect((await collectOrder(chain, "typed", order, typed)).result).toBe("NonceUsed")
    const next = { ...order, index: 1n }
    expect((await collectOrder(chain, "typed", next, await signOrder("typed", wallet, next))).result).toBe("done")
    expect(await balanceOf(chain, usdc, wallet.address)).toBe(holding - 2n * order.amount)
  })

  it("shares its nonces with the first account, in the same slot", async () => {
    const third = { ...order, index: 259n }
    await collectOrder(chain, "typed", third, await signOrder("typed", wallet, third))
    const root = 0x863feabba2f4e71e97c54598384547439817eda7710e9823b37b132c9aca7000n
    const slot = keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, root]))
    expect(BigInt((await chain.client.getStorageAt({ address: wallet.address, slot })) ?? "0x0")).toBe(1n << 3n)

    await delegateNow(chain, wallet, delegate)
    expect(await chain.read(wallet.address, GeoAccount, "isUsed", [259n])).toBe(true)
    const [same, later] = [operation({ nonce: 259n }), operation({ nonce: 260n })]
    expect((await collect(chain, wallet.address, same, await sign(wallet, same))).result).toBe("NonceUsed")
    expect((await collect(chain, wallet.address, later, await sign(wallet, later))).result).toBe("done")

    await delegateNow(chain, wallet, secondDelegate)
    const again = { ...order, index: 260n }
    const { result } = await collectOrder(chain, "typed", again, await signOrder("typed", wallet, again))
    expect(result).toBe("NonceUsed")
  })

  it("cannot be asked for a typed payment at the first account, which has no such function", async () => {
    await delegateNow(chain, wallet, delegate)
    const outcome = await collectOrder(chain, "typed", order, await signOrder("typed", wallet, order))
    expect([outcome.result, eventsOf(outcome.receipt)]).toEqual(["without a reason", []])
  })

  it("cannot be presented with the high s of its signature", async () => {
    const { r, vs } = await signOrder("typed", wallet, order)
    const low = numberToHex(BigInt(vs) & (2n ** 255n - 1n), { size: 32 })
    for (const s of [highS(low), numberToHex(BigInt(highS(low)) | (1n << 255n), { size: 32 })])
      expect((await collectOrder(chain, "typed", order, { r, vs: s })).result).toBe("InvalidSignature")
  })

  it("accepts by ERC-1271 exactly what the first account accepts", async () => {
    await delegateNow(chain, otherWallet, delegate)
    const ask = (signer: typeof wallet, hash: Hex, signature: Hex) =>
      chain.read(signer.address, GeoAccountV2, "isValidSignature", [hash, signature])
    const hashes = [paymentDigest("typed", order), `0x${"d1".repeat(32)}` as const, numberToHex(0, { size: 32 })]
    const verdicts = async (signer: typeof wallet) => {
      const other = signer === wallet ? otherWallet : wallet
      const found: Array<string> = []
      for (const hash of hashes) {
        const raw = await signer.sign({ hash })
        const { r, s, yParity } = parseSignature(raw)
        const forms: ReadonlyArray<Hex> = [
          raw,
          `${r}${numberToHex(BigInt(s) | (BigInt(yParity) << 255n), { size: 32 }).slice(2)}`,
          await signer.signMessage({ message: { raw: hash } }),
          await signer.signMessage({ message: hash }),
          await other.sign({ hash }),
          `${r}${highS(s).slice(2)}${yParity === 0 ? "1c" : "1b"}`,
          `${raw}00`,
          raw.slice(0, -4) as Hex,
          "0x",
          `0x${"00".repeat(65)}`
        ]
        for (const form of forms) found.push(await ask(signer, hash, form))
      }
      return found
    }
    const second = await verdicts(wallet)
    expect(second).toEqual(await verdicts(otherWallet))
    expect(second.filter((verdict) => verdict === "0x1626ba7e")).toHaveLength(2 * hashes.length)
  })

  it("receives tokens and reports interfaces like the first account", async () => {
    expect((await chain.send(stranger, { to: wallet.address, value: 3n, gas: 30_000n })).result).toBe("done")
    expect((await chain.send(stranger, { to: secondDelegate, value: 1n })).result).toBe("NotWallet")
    for (const id of ["0x01ffc9a7", "0x1626ba7e", "0x150b7a02", "0x4e2312e0"] as const)
      expect(await chain.read(wallet.address, GeoAccountV2, "supportsInterface", [id])).toBe(true)
    expect((await chain.send(stranger, { to: wallet.address, data: "0x12345678" })).result).not.toBe("done")
    await delegateNow(chain, wallet, zeroAddress)
    const { result } = await collectOrder(chain, "typed", order, await signOrder("typed", wallet, order))
    expect(result).toBe("NotDelegated")
  })
})
