import { describe, expect, it } from "@effect/vitest"
import { hashTypedData, numberToHex } from "viem"
import * as GeoAccount from "../src/generated/GeoAccount.ts"
import { genesis } from "./chain.ts"
import { balanceOf, collect, delegateTo, eventsOf, highS, holding, present, stranger, usdc, wallet } from "./fixture.ts"
import { collectOrder, hashTerms, type Order, orderOf, paymentDigest, signOrder, typedData } from "./payments.ts"
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

describe("an operation that is signed as typed data", () => {
  const chain = useChain(async (chain) => {
    await delegateTo(chain, wallet)
  })
  const order = orderOf(usdc)
  const personal = async (of: Order) =>
    present(await wallet.signMessage({ message: { raw: paymentDigest("typed", of) } }))

  it("has the digest that the account computes, which depends on every field", async () => {
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
      orders.map((each) => chain.read(wallet.address, GeoAccount, "digestOf", [operationOf(each)]))
    )
    expect(digests).toEqual(orders.map((each) => hashTypedData(typedData.typed(each))))
    expect(new Set(digests).size).toBe(orders.length)
  })

  it("pays if either form of one digest is presented, and only once", async () => {
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

  it("cannot be presented with the high s of its signature", async () => {
    const { r, vs } = await signOrder("typed", wallet, order)
    const low = numberToHex(BigInt(vs) & (2n ** 255n - 1n), { size: 32 })
    for (const s of [highS(low), numberToHex(BigInt(highS(low)) | (1n << 255n), { size: 32 })])
      expect((await collectOrder(chain, "typed", order, { r, vs: s })).result).toBe("InvalidSignature")
  })
})
