import type { Swap, SwapEvent } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { shownSteps } from "../../src/progress/shownSteps.js"

type State = Parameters<typeof shownSteps>[0]

const swap = (status: Swap["status"], more: Partial<Swap> = {}): Swap => ({ swapId: "swap-1", status, ...more })

const events = (types: ReadonlyArray<SwapEvent["type"]>, swap: Swap | undefined): State["events"] =>
  types.map((type, at) => ({ event: { type, checked: true, ...(swap && { swap }) } as SwapEvent, at }))

/** A state with events of these types. The last one has the swap. */
const state = (
  types: ReadonlyArray<SwapEvent["type"]>,
  { swap, ...more }: Partial<State> & { readonly swap?: Swap } = {}
): State => ({
  phase: "running",
  events: [...events(types.slice(0, -1), undefined), ...events(types.slice(-1), swap)],
  flowId: undefined,
  resumable: undefined,
  ...more
})

/** Formats the steps in one line. */
const format = (state: State, delegates = false): string =>
  shownSteps(state, delegates)
    .map(({ name, state, txHash }) => `${name} ${state}${txHash === undefined ? "" : ` ${txHash}`}`)
    .join(", ")

const rest = "payment waiting, delivery waiting"

test("shownSteps shows building and verifying as parts of signing", () => {
  expect(format(state([]))).toBe(`quote running, sign waiting, submit waiting, ${rest}`)
  for (const types of [["quoted"], ["quoted", "built"], ["quoted", "built", "verified"]] as const) {
    expect(format(state(types))).toBe(`quote done, sign running, submit waiting, ${rest}`)
  }
  expect(format(state(["quoted", "built", "verified", "signed"]))).toBe(
    `quote done, sign done, submit running, ${rest}`
  )
  const paid = { flowId: "flow-1", swap: swap("pending", { originTxHash: "0xa" }) }
  expect(format(state(["quoted", "built", "verified", "signed", "submitted"], paid))).toBe(
    "quote done, sign done, submit done, payment done 0xa, delivery running"
  )
})

test("shownSteps shows a delegation step only if a delegation is needed", () => {
  expect(format(state([]), true)).toContain("delegation waiting, sign waiting")
  expect(format(state(["quoted"]), true)).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing"]))).toContain("delegation running, sign waiting")
  expect(format(state(["quoted", "authorizing", "built"]))).toContain("delegation done, sign running")
  expect(format(state(["quoted", "built"]), true)).not.toContain("delegation")
})

test("shownSteps shows a refund after a failed delivery", () => {
  const refunded = { phase: "done", swap: swap("refunded", { originTxHash: "0xa", refundTxHash: "0xc" }) } as const
  expect(format(state(["quoted", "done"], refunded))).toMatch(/payment done 0xa, delivery failed, refund done 0xc$/)
})

test("shownSteps shows the current step as failed after an error, unless the swap can be resumed", () => {
  expect(format(state(["quoted", "built"], { phase: "failed" }))).toContain("sign failed, submit waiting")
  const resumable = { phase: "failed", flowId: "flow-1", resumable: "flow-1" } as const
  expect(format(state(["quoted", "signed"], resumable))).toContain("submit waiting")
})

test("shownSteps shows a resumed swap as already signed", () => {
  expect(format(state([], { flowId: "flow-1" }))).toMatch(/^quote done, sign done, submit running/)
})
