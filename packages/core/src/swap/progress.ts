/** The steps of a swap and what has been signed for it, from its events. */
import type { FlowId, SwapId } from "../Id.js"
import type { Swap } from "../Swap.js"
import type { SwapEvent } from "../SwapEvent.js"

/** The names of the steps, in order. There is a `refund` step only once the input is being returned. */
export const names = [
  "quote",
  "delegation",
  "build",
  "verify",
  "sign",
  "submit",
  "payment",
  "delivery",
  "refund"
] as const

/** The name of a step. */
export type Name = (typeof names)[number]

/**
 * The state of a step. `skipped`: the step was not needed, or an earlier call made it. `unknown`: the step was running
 * when the client stopped watching the swap.
 */
export type State = "waiting" | "running" | "done" | "skipped" | "failed" | "unknown"

/** One step of a swap. */
export interface Step {
  readonly name: Name
  /** What the service reports for the steps after `submit`, unless the swap has a `proof`. */
  readonly state: State
  /** The hash of the step's transaction, once the service reports it. */
  readonly txHash?: string | undefined
}

/** What the events of a swap do not show. */
export interface Options {
  /**
   * The step that a call without events is at (default: `quote`). A resumed flow starts at `submit`, and a swap that is
   * only watched at `payment`.
   */
  readonly first?: Name | undefined
  /** Whether the wallet is known to need a delegation (default: false). */
  readonly delegates?: boolean | undefined
  /**
   * The state of the current step if nothing is running anymore: `failed` after an error that ended the swap, `unknown`
   * if the swap may continue.
   */
  readonly stopped?: "failed" | "unknown" | undefined
}

/** The step that follows each event. */
const following = {
  quoted: "build",
  requoted: "build",
  authorizing: "delegation",
  built: "verify",
  verified: "sign",
  signed: "submit",
  resubmitted: "submit"
} as const satisfies Partial<Record<SwapEvent["type"], Name>>

const afterSubmit = ({ originTxHash, refundTxHash, status }: Swap): Readonly<Partial<Record<Name, State>>> => {
  switch (status) {
    case "settled":
      return { payment: "done", delivery: "done" }
    case "failed":
      return { payment: "failed", delivery: "waiting" }
    case "refunded":
      return { payment: "done", delivery: "failed", refund: "done" }
    case "pending":
      if (refundTxHash !== undefined) return { payment: "done", delivery: "failed", refund: "running" }
      return originTxHash === undefined
        ? { payment: "running", delivery: "waiting" }
        : { payment: "done", delivery: "running" }
  }
}

/** Returns the latest status of a swap, once the service has accepted it. */
export const latest = (events: ReadonlyArray<SwapEvent>): Swap | undefined => {
  const last = events.findLast((event) => "swap" in event)
  return last && "swap" in last ? last.swap : undefined
}

/**
 * Returns the steps of a swap, in order.
 *
 * @example
 * ```ts
 * const events = []
 * for await (const event of client.executeStream(request)) {
 *   events.push(event)
 *   render(swapSteps(events))
 * }
 * ```
 */
export const steps = (
  events: ReadonlyArray<SwapEvent>,
  { delegates = false, first = "quote", stopped }: Options = {}
): ReadonlyArray<Step> => {
  const swap = latest(events)
  const has = (...types: ReadonlyArray<SwapEvent["type"]>) => events.some(({ type }) => types.includes(type))
  const last = events.at(-1)?.type
  const current = (): Name => {
    if (last === undefined || !(last in following)) return first
    const next = following[last as keyof typeof following]
    return next === "build" && delegates && !has("authorizing") ? "delegation" : next
  }
  // An earlier step is done if this call has seen its end.
  const isDone: Readonly<Partial<Record<Name, boolean | undefined>>> = {
    quote: has("quoted", "requoted"),
    delegation: has("authorizing"),
    build: has("built"),
    verify: events.findLast((event) => event.type === "verified")?.checked,
    sign: has("signed"),
    submit: has("submitted")
  }
  const at = names.indexOf(swap === undefined ? current() : "payment")
  const reported = swap && afterSubmit(swap)
  const stateOf = (name: Name, index: number): State => {
    if (reported?.[name] !== undefined) return reported[name]
    if (index === at) return "running"
    if (index > at) return "waiting"
    if (isDone[name] === true) return "done"
    // Only the response to the build request shows that no delegation is needed.
    return name === "delegation" && names[at] === "build" && !has("built") ? "waiting" : "skipped"
  }
  const hashes: Readonly<Partial<Record<Name, string | undefined>>> = {
    payment: swap?.originTxHash,
    delivery: swap?.deliveryTxHash,
    refund: swap?.refundTxHash
  }
  return names
    .filter((name) => name !== "refund" || reported?.refund !== undefined)
    .map((name, index) => {
      const state = stateOf(name, index)
      return { name, state: state === "running" ? (stopped ?? state) : state, txHash: hashes[name] }
    })
}

/** What a call has signed so far. A signature cannot be taken back. */
export interface Signed {
  /** Whether the wallet has signed its delegation. `asked`: it has been asked, and may have signed. */
  readonly delegation: "none" | "asked" | "signed"
  /** Whether the wallet has been asked for a permit and a payment. It may have signed the permit, which was not sent. */
  readonly permit: boolean
  /** Whether the swap was signed. `signed`: the service may have the signature. `accepted`: it has accepted the swap. */
  readonly swap: "none" | "signed" | "accepted"
  readonly flowId: FlowId | undefined
  readonly swapId: SwapId | undefined
}

/** Returns what has been signed so far: what remains if the call stops now. */
export const signedSoFar = (events: ReadonlyArray<SwapEvent>): Signed => {
  const last = events.at(-1)
  const prompts = events.filter(({ type }) => type === "authorizing").length
  const swap = latest(events)
  const flow = events.findLast((event) => "flowId" in event)
  const sent = events.some(({ type }) => type === "signed" || type === "resubmitted")
  return {
    delegation: prompts === 0 ? "none" : prompts === 1 && last?.type === "authorizing" ? "asked" : "signed",
    permit: last?.type === "verified" && last.payment?.signatures === 2,
    swap: swap !== undefined ? "accepted" : sent ? "signed" : "none",
    flowId: flow && "flowId" in flow ? flow.flowId : undefined,
    swapId: swap?.swapId
  }
}

/** How many of the latest swaps an estimate is based on. */
const sampleSize = 9

/**
 * Estimates how long a swap takes, from the durations of earlier swaps between the same chains, newest first: the median
 * of the latest ones. Returns `undefined` if there are none.
 */
export const typicalDuration = (durations: ReadonlyArray<number>): number | undefined => {
  const sample = durations.slice(0, sampleSize).toSorted((one, other) => one - other)
  return sample[Math.floor(sample.length / 2)]
}
