import { type Swap, type SwapEvent, swapSteps } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { shownSteps } from "../../src/progress/shownSteps.js"

const swap = (status: Swap["status"], more: Partial<Swap> = {}): Swap => ({ swapId: "swap-1", status, ...more })

interface State extends Pick<Parameters<typeof swapSteps>[1] & object, "first" | "stopped"> {
  readonly types: ReadonlyArray<SwapEvent["type"]>
  /** The swap that the last event contains. */
  readonly swap?: Swap
}

const state = (types: State["types"], more: Omit<State, "types"> = {}): State => ({ types, ...more })

/** Formats the steps in one line. */
const format = ({ types, swap, ...options }: State, delegates = false): string => {
  const events = types.map(
    (type, at) => ({ type, checked: true, ...(swap && at === types.length - 1 && { swap }) }) as SwapEvent
  )
  return shownSteps(swapSteps(events, options), delegates)
    .map(({ name, state, txHash }) => `${name} ${state}${txHash === undefined ? "" : ` ${txHash}`}`)
    .join(", ")
}

const rest = "payment waiting, delivery waiting"

test("shownSteps shows building and verifying as parts of signing", () => {
  expect(format(state([]))).toBe(`quote running, sign waiting, submit waiting, ${rest}`)
  for (const types of [["quoted"], ["quoted", "built"], ["quoted", "built", "verified"]] as const) {
    expect(format(state(types))).toBe(`quote done, sign running, submit waiting, ${rest}`)
  }
  expect(format(state(["quoted", "built", "verified", "signed"]))).toBe(
    `quote done, sign done, submit running, ${rest}`
  )
  const paid = { swap: swap("pending", { originTxHash: "0xa" }) }
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
  const refunded = { swap: swap("refunded", { originTxHash: "0xa", refundTxHash: "0xc" }) } as const
  expect(format(state(["quoted", "done"], refunded))).toMatch(/payment done 0xa, delivery failed, refund done 0xc$/)
})

test("shownSteps shows the current step as failed after an error, unless the swap can be resumed", () => {
  expect(format(state(["quoted", "built"], { stopped: "failed" }))).toContain("sign failed, submit waiting")
  const resumable = { stopped: "unknown" } as const
  expect(format(state(["quoted", "signed"], resumable))).toContain("submit waiting")
})

test("shownSteps shows a resumed swap as already signed", () => {
  expect(format(state([], { first: "submit" }))).toMatch(/^quote done, sign done, submit running/)
})
