/** A swap as a component shows it. */
import type { ExecuteInput, Swap, SwapError, SwapEvent } from "@geoswap/core/promise"

/** A swap as a component shows it. */
export interface SwapState {
  readonly phase: "idle" | "running" | "done" | "failed" | "cancelled"
  /** What was asked for; of a resumed flow, what the journal knows of it. */
  readonly request: ExecuteInput | undefined
  /** What happened so far; `at` is `Date.now()`. */
  readonly events: ReadonlyArray<{ readonly event: SwapEvent; readonly at: number }>
  /** The flow in the journal, once it is signed or resumed. */
  readonly flowId: string | undefined
  /**
   * The flow to pass to `resume` after a swap that failed or was cancelled: it was or may have been accepted. FormChoices to
   * resume it, and not to start over: that could be a second swap.
   */
  readonly resumable: string | undefined
  /** The newest that is known. */
  readonly swap: Swap | undefined
  /** Why it failed: one of the client's errors, or what else was thrown. */
  readonly error: SwapError | Error | undefined
  /**
   * Whether it runs and nothing was signed and sent yet: cancelling context that nothing happens. Later, cancelling only
   * stops watching: the swap goes on, and can be resumed by its `flowId`.
   */
  readonly canCancel: boolean
}

/** Before anything began. */
export const idle: SwapState = {
  phase: "idle",
  request: undefined,
  events: [],
  flowId: undefined,
  resumable: undefined,
  swap: undefined,
  error: undefined,
  canCancel: false
}

const sent: ReadonlyArray<SwapEvent["type"]> = ["signed", "submitted", "resubmitted", "status", "done"]

/** Whether a signature may have left. A service that refused it, or says so, may still execute it. */
export const isSent = ({ events }: SwapState): boolean => events.some(({ event }) => sent.includes(event.type))

/** The state after one more step. */
export const withEvent = (state: SwapState, event: SwapEvent): SwapState => {
  const next: SwapState = {
    ...state,
    events: [...state.events, { event, at: Date.now() }],
    ...("flowId" in event && { flowId: event.flowId }),
    ...("swap" in event && { swap: event.swap })
  }
  return { ...next, canCancel: !isSent(next) }
}
