/** The steps of a swap and their states. */
import type { Swap, SwapEvent } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"

/** The steps of a swap, in order. */
export type StepId = "quote" | "delegation" | "sign" | "submit" | "origin" | "delivery" | "refund"

/** The state of a step. */
export type StepState = "waiting" | "running" | "done" | "failed"

/** One step of a swap. */
export interface Step {
  readonly id: StepId
  readonly state: StepState
  /** The hash of the step's transaction, once it is known. */
  readonly hash?: string | undefined
}

type State = Pick<SwapState, "phase" | "events" | "flowId" | "resumable" | "swap" | "error">

/** The current step of a swap that has not been submitted yet. */
const stepBeforeSubmit = (events: ReadonlyArray<SwapEvent["type"]>, resumed: boolean, delegates: boolean): StepId => {
  if (resumed) return "submit"
  const last = events.at(-1)
  switch (last) {
    case undefined:
      return "quote"
    case "quoted":
      return delegates ? "delegation" : "sign"
    case "authorizing":
      return "delegation"
    case "signed":
    case "resubmitted":
      return "submit"
    default:
      return "sign"
  }
}

/** The current step of a submitted swap. */
const stepAfterSubmit = ({ originTxHash, refundTxHash, status }: Swap): StepId | "end" => {
  if (status === "settled") return "end"
  if (status === "failed") return "origin"
  if (status === "refunded" || refundTxHash !== undefined) return "refund"
  return originTxHash === undefined ? "origin" : "delivery"
}

const hashOf = (id: StepId, swap: Swap | undefined): string | undefined =>
  id === "origin"
    ? swap?.originTxHash
    : id === "delivery"
      ? swap?.deliveryTxHash
      : id === "refund"
        ? swap?.refundTxHash
        : undefined

/**
 * Returns the steps of a swap. `delegates` indicates whether the swap was known to need a delegation when it started.
 */
export const stepsOf = (state: State, delegates: boolean): ReadonlyArray<Step> => {
  const { flowId, phase, resumable, swap } = state
  const events = state.events.map(({ event }) => event.type)
  const resumed = flowId !== undefined && !events.includes("quoted")
  const showsDelegation = delegates || events.includes("authorizing")
  const at = swap === undefined ? stepBeforeSubmit(events, resumed, delegates) : stepAfterSubmit(swap)
  const ids: ReadonlyArray<StepId> = [
    "quote",
    ...(showsDelegation ? (["delegation"] as const) : []),
    "sign",
    "submit",
    "origin",
    "delivery",
    ...(at === "refund" ? (["refund"] as const) : [])
  ]
  const current = at === "end" ? ids.length : ids.indexOf(at)
  const stateOf = (id: StepId, index: number): StepState => {
    if (at === "refund" && id === "delivery") return "failed"
    if (index !== current) return index < current ? "done" : "waiting"
    if (swap?.status === "failed") return "failed"
    if (swap?.status === "refunded") return "done"
    if (phase === "running") return "running"
    // The swap was submitted and continues, but the page no longer follows it.
    return phase === "failed" && resumable === undefined ? "failed" : "waiting"
  }
  return ids.map((id, index) => ({ id, state: stateOf(id, index), hash: hashOf(id, swap) }))
}

/** Returns when a swap started and ended, in Unix milliseconds. */
export const spanOf = ({ events, phase }: State): readonly [started: number | undefined, ended: number | undefined] => [
  events[0]?.at,
  phase === "running" ? undefined : events.at(-1)?.at
]
