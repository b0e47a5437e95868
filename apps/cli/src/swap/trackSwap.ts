/**
 * Tracks a running swap: shows and records its progress, and reports its state after an interruption.
 */
import { type Store, type SwapEvent, SwapProgress } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Exit from "../output/Exit.js"
import { Output, sanitize } from "../output/Output.js"
import { quoteArgument } from "../output/shellQuote.js"
import { LocalStore } from "./stateFiles.js"
import type { Progress } from "./progress.js"
import type { Recorder } from "./record.js"

/** What is known of a running swap, which determines the state in which an interruption leaves it. */
export interface FlowState {
  readonly events: Array<SwapEvent.SwapEvent>
  /** The flow that is being resumed, or the swap that is being watched. */
  flowId: string | undefined
  swapId: string | undefined
}

/** The state of a swap that has not started. */
export const initialFlowState = (): FlowState => ({ events: [], flowId: undefined, swapId: undefined })

/** Returns a handler that shows and records each event. */
export const trackSwap =
  (view: Progress, flowState: FlowState, { follow }: Recorder) =>
  (event: SwapEvent.SwapEvent) =>
    Effect.suspend(() => {
      flowState.events.push(event)
      return Effect.andThen(follow(event), view.report(event))
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
