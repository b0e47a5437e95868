/** Shows the progress of a swap: redrawn on a terminal, as lines in a pipe, or as JSON events. */
import { Quote, type Swap, type SwapEvent, SwapProgress } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Directory from "../chains/Directory.js"
import * as Output from "../output/Output.js"
import { live } from "./live.js"

/** A view of a running swap. */
export interface Progress {
  readonly report: (event: SwapEvent.SwapEvent) => Effect.Effect<void>
  /** Stops drawing while an effect uses the terminal, for example to prompt the user. */
  readonly pause: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Draws the final frame. */
  readonly close: Effect.Effect<void>
}

/** What the live view shows. */
interface View extends SwapProgress.Options {
  readonly events: ReadonlyArray<SwapEvent.SwapEvent>
  /** The time of the latest quote, in Unix milliseconds. */
  readonly quotedAt?: number | undefined
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** Describes what is signed, and how much of it a wallet could display. */
const formatSignatures = ({ shows, signatures }: SwapEvent.PaymentPreview) => {
  const what = {
    terms: "typed data with all terms",
    amount: "typed data whose nonce hides the terms",
    hash: "the operation's hash"
  }
  return `${what[shows]}${signatures === 2 ? ", after a permit" : ""}`
}

const formatNote = ({ name, state, txHash = "" }: SwapProgress.Step, { events }: View) => {
  const last = <Type extends SwapEvent.SwapEvent["type"]>(type: Type) =>
    events.findLast((event): event is Extract<SwapEvent.SwapEvent, { readonly type: Type }> => event.type === type)
  if (state === "waiting") return ""
  switch (name) {
    case "quote": {
      const { count = 0 } = last("requoted") ?? {}
      return count === 0 ? "" : `requoted ${count === 1 ? "once" : `${count} times`}`
    }
    case "delegation":
      return last("authorizing")?.delegate ?? (last("built") === undefined ? "" : "not needed")
    case "build":
      return state === "done" ? (last("built")?.paymentMethod ?? "") : ""
    case "verify":
      return last("verified")?.checked === false && state === "skipped" ? "nothing to check" : ""
    case "sign": {
      const { payment } = last("verified") ?? {}
      return payment === undefined ? "" : formatSignatures(payment)
    }
    case "submit": {
      const again = last("resubmitted")
      return last("submitted")?.swap.swapId ?? (again ? `attempt ${again.attempt}, after ${again.after}` : "")
    }
    case "payment":
      return state === "failed" ? (SwapProgress.latest(events)?.failureCode ?? txHash) : txHash
    case "delivery":
    case "refund":
      return txHash
  }
}

/** Renders one frame of the live view. */
export const frame = (view: View, now: number, style: Output.Style, width: number) => {
  const marks = {
    waiting: style.dim("·"),
    running: style.cyan(spinner[Math.floor(now / 100) % spinner.length] ?? "·"),
    done: style.green("✓"),
    skipped: style.dim("–"),
    failed: style.red("✗"),
    unknown: style.yellow("?")
  }
  const { quotedAt } = view
  const steps = SwapProgress.steps(view.events, view)
  const isBuilt = steps.some(({ name, state }) => name === "verify" && state !== "waiting")
  const secondsLeft = quotedAt === undefined || isBuilt ? 0 : Math.ceil((quotedAt + Quote.lifetimeMillis - now) / 1000)
  return steps.map((step) => {
    const { name, state } = step
    const countdown = name === "quote" && secondsLeft > 0 ? `price valid for ${secondsLeft} s` : ""
    const details = [Output.sanitize(formatNote(step, view)), countdown].filter((part) => part !== "").join(", ")
    // A line that wraps cannot be redrawn. Hashes are printed in full at the end.
    const room = Math.max(8, width - 16)
    const cut = details.length > room ? `${details.slice(0, room - 1)}…` : details
    return `${marks[state]} ${state === "waiting" ? style.dim(name) : name.padEnd(11)} ${style.dim(cut)}`.trimEnd()
  })
}

const formatSwap = ({ deliveryTxHash, failureCode, originTxHash, refundTxHash, status }: Swap.Swap) =>
  [
    `status: ${status}`,
    originTxHash && `paid in ${originTxHash}`,
    deliveryTxHash && `${status === "refunded" ? "delivery reverted" : "delivered"} in ${deliveryTxHash}`,
    refundTxHash && `refunded in ${refundTxHash}`,
    failureCode && `reason ${failureCode}`
  ]
    .filter((part): part is string => typeof part === "string" && part !== "")
    .map((part) => Output.sanitize(part))
    .join(", ")

/** Formats an event as one line. */
export const formatEvent = (event: SwapEvent.SwapEvent, output: Directory.Token | undefined) => {
  const amount = (value: bigint) => (output === undefined ? `${value} units` : Directory.formatAmount(value, output))
  const price = (quote: SwapEvent.QuotePreview) =>
    `${amount(quote.output)}, at least ${amount(Quote.minOutputOf(quote))}`
  switch (event.type) {
    case "quoted":
      return `quoted: ${price(event.quote)}`
    case "requoted":
      return `requoted (${event.count}): ${price(event.quote)}`
    case "authorizing":
      return `delegation: signing for ${event.delegate} on chain ${event.chainId}`
    case "built":
      return event.deadline === undefined
        ? "built"
        : `built: expires at ${new Date(event.deadline * 1000).toISOString()}${event.paymentMethod === undefined ? "" : `, paid with ${event.paymentMethod}`}`
    case "verified":
      return `${event.checked ? "verified: matches the accepted quote" : "verified: nothing to check"}${event.payment === undefined ? "" : `; signs ${formatSignatures(event.payment)}`}`
    case "signed":
      return "signed"
    case "submitted":
      return `submitted: swap ${Output.sanitize(event.swap.swapId)}`
    case "resubmitted":
      return `resubmitting: attempt ${event.attempt}, after ${event.after}`
    case "status":
    case "done":
      return formatSwap(event.swap)
  }
}

const plain = ({ json, line, mode }: Output.Output, token: Directory.Token | undefined): Progress => ({
  report: (event) =>
    // The command itself prints the outcome.
    mode === "json-lines"
      ? json(event)
      : mode === "json" || event.type === "done"
        ? Effect.void
        : line(formatEvent(event, token)),
  pause: (effect) => effect,
  close: Effect.void
})

/** Creates a view that starts at the given step. `token` is the output token. */
export const make = (
  first: SwapProgress.Name,
  token: Directory.Token | undefined
): Effect.Effect<Progress, never, Output.Output | Scope.Scope> =>
  Effect.gen(function* () {
    const output = yield* Output.Output
    if (output.mode !== "terminal") return plain(output, token)
    let view: View = { first, events: [] }
    const text = yield* live((now) => frame(view, now, output.style, output.width).join("\n"), 100)
    const close = Effect.suspend(() => {
      view = { ...view, stopped: "unknown", quotedAt: undefined }
      return text.stop
    })
    yield* Effect.addFinalizer(() => close)
    return {
      report: (event) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const quotedAt = event.type === "quoted" || event.type === "requoted" ? now : view.quotedAt
          view = { ...view, events: [...view.events, event], quotedAt }
          return text.draw
        }),
      pause: text.pause,
      close
    }
  })
