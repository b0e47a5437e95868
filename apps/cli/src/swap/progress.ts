/** A swap on its way: redrawn on a terminal, in lines elsewhere, as events for programs. */
import { Quote, type Swap, type SwapEvent } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Directory from "../chains/Directory.js"
import * as Output from "../output/Output.js"
import * as Steps from "./steps.js"

/** Shows a swap on its way. */
export interface Progress {
  readonly tell: (event: SwapEvent.SwapEvent) => Effect.Effect<void>
  /** Keeps still while something else has the terminal, such as a question. */
  readonly pause: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Shows how it stands for a last time. */
  readonly close: Effect.Effect<void>
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** A frame of the live view. */
export const frame = (steps: Steps.Steps, now: number, style: Output.Style, width: number): ReadonlyArray<string> => {
  const marks: Readonly<Record<Steps.State, string>> = {
    waiting: style.dim("·"),
    running: style.cyan(spinner[Math.floor(now / 100) % spinner.length] ?? "·"),
    done: style.green("✓"),
    skipped: style.dim("–"),
    failed: style.red("✗"),
    left: style.yellow("?")
  }
  return Steps.names.map((name) => {
    const { note, state } = steps.steps[name]
    const left = Math.ceil(((steps.quoteUntil ?? now) - now) / 1000)
    const countdown = name === "quote" && state === "done" && left > 0 ? `the price holds ${left} s` : ""
    const words = [note, countdown].filter((part) => part !== "").join(", ")
    // A line that wraps could not be drawn over; hashes are printed in full at the end.
    const room = Math.max(8, width - 16)
    const cut = words.length > room ? `${words.slice(0, room - 1)}…` : words
    return `${marks[state]} ${state === "waiting" ? style.dim(name) : name.padEnd(11)} ${style.dim(cut)}`.trimEnd()
  })
}

const statusLine = ({ deliveryTxHash, failureCode, originTxHash, refundTxHash, status }: Swap.Swap): string =>
  [
    `status: ${status}`,
    originTxHash && `origin ${originTxHash}`,
    deliveryTxHash && `delivery ${deliveryTxHash}`,
    refundTxHash && `refund ${refundTxHash}`,
    failureCode && `reason ${failureCode}`
  ]
    .filter((part): part is string => typeof part === "string" && part !== "")
    .map((part) => Output.foreign(part))
    .join(", ")

/** An event as a line. */
export const lineOf = (event: SwapEvent.SwapEvent, output: Directory.Token | undefined): string => {
  const amount = (value: bigint) => (output === undefined ? `${value} units` : Directory.formatAmount(value, output))
  const price = (quote: SwapEvent.QuotePreview) => `${amount(quote.output)}, at least ${amount(Quote.minimumOf(quote))}`
  switch (event.type) {
    case "quoted":
      return `quoted: ${price(event.quote)}`
    case "requoted":
      return `quoted again (${event.count}): ${price(event.quote)}`
    case "authorizing":
      return `delegation: signing for ${event.delegate} on chain ${event.chainId}`
    case "built":
      return event.deadline === undefined
        ? "built"
        : `built: void after ${new Date(event.deadline * 1000).toISOString()}`
    case "verified":
      return event.checked ? "verified: it is what was agreed" : "verified: there was nothing to check"
    case "signed":
      return "signed"
    case "submitted":
      return `submitted: swap ${Output.foreign(event.swap.swapId)}`
    case "resubmitted":
      return `submitting again, attempt ${event.attempt}, after ${event.after}`
    case "status":
    case "done":
      return statusLine(event.swap)
  }
}

const plain = ({ json, line, mode }: Output.Shape, token: Directory.Token | undefined): Progress => ({
  tell: (event) =>
    // The end is told by whoever runs the swap.
    mode === "json-lines"
      ? json(event)
      : mode === "json" || event.type === "done"
        ? Effect.void
        : line(lineOf(event, token)),
  pause: (effect) => effect,
  close: Effect.void
})

/** Shows a swap that begins with a step; `token` is what is received. */
export const make = (
  first: Steps.Name,
  token: Directory.Token | undefined
): Effect.Effect<Progress, never, Output.Output | Scope.Scope> =>
  Effect.gen(function* () {
    const output = yield* Output.Output
    if (output.mode !== "terminal") return plain(output, token)
    let steps = Steps.begin(first)
    let drawn = 0
    let still = false
    let closed = false
    const erase = () => (drawn === 0 ? "" : `\u001B[${drawn}A\u001B[J`)
    const clear = Effect.suspend(() => {
      const text = erase()
      drawn = 0
      return output.write(text)
    })
    const draw = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (still || closed) return Effect.void
      const lines = frame(steps, now, output.style, output.width)
      const text = `${erase()}${lines.join("\n")}\n`
      drawn = lines.length
      return output.write(text)
    })
    const close = Effect.suspend(() => {
      if (closed) return Effect.void
      steps = Steps.leave(steps)
      // What was erased for a question stays away.
      return Effect.map(drawn === 0 ? Effect.void : draw, () => {
        closed = true
      })
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(draw, Effect.sleep(100))))
    yield* Effect.addFinalizer(() => close)
    return {
      tell: (event) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          steps = Steps.after(steps, event, now)
          return draw
        }),
      pause: (effect) =>
        Effect.andThen(
          Effect.suspend(() => {
            still = true
            return clear
          }),
          Effect.ensuring(
            effect,
            Effect.sync(() => {
              still = false
            })
          )
        ),
      close
    }
  })
