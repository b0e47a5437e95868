/** How far a swap has come, step by step. */
import type { Swap, SwapEvent } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"

/** The steps in their order. */
export type StepId = "quote" | "delegation" | "sign" | "submit" | "origin" | "delivery" | "refund"

/** How far a step is. */
export type StepState = "waiting" | "running" | "done" | "failed"

/** One step. */
export interface Step {
  readonly id: StepId
  readonly state: StepState
  /** The transaction of the step, once there is one. */
  readonly hash?: string | undefined
}

type Told = Pick<SwapState, "phase" | "events" | "flowId" | "resumable" | "swap" | "error">

/** Where a swap stands that was not submitted yet. */
const before = (events: ReadonlyArray<SwapEvent["type"]>, resumed: boolean, delegates: boolean): StepId => {
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

/** Where a swap stands that the service knows. */
const after = ({ originTxHash, refundTxHash, status }: Swap): StepId | "end" => {
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

/** The steps of a swap; `delegates` is whether a delegation was known to be needed when it began. */
export const stepsOf = (state: Told, delegates: boolean): ReadonlyArray<Step> => {
  const { flowId, phase, resumable, swap } = state
  const events = state.events.map(({ event }) => event.type)
  const resumed = flowId !== undefined && !events.includes("quoted")
  const showsDelegation = delegates || events.includes("authorizing")
  const at = swap === undefined ? before(events, resumed, delegates) : after(swap)
  const ids: ReadonlyArray<StepId> = [
    "quote",
    ...(showsDelegation ? (["delegation"] as const) : []),
    "sign",
    "submit",
    "origin",
    "delivery",
    ...(at === "refund" ? (["refund"] as const) : [])
  ]
  const place = at === "end" ? ids.length : ids.indexOf(at)
  const stateOf = (id: StepId, index: number): StepState => {
    if (at === "refund" && id === "delivery") return "failed"
    if (index !== place) return index < place ? "done" : "waiting"
    if (swap?.status === "failed") return "failed"
    if (swap?.status === "refunded") return "done"
    if (phase === "running") return "running"
    // What was submitted continues, only nobody looks.
    return phase === "failed" && resumable === undefined ? "failed" : "waiting"
  }
  return ids.map((id, index) => ({ id, state: stateOf(id, index), hash: hashOf(id, swap) }))
}

/** When it began and when it ended, in Unix milliseconds. */
export const spanOf = ({ events, phase }: Told): readonly [began: number | undefined, ended: number | undefined] => [
  events[0]?.at,
  phase === "running" ? undefined : events.at(-1)?.at
]
