/** Goes along with a swap: shows its steps, remembers it, and knows what an interruption would leave behind. */
import type { SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Directory } from "../chains/Directory.js"
import * as Exit from "../output/Exit.js"
import { FileJournal } from "./FileJournal.js"
import * as History from "./History.js"
import { foreign, Output } from "../output/Output.js"
import { forShell } from "../output/shellQuote.js"
import type { Settings } from "../config/Settings.js"
import type { Progress } from "./progress.js"

/** How far a swap has come, in what matters once it is interrupted. */
export interface Reached {
  /** A delegation was, or is about to be, signed. */
  authorizing: boolean
  signed: boolean
  flowId: string | undefined
  swapId: string | undefined
}

/** Nothing has happened yet. */
export const nothing = (): Reached => ({ authorizing: false, signed: false, flowId: undefined, swapId: undefined })

/** Remembers a swap; a history that cannot be written stops nothing. */
export const remember = (entry: History.Entry) =>
  Effect.catch(History.write(entry), ({ message }) =>
    Effect.flatMap(Output, (output) => output.remark(`${message} The swap goes on.`))
  )

/** Shows an event, and remembers the swap from its acceptance on. */
export const follow =
  (view: Progress, reached: Reached, originOf: (flowId: string) => History.Origin | undefined) =>
  (event: SwapEvent.SwapEvent): Effect.Effect<void, never, Directory | Output | Settings> =>
    Effect.gen(function* () {
      if (event.type === "signed") reached.signed = true
      if (event.type === "submitted") {
        reached.flowId = event.flowId
        reached.swapId = event.swap.swapId
      }
      if ((event.type === "submitted" || event.type === "done") && reached.flowId !== undefined) {
        const origin = originOf(reached.flowId)
        yield* remember(yield* History.entryOf(event.swap, origin))
      }
      yield* view.tell(event)
    })

/** What an interruption leaves behind. */
interface Left {
  readonly state: "nothing signed" | "signed, not submitted" | "signed, perhaps submitted" | "accepted"
  readonly message: string
  readonly next: string
  readonly flowId?: string | undefined
  readonly swapId?: string | undefined
}

/** What was signed before the user said no. */
export const signedWords = ({ authorizing, signed }: Pick<Reached, "authorizing" | "signed">): string => {
  if (signed) return "An earlier signature of this swap was refused, and may be executed until its deadline."
  return authorizing
    ? "No swap was signed. The delegation of the wallet may have been, to the pinned contract."
    : "Nothing was signed."
}

const leftOf = ({ authorizing, flowId, signed, swapId }: Reached): Left => {
  if (swapId !== undefined) {
    return {
      state: "accepted",
      message: `The swap ${foreign(swapId)} was accepted, and goes on without you.`,
      next: `geoswap status ${forShell(swapId)} --watch`,
      swapId,
      flowId
    }
  }
  if (flowId !== undefined) {
    return {
      state: "signed, perhaps submitted",
      message: "The swap is signed, and may have reached the service. Do not start it anew.",
      next: `geoswap resume ${forShell(flowId)}`,
      flowId
    }
  }
  return signed
    ? {
        state: "signed, not submitted",
        message: "The swap was signed and never submitted: nothing happens.",
        next: "Run it again when you want to."
      }
    : {
        state: "nothing signed",
        message: signedWords({ authorizing, signed }),
        next: "Run it again when you want to."
      }
}

/** Says what an interruption leaves behind. */
export const tellInterrupted = (reached: Reached): Effect.Effect<void, never, FileJournal | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const journal = yield* FileJournal
    // A flow whose first request did not leave is just being taken back.
    yield* Effect.sleep(50)
    const [own] = yield* journal.own
    const left = leftOf({ ...reached, flowId: reached.flowId ?? own?.id, swapId: reached.swapId ?? own?.swapId })
    if (output.mode === "json" || output.mode === "json-lines") {
      const { flowId, message, next, state, swapId } = left
      return yield* output.json({ error: { name: "Interrupted", message, next, state, flowId, swapId } })
    }
    yield* output.remark(`\nInterrupted. ${left.message}\n  Next: ${left.next}`)
  })

/** Ends the program as a swap ended, unless all is well. */
export const endAs = (code: Exit.Code) => (code === Exit.codes.ok ? Effect.void : Exit.end(code))
