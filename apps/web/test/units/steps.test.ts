import type { Swap, SwapEvent } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { spanOf, stepsOf } from "../../src/progress/steps.js"

type State = Parameters<typeof stepsOf>[0]

const swap = (status: Swap["status"], more: Partial<Swap> = {}): Swap => ({ swapId: "swap-1", status, ...more })

/** A state in which these events were told, of which only the kind matters here. */
const state = (types: ReadonlyArray<SwapEvent["type"]>, more: Partial<State> = {}): State => ({
  phase: "running",
  events: types.map((type, at) => ({ event: { type } as SwapEvent, at })),
  flowId: undefined,
  resumable: undefined,
  swap: undefined,
  error: undefined,
  ...more
})

/** The steps in one line. */
const format = (told: State, delegates = false): string =>
  stepsOf(told, delegates)
    .map(({ hash, id, state }) => `${id} ${state}${hash === undefined ? "" : ` ${hash}`}`)
    .join(", ")

test("a swap goes step by step to its end", () => {
  const rest = "origin waiting, delivery waiting"
  expect(format(state([]))).toBe(`quote running, sign waiting, submit waiting, ${rest}`)
  expect(format(state(["quoted"]))).toBe(`quote done, sign running, submit waiting, ${rest}`)
  expect(format(state(["quoted", "built", "signed"]))).toBe(`quote done, sign done, submit running, ${rest}`)
  const sent = { flowId: "flow-1", swap: swap("pending") }
  expect(format(state(["quoted", "signed", "submitted"], sent))).toBe(
    "quote done, sign done, submit done, origin running, delivery waiting"
  )
  const paid = { flowId: "flow-1", swap: swap("pending", { originTxHash: "0xa" }) }
  expect(format(state(["quoted", "submitted", "status"], paid))).toBe(
    "quote done, sign done, submit done, origin done 0xa, delivery running"
  )
  const settled = { phase: "done", swap: swap("settled", { originTxHash: "0xa", deliveryTxHash: "0xb" }) } as const
  expect(format(state(["quoted", "done"], settled))).toBe(
    "quote done, sign done, submit done, origin done 0xa, delivery done 0xb"
  )
})

test("a delegation has a step where it is needed, or turns out to be", () => {
  expect(format(state(["quoted"]), true)).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing"]))).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing", "built", "signed"]))).toContain("delegation done, sign done")
})

test("a refund takes the place of the delivery that failed", () => {
  const refunded = { phase: "done", swap: swap("refunded", { originTxHash: "0xa", refundTxHash: "0xc" }) } as const
  expect(format(state(["quoted", "done"], refunded))).toMatch(/origin done 0xa, delivery failed, refund done 0xc$/)
})

test("a swap that failed was not paid", () => {
  expect(format(state(["quoted", "done"], { phase: "done", swap: swap("failed") }))).toMatch(
    /submit done, origin failed, delivery waiting$/
  )
})

test("an error fails the step that it happened in, unless the swap goes on without us", () => {
  expect(format(state(["quoted", "built"], { phase: "failed" }))).toContain("sign failed, submit waiting")
  expect(format(state(["quoted", "signed"], { phase: "failed", flowId: "flow-1", resumable: "flow-1" }))).toContain(
    "submit waiting"
  )
})

test("a swap that is taken up was signed before", () => {
  expect(format(state([], { flowId: "flow-1" }))).toMatch(/^quote done, sign done, submit running/)
})

test("it took from its first event to its last", () => {
  expect(spanOf(state(["quoted", "signed", "done"], { phase: "done" }))).toEqual([0, 2])
  expect(spanOf(state(["quoted", "signed"]))).toEqual([0, undefined])
  expect(spanOf(state([]))).toEqual([undefined, undefined])
})
