import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Chain } from "../../src/chains/Chains.js"
import type { Collection, Outcome, Payment } from "../../src/chains/Outcome.js"
import type { Kind, State, SwapRecord } from "../../src/domain/SwapRecord.js"
import { closePaid } from "../../src/execution/operator/closePaid.js"
import { failUncollected } from "../../src/execution/operator/failUncollected.js"
import type { Store } from "../../src/store/Store.js"
import { plainChain } from "../../src/testing/plainChain.js"
import { attempt, order } from "../../src/testing/storeContract/fixture.js"

type Paid = Extract<Payment, { readonly _tag: "Paid" }>

const deadOutcome: Outcome = { _tag: "Dead", why: "replaced", message: "replaced" }
const waiting: Outcome = { _tag: "Waiting" }
const unproven: Payment = { _tag: "Unproven", message: "no such payment" }

const swapIn = (state: State, over: Partial<SwapRecord> = {}): SwapRecord => ({
  ...order(1),
  state,
  version: 3,
  updatedAt: 0,
  reserved: true,
  ...over
})

/** A vault's payment of exactly what the service owes, unless the test changes it. */
const paid = (kind: "deliver" | "refund", swap: SwapRecord, over: Partial<Paid> = {}): Paid => ({
  _tag: "Paid",
  kind,
  to: kind === "deliver" ? swap.recipient : swap.wallet,
  token: kind === "deliver" ? swap.outputToken : swap.inputToken,
  amount: kind === "deliver" ? swap.output : (swap.refundAmount ?? swap.amount),
  hash: "0xabc",
  block: 9n,
  nodes: ["a", "b"],
  ...over
})

/** What the chains and the store report. */
interface World {
  /** The payment that the nodes of each chain show. */
  readonly payments?: Readonly<Record<number, Payment>>
  /** The kinds of transactions that the service has signed, and what became of them. */
  readonly signed?: Partial<Record<Kind, Outcome>>
  readonly collection?: Collection
}

const prepare = ({ collection, payments = {}, signed = {} }: World, swap: SwapRecord) => {
  const nothing = () => Effect.succeed(0n)
  const chainOf = (id: number): Chain => {
    const plain = plainChain({ family: "evm", id, name: `${id}`, tokens: [], costOf: nothing, balanceOf: nothing })
    if (plain.family !== "evm") throw new Error("It is an EVM chain.")
    return {
      ...plain,
      paymentIn: () => Effect.succeed(payments[id] ?? unproven),
      observe: ({ kind }) => Effect.succeed(signed[kind] ?? waiting),
      collection: () => Effect.succeed(collection ?? { _tag: "Open", message: "not yet certain" })
    }
  }
  const chains = new Map([swap.originChain, swap.destinationChain].map((id) => [id, chainOf(id)]))
  const store = {
    attempts: (_: string, kind: Kind) => Effect.succeed(signed[kind] === undefined ? [] : [attempt(1)]),
    claimOne: () => Effect.succeed(Option.some(swap)),
    change: ({ swap: before, to, ...facts }: { readonly swap: SwapRecord; readonly to: State }) =>
      Effect.succeed({ ...before, ...facts, state: to })
  } as unknown as Store
  return { chains, store }
}

const close = (swap: SwapRecord, world: World, reason?: string) => {
  const { chains, store } = prepare(world, swap)
  return closePaid(chains, store, swap, { hash: "0xabc", reason })
}
const fail = (swap: SwapRecord, world: World) => {
  const { chains, store } = prepare(world, swap)
  return failUncollected(chains, store, swap)
}
const refusal = <A, E extends { readonly message: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a swap that a vault has paid", () => {
  const swap = swapIn("delivery_sent")
  const delivery = { [swap.destinationChain]: paid("deliver", swap) }

  it.effect("is settled by a delivery and refunded by a refund, with what was paid", () =>
    Effect.gen(function* () {
      const settled = yield* close(swap, { payments: delivery, signed: { deliver: deadOutcome } })
      expect(settled).toMatchObject({ swap: { state: "settled", paidAmount: swap.output }, payment: { inFull: true } })
      const refunding = swapIn("refund_prepared", { refundAmount: 8n })
      const refunded = yield* close(refunding, { payments: { [swap.originChain]: paid("refund", refunding) } })
      expect(refunded).toMatchObject({ swap: { state: "refunded", paidAmount: 8n }, payment: { inFull: true } })
    })
  )

  it.effect("is not closed while a transaction of the service can still pay it", () =>
    Effect.gen(function* () {
      for (const kind of ["deliver", "refund"] as const) {
        const message = yield* refusal(close(swap, { payments: delivery, signed: { [kind]: waiting } }))
        expect(message).toMatch(/may still be included/)
      }
      const done: Outcome = { _tag: "Done", hash: "0xown", block: 9n }
      expect(yield* refusal(close(swap, { payments: delivery, signed: { deliver: done } }))).toMatch(/is final/)
    })
  )

  it.effect("is closed without a reason only if the recipient got at least the output on its chain", () =>
    Effect.gen(function* () {
      const less = { [swap.destinationChain]: paid("deliver", swap, { amount: swap.output - 1n }) }
      const elsewhere = { [swap.originChain]: paid("deliver", swap) }
      const toOther = { [swap.destinationChain]: paid("deliver", swap, { to: `0x${"9".repeat(40)}` }) }
      for (const payments of [less, elsewhere, toOther]) {
        expect(yield* refusal(close(swap, { payments }))).toMatch(/pay the difference manually/)
      }
      const closed = yield* close(swap, { payments: less }, "paid the rest in cash")
      expect(closed).toMatchObject({ swap: { paidAmount: swap.output - 1n }, payment: { inFull: false } })
      expect((yield* close(swap, { payments: toOther }, "agreed")).swap.paidAmount).toBeUndefined()
    })
  )

  it.effect("is not closed before its input has arrived, after it has finished, or without a payment", () =>
    Effect.gen(function* () {
      for (const state of ["origin_sent", "settled", "refunded", "failed"] as const) {
        expect(yield* refusal(close(swapIn(state), { payments: delivery }))).toMatch(/state is/)
      }
      expect(yield* refusal(close(swap, {}))).toMatch(/not a final payment/)
    })
  )
})

describe("a swap whose input never arrived", () => {
  const swap = swapIn("origin_sent")
  const collection: Collection = { _tag: "Never", block: 9n, time: 1_000, nodes: ["a", "b"] }

  it.effect("is failed with the proof", () =>
    Effect.gen(function* () {
      const { proof, swap: failed } = yield* fail(swap, { collection, signed: { collect: deadOutcome } })
      expect(failed).toMatchObject({ state: "failed", failureCode: "OPERATION_EXPIRED" })
      expect(proof).toEqual({ block: 9n, time: 1_000, nodes: ["a", "b"] })
    })
  )

  it.effect("is not failed while a collection can still be included, or without the proof", () =>
    Effect.gen(function* () {
      expect(yield* refusal(fail(swap, { collection, signed: { collect: waiting } }))).toMatch(/can still be included/)
      expect(yield* refusal(fail(swap, {}))).toBe("not yet certain")
      const collected: Collection = { _tag: "Collected", hash: "0xa", block: 8n }
      expect(yield* refusal(fail(swap, { collection: collected }))).toMatch(/has arrived/)
      expect(yield* refusal(fail(swapIn("origin_final"), { collection }))).toMatch(/state is origin_final/)
    })
  )
})
