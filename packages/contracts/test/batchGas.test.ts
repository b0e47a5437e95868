/** The gas of a swap in a batch, compared exactly with `batchGas.snapshot.json`; `pnpm gas:update` updates it. */
import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import * as TestToken from "../src/generated/TestToken.ts"
import { genesis } from "./chain.ts"
import {
  collectMany,
  deliverMany,
  denseId,
  holderOf,
  payers,
  payment,
  preparePayers,
  refundMany,
  sparseId
} from "./batches.ts"
import { native, owner, usdc } from "./fixture.ts"
import { useChain } from "./suite.ts"

const sizes = [1, 2, 5, 10, 20]
const hour = genesis + 7200n
const deadline = hour + 36_200n

describe("the gas of a swap in a batch", () => {
  const chain = useChain(async (chain) => {
    await preparePayers(chain, [usdc])
    for (const index of payers.keys()) await chain.write(owner, usdc, TestToken, "mint", [holderOf(index), 1n])
    for (const index of payers.keys()) await chain.client.setBalance({ address: holderOf(index), value: 1n })
    await chain.at(hour)
    // The first payment of a wallet and the first delivery of a token cost more.
    await collectMany(chain, await Promise.all(payers.map((payer) => payment(payer, { deadline }))))
    for (const token of [usdc, native])
      await deliverMany(chain, [{ swapId: denseId(token === usdc ? 254 : 255), token, to: holderOf(0), amount: 1n }])
  })
  const gas: Record<string, Record<string, number>> = {}

  /** Measures batches of every size, which must settle completely. */
  const measure = async (name: string, send: (size: number) => ReturnType<typeof deliverMany>): Promise<void> => {
    const perSwap: Record<string, number> = {}
    for (const size of sizes) {
      const id = await chain.client.snapshot()
      const { receipt, result, settled } = await send(size)
      expect([name, size, result, new Set(settled).size]).toEqual([name, size, "done", size])
      perSwap[size] = Math.ceil(Number(receipt.gasUsed) / size)
      await chain.revert(id)
    }
    gas[name] = perSwap
  }

  const deliveries = (size: number, idOf: (index: number) => Hex, token = usdc, holder = holderOf) =>
    Array.from({ length: size }, (_, index) => ({
      swapId: idOf(index),
      token,
      to: holder(index),
      amount: 1_000_000n + BigInt(index)
    }))

  it("that is collected is at most 36,200 at ten", async () => {
    await measure("collect, later", async (size) =>
      collectMany(
        chain,
        await Promise.all(
          payers.slice(0, size).map((payer, index) => payment(payer, { nonce: 1n, orderId: denseId(index), deadline }))
        )
      )
    )
    expect(gas["collect, later"]?.["10"]).toBeLessThanOrEqual(36_200)
  })

  it("that is delivered to a holder is at most 20,000 at ten with dense marks, and 40,000 with others", async () => {
    await measure("deliver, token, dense marks", (size) => deliverMany(chain, deliveries(size, denseId)))
    await measure("deliver, token, first marks in a word", (size) =>
      deliverMany(
        chain,
        deliveries(size, (index) => denseId(index, "d6"))
      )
    )
    await measure("deliver, token, unrelated ids", (size) => deliverMany(chain, deliveries(size, sparseId)))
    expect(gas["deliver, token, dense marks"]?.["10"]).toBeLessThanOrEqual(20_000)
    expect(gas["deliver, token, unrelated ids"]?.["10"]).toBeLessThanOrEqual(40_000)
  })

  it("that is delivered in the native token, or to a new holder", async () => {
    await measure("deliver, native token, dense marks", (size) => deliverMany(chain, deliveries(size, denseId, native)))
    await measure("deliver, token, dense marks, to new holders", (size) =>
      deliverMany(
        chain,
        deliveries(size, denseId, usdc, (index) => holderOf(100 + index))
      )
    )
  })

  it("that is refunded", async () => {
    await measure("refund, dense marks", (size) => refundMany(chain, deliveries(size, denseId)))
    await measure("refund, unrelated ids", (size) => refundMany(chain, deliveries(size, sparseId)))
  })

  it("matches the snapshot", async () => {
    await expect(`${JSON.stringify(gas, undefined, 2)}\n`).toMatchFileSnapshot("./batchGas.snapshot.json")
  })
})
