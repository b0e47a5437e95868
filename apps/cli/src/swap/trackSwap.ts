/**
 * Tracks a running swap: shows and records its progress, and reports its state after an interruption.
 */
import { type SwapEvent, SwapProgress } from "@geoswap/core"
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

/** States what was signed before the user cancelled. */
export const signedMessage = (signed: SwapProgress.Signed) => {
  if (signed.swap !== "none") {
    return "The service rejected an earlier signature for this swap. The rejected operation could still be executed until its deadline."
  }
  return signed.delegation === "none"
    ? "Nothing was signed."
    : "No swap was signed. The wallet may have signed its delegation to the pinned contract."
}

/** Reports the state in which an interruption left a swap. */
export const reportInterrupted = ({ events, ...known }: FlowState) =>
  Effect.gen(function* () {
    const output = yield* Output
    const local = yield* LocalStore
    // If the first request was never sent, core may still be removing the flow from the store.
    yield* Effect.sleep(50)
    const signed = SwapProgress.signedSoFar(events)
    const own =
      signed.flowId === undefined ? undefined : yield* Effect.orElseSucceed(local.find(signed.flowId), () => undefined)
    const swapId = signed.swapId ?? known.swapId ?? own?.swapId
    // A signature that was not sent is removed from the store.
    const open = known.flowId ?? own?.id
    const again = "Run the command again when you are ready."
    const [state, message, next] =
      swapId !== undefined
        ? [
            "accepted",
            `The service accepted swap ${sanitize(swapId)} and will complete it on its own.`,
            `geoswap status --watch ${quoteArgument(swapId)}`
          ]
        : open !== undefined
          ? [
              "signed, perhaps submitted",
              "The swap was signed and may have reached the service. Do not start the swap again.",
              `geoswap resume ${quoteArgument(open)}`
            ]
          : signed.swap === "none"
            ? ["nothing signed", signedMessage(signed), again]
            : ["signed, not submitted", "The swap was signed but never submitted. Nothing will be executed.", again]
    if (!output.isJson) return yield* output.notice(`\nInterrupted. ${message}\n  Next: ${next}`)
    const flowId = swapId === undefined ? open : (signed.flowId ?? open)
    yield* output.json({
      error: { name: "Interrupted", message, next: output.repeatFlags(next ?? ""), state, flowId, swapId }
    })
  })

/** Ends the program with an exit code, unless the code is 0. */
export const exitUnlessOk = (code: Exit.Code) => (code === Exit.codes.ok ? Effect.void : Exit.end(code))
