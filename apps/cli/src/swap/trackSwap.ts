/**
 * Tracks a running swap: shows its progress, records it in the history, and reports its state after an interruption.
 */
import { type Store, type SwapEvent, SwapProgress } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Directory } from "../chains/Directory.js"
import type { Settings } from "../config/Settings.js"
import * as Exit from "../output/Exit.js"
import { Output, sanitize } from "../output/Output.js"
import { quoteArgument } from "../output/shellQuote.js"
import { LocalStore } from "./stateFiles.js"
import * as History from "./History.js"
import type { Progress } from "./progress.js"

/** What is known of a running swap, which determines the state in which an interruption leaves it. */
export interface FlowState {
  readonly events: Array<SwapEvent.SwapEvent>
  /** The flow that is being resumed, or the swap that is being watched. */
  flowId: string | undefined
  swapId: string | undefined
}

/** The state of a swap that has not started. */
export const initialFlowState = (): FlowState => ({ events: [], flowId: undefined, swapId: undefined })

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
      flowState.events.push(event)
      const { flowId = flowState.flowId } = SwapProgress.signedSoFar(flowState.events)
      if ((event.type === "submitted" || event.type === "done") && flowId !== undefined) {
        yield* recordSwap(yield* History.entryOf(event.swap, originOf(flowId)))
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
export const signedMessage = (signed: SwapProgress.Signed): string => {
  if (signed.swap !== "none") {
    return "The service rejected an earlier signature for this swap. The rejected operation could still be executed until its deadline."
  }
  return signed.delegation === "none"
    ? "Nothing was signed."
    : "No swap was signed. The wallet may have signed its delegation to the pinned contract."
}

/** Returns the state in which an interruption leaves a swap. `flow` is the flow that remains in the store. */
const interruptionOf = (
  { events, ...known }: FlowState,
  flow: Pick<Store.Flow, "id" | "swapId"> | undefined
): Interruption => {
  const signed = SwapProgress.signedSoFar(events)
  const swapId = signed.swapId ?? known.swapId ?? flow?.swapId
  if (swapId !== undefined) {
    return {
      state: "accepted",
      message: `The service accepted swap ${sanitize(swapId)} and will complete it on its own.`,
      next: `geoswap status --watch ${quoteArgument(swapId)}`,
      swapId,
      flowId: signed.flowId ?? known.flowId ?? flow?.id
    }
  }
  // A signature that was not sent is removed from the store.
  const flowId = known.flowId ?? flow?.id
  if (flowId !== undefined) {
    return {
      state: "signed, perhaps submitted",
      message: "The swap was signed and may have reached the service. Do not start the swap again.",
      next: `geoswap resume ${quoteArgument(flowId)}`,
      flowId
    }
  }
  const next = "Run the command again when you are ready."
  return signed.swap === "none"
    ? { state: "nothing signed", message: signedMessage(signed), next }
    : {
        state: "signed, not submitted",
        message: "The swap was signed but never submitted. Nothing will be executed.",
        next
      }
}

/** Reports the state in which an interruption left a swap. */
export const reportInterrupted = (flowState: FlowState): Effect.Effect<void, never, LocalStore | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    const local = yield* LocalStore
    // If the first request was never sent, core may still be removing the flow from the store.
    yield* Effect.sleep(50)
    const [own] = yield* local.own
    const { flowId, message, next, state, swapId } = interruptionOf(flowState, own)
    if (output.mode === "json" || output.mode === "json-lines") {
      return yield* output.json({
        error: { name: "Interrupted", message, next: output.repeatFlags(next), state, flowId, swapId }
      })
    }
    yield* output.notice(`\nInterrupted. ${message}\n  Next: ${next}`)
  })

/** Ends the program with an exit code, unless the code is 0. */
export const exitUnlessOk = (code: Exit.Code) => (code === Exit.codes.ok ? Effect.void : Exit.end(code))
