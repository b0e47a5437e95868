/**
 * Tracks a running swap: shows its progress, records it in the history, and reports its state after an interruption.
 */
import type { SwapEvent } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import * as Exit from "../output/Exit.js"
import { Output, sanitize } from "../output/Output.js"
import { quoteArgument } from "../output/shellQuote.js"
import { FileJournal } from "./stateFiles.js"
import * as History from "./History.js"
import type { Progress } from "./progress.js"

/** How far a swap has progressed, which determines the state in which an interruption leaves the swap. */
export interface FlowState {
  /** Whether a delegation has been signed or is about to be signed. */
  authorizing: boolean
  signed: boolean
  flowId: string | undefined
  swapId: string | undefined
}

/** The state of a swap that has not started. */
export const initialFlowState = (): FlowState => ({
  authorizing: false,
  signed: false,
  flowId: undefined,
  swapId: undefined
})

/** Records a swap in the history. If the history cannot be written, the swap continues. */
export const recordSwap = (entry: History.Entry) =>
  Effect.catch(History.write(entry), ({ message }) =>
    Effect.flatMap(Output, (output) => output.notice(`${message} The swap continues.`))
  )

/** Returns a handler that shows each event, and records the swap once the service has accepted it. */
export const trackSwap =
  (view: Progress, flowState: FlowState, originOf: (flowId: string) => History.Origin | undefined) =>
  (event: SwapEvent.SwapEvent): Effect.Effect<void, never, Directory | Output | Settings> =>
    Effect.gen(function* () {
      if (event.type === "signed") flowState.signed = true
      if (event.type === "submitted") {
        flowState.flowId = event.flowId
        flowState.swapId = event.swap.swapId
      }
      if ((event.type === "submitted" || event.type === "done") && flowState.flowId !== undefined) {
        const origin = originOf(flowState.flowId)
        yield* recordSwap(yield* History.entryOf(event.swap, origin))
      }
      yield* view.report(event)
    })

/** The state in which an interruption leaves a swap. */
interface Interruption {
  readonly state: "nothing signed" | "signed, not submitted" | "signed, perhaps submitted" | "accepted"
  readonly message: string
  readonly next: string
  readonly flowId?: string | undefined
  readonly swapId?: string | undefined
}

/** States what was signed before the user cancelled. */
export const signedMessage = ({ authorizing, signed }: Pick<FlowState, "authorizing" | "signed">): string => {
  if (signed) {
    return "The service rejected an earlier signature for this swap. The rejected operation could still be executed until its deadline."
  }
  return authorizing
    ? "No swap was signed. The wallet may have signed its delegation to the pinned contract."
    : "Nothing was signed."
}

const interruptionOf = ({ authorizing, flowId, signed, swapId }: FlowState): Interruption => {
  if (swapId !== undefined) {
    return {
      state: "accepted",
      message: `The service accepted swap ${sanitize(swapId)} and will complete it on its own.`,
      next: `geoswap status --watch ${quoteArgument(swapId)}`,
      swapId,
      flowId
    }
  }
  if (flowId !== undefined) {
    return {
      state: "signed, perhaps submitted",
      message: "The swap was signed and may have reached the service. Do not start the swap again.",
      next: `geoswap resume ${quoteArgument(flowId)}`,
      flowId
    }
  }
  return signed
    ? {
        state: "signed, not submitted",
        message: "The swap was signed but never submitted. Nothing will be executed.",
        next: "Run the command again when you are ready."
      }
    : {
        state: "nothing signed",
        message: signedMessage({ authorizing, signed }),
        next: "Run the command again when you are ready."
      }
}

/** Reports the state in which an interruption left a swap. */
export const reportInterrupted = (flowState: FlowState): Effect.Effect<void, never, FileJournal | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const journal = yield* FileJournal
    // If the first request was never sent, core may still be removing the flow from the journal.
    yield* Effect.sleep(50)
    const [own] = yield* journal.own
    const { flowId, message, next, state, swapId } = interruptionOf({
      ...flowState,
      flowId: flowState.flowId ?? own?.id,
      swapId: flowState.swapId ?? own?.swapId
    })
    if (output.mode === "json" || output.mode === "json-lines") {
      return yield* output.json({
        error: { name: "Interrupted", message, next: output.repeatFlags(next), state, flowId, swapId }
      })
    }
    yield* output.notice(`\nInterrupted. ${message}\n  Next: ${next}`)
  })

/** Ends the program with an exit code, unless the code is 0. */
export const exitUnlessOk = (code: Exit.Code) => (code === Exit.codes.ok ? Effect.void : Exit.end(code))
