import type { Swap, SwapEvent } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { spanOf, stepsOf } from "../../src/progress/steps.js"

type State = Parameters<typeof stepsOf>[0]

const swap = (status: Swap["status"], more: Partial<Swap> = {}): Swap => ({ swapId: "swap-1", status, ...more })

/** A state with events of these types. */
const state = (types: ReadonlyArray<SwapEvent["type"]>, more: Partial<State> = {}): State => ({
  phase: "running",
  events: types.map((type, at) => ({ event: { type } as SwapEvent, at })),
  flowId: undefined,
  resumable: undefined,
  swap: undefined,
  error: undefined,
  ...more
})

/** Formats the steps in one line. */
const format = (state: State, delegates = false): string =>
  stepsOf(state, delegates)
    .map(({ hash, id, state }) => `${id} ${state}${hash === undefined ? "" : ` ${hash}`}`)
    .join(", ")

test("stepsOf follows a swap from the quote to the delivery", () => {
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

test("stepsOf shows a delegation step if a delegation is needed", () => {
  expect(format(state(["quoted"]), true)).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing"]))).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing", "built", "signed"]))).toContain("delegation done, sign done")
})

test("stepsOf shows a refund after a failed delivery", () => {
  const refunded = { phase: "done", swap: swap("refunded", { originTxHash: "0xa", refundTxHash: "0xc" }) } as const
  expect(format(state(["quoted", "done"], refunded))).toMatch(/origin done 0xa, delivery failed, refund done 0xc$/)
})

test("stepsOf shows the payment of a failed swap as failed", () => {
  expect(format(state(["quoted", "done"], { phase: "done", swap: swap("failed") }))).toMatch(
    /submit done, origin failed, delivery waiting$/
  )
})

test("stepsOf shows the current step as failed after an error, unless the swap can be resumed", () => {
  expect(format(state(["quoted", "built"], { phase: "failed" }))).toContain("sign failed, submit waiting")
  expect(format(state(["quoted", "signed"], { phase: "failed", flowId: "flow-1", resumable: "flow-1" }))).toContain(
    "submit waiting"
  )
})

test("stepsOf shows a resumed swap as already signed", () => {
  expect(format(state([], { flowId: "flow-1" }))).toMatch(/^quote done, sign done, submit running/)
})

test("spanOf returns the times of the first and last event", () => {
  expect(spanOf(state(["quoted", "signed", "done"], { phase: "done" }))).toEqual([0, 2])
  expect(spanOf(state(["quoted", "signed"]))).toEqual([0, undefined])
  expect(spanOf(state([]))).toEqual([undefined, undefined])
})
