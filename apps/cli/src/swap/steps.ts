/** Derives the steps of a swap from its events. */
import { Quote, type Swap, type SwapEvent } from "@geoswap/core"
import { sanitize } from "../output/Output.js"

/** The names of a swap's steps, in order. */
export const names = ["quote", "delegation", "build", "verify", "sign", "submit", "payment", "delivery"] as const

/** The name of a step. */
export type Name = (typeof names)[number]

/** The state of a step. `unknown` means that the program stopped watching the swap. */
export type State = "waiting" | "running" | "done" | "skipped" | "failed" | "unknown"

/** One step of a swap. */
interface Step {
  readonly state: State
  readonly note: string
}

/** All steps and, while it is relevant, the time at which the quote expires. */
export interface Steps {
  readonly steps: Readonly<Record<Name, Step>>
  /** The time at which the quote expires, in Unix milliseconds. */
  readonly quoteUntil: number | undefined
}

const waiting: Step = { state: "waiting", note: "" }

const all = (state: (name: Name) => Step): Steps["steps"] => ({
  quote: state("quote"),
  delegation: state("delegation"),
  build: state("build"),
  verify: state("verify"),
  sign: state("sign"),
  submit: state("submit"),
  payment: state("payment"),
  delivery: state("delivery")
})

/**
 * The initial steps, before any event has occurred: the step `first` is running, and all steps before it are skipped.
 */
export const initial = (first: Name): Steps => ({
  steps: all((name) => {
    if (name === first) return { state: "running", note: "" }
    return names.indexOf(name) < names.indexOf(first) ? { state: "skipped", note: "" } : waiting
  }),
  quoteUntil: undefined
})

const set = (now: Steps, changes: Partial<Record<Name, Step>>, rest: Partial<Steps> = {}): Steps => ({
  ...now,
  ...rest,
  steps: { ...now.steps, ...changes }
})

const done = (note = ""): Step => ({ state: "done", note })
const running = (note = ""): Step => ({ state: "running", note })
const failed = (note = ""): Step => ({ state: "failed", note })

const finish = (step: Step): Step => (step.state === "running" ? { ...step, state: "done" } : step)

/** The steps of a swap that is no longer being watched. The state of the running step becomes `unknown`. */
export const abandon = (now: Steps): Steps => ({
  steps: all((name) => {
    const step = now.steps[name]
    return step.state === "running" ? { ...step, state: "unknown" } : step
  }),
  quoteUntil: undefined
})

/** The last two steps, derived from the swap's status. */
const stepsOfStatus = (swap: Swap.Swap): Partial<Record<Name, Step>> => {
  const [origin, delivery, refund] = [swap.originTxHash ?? "", swap.deliveryTxHash ?? "", swap.refundTxHash ?? ""].map(
    (hash) => sanitize(hash)
  )
  switch (swap.status) {
    case "settled":
      return { payment: done(origin), delivery: done(delivery) }
    case "failed":
      return { payment: failed(sanitize(swap.failureCode ?? origin ?? "")), delivery: waiting }
    case "refunded":
      return { payment: done(origin), delivery: failed(`refunded ${refund}`.trim()) }
    case "pending":
      return origin === ""
        ? { payment: running() }
        : { payment: done(origin), delivery: running(refund === "" ? delivery : `refund ${refund}`) }
  }
}

/** Describes what is signed, and how much of it a wallet could display. */
export const signsOf = ({ shows, signatures }: SwapEvent.PaymentPreview): string => {
  const what = {
    terms: "typed data with all terms",
    amount: "typed data whose nonce hides the terms",
    hash: "the operation's hash"
  }
  return `${what[shows]}${signatures === 2 ? ", after a permit" : ""}`
}

/** Returns the steps as they are after an event. */
export const applyEvent = (now: Steps, event: SwapEvent.SwapEvent, at: number): Steps => {
  switch (event.type) {
    case "quoted":
      return set(now, { quote: done(), build: running() }, { quoteUntil: at + Quote.lifetimeMillis })
    case "requoted":
      return set(
        now,
        {
          quote: done(`requoted ${event.count === 1 ? "once" : `${event.count} times`}`),
          build: running(),
          verify: waiting,
          sign: waiting,
          submit: waiting
        },
        { quoteUntil: at + Quote.lifetimeMillis }
      )
    case "authorizing":
      return set(now, { delegation: running(sanitize(event.delegate)), build: waiting })
    case "built": {
      const { delegation } = now.steps
      return set(
        now,
        {
          delegation: delegation.state === "waiting" ? { state: "skipped", note: "not needed" } : finish(delegation),
          build: done(event.paymentMethod ?? ""),
          verify: running()
        },
        { quoteUntil: undefined }
      )
    }
    case "verified":
      return set(now, {
        verify: event.checked ? done() : { state: "skipped", note: "nothing to check" },
        sign: running(event.payment === undefined ? "" : signsOf(event.payment))
      })
    case "signed":
      return set(now, { sign: done(now.steps.sign.note), submit: running() })
    case "resubmitted":
      return set(now, { submit: running(`attempt ${event.attempt}, after ${event.after}`) })
    case "submitted":
      return set(now, { submit: done(sanitize(event.swap.swapId)), ...stepsOfStatus(event.swap) })
    case "status":
    case "done":
      return set(now, stepsOfStatus(event.swap))
  }
}
