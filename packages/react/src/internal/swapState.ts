/** The state of a swap in a component. */
import type {
  ExecuteInput,
  Flow,
  FlowId,
  PaymentMethod,
  PaymentPreview,
  Swap,
  SwapError,
  SwapEvent
} from "@geoswap/core/promise"

/** The state of a swap. */
export interface SwapState {
  readonly phase: "idle" | "running" | "done" | "failed" | "cancelled"
  /** The swap request. For a resumed flow, the request comes from the journal. */
  readonly request: ExecuteInput | undefined
  /** The events so far. `at` is the value of `Date.now()` when the event was received. */
  readonly events: ReadonlyArray<{ readonly event: SwapEvent; readonly at: number }>
  /** The id of the flow in the journal, once the flow has been signed or resumed. */
  readonly flowId: FlowId | undefined
  /**
   * The id of the flow to pass to `resume`. Set if the swap failed or was cancelled, although the service accepted it
   * or may have accepted it, and if only the service says that the swap failed or was refunded. Offer to resume the flow.
   * Do not offer to start over, because that could lead to a second swap.
   */
  readonly resumable: string | undefined
  /** EVM only: how the wallet pays, once the operation or payment has been built. For a resumed flow, how it paid. */
  readonly paymentMethod: PaymentMethod | undefined
  /**
   * EVM only: what the wallet is asked to sign, and how much of it the wallet can display. Set right before the wallet
   * is asked. If the wallet cannot display the terms (`payment.shows` is not `"terms"`), show `payment.terms` yourself.
   */
  readonly payment: PaymentPreview | undefined
  /** The latest known status. */
  readonly swap: Swap | undefined
  /** Why the swap failed: one of the client's errors, or any other thrown error. */
  readonly error: SwapError | Error | undefined
  /**
   * Whether the swap is running and no signature has been sent yet. While this is `true`, cancelling stops the swap.
   * Once a signature has been sent, cancelling only stops watching the swap, which continues and can be resumed by its
   * `flowId`.
   */
  readonly canCancel: boolean
}

/** The initial state. */
export const idle: SwapState = {
  phase: "idle",
  request: undefined,
  events: [],
  flowId: undefined,
  resumable: undefined,
  paymentMethod: undefined,
  payment: undefined,
  swap: undefined,
  error: undefined,
  canCancel: false
}

const sent: ReadonlyArray<SwapEvent["type"]> = ["signed", "submitted", "resubmitted", "status", "done"]

/** Whether a signature may have been sent. Even a signature that the service refused may still be used. */
export const isSent = ({ events }: SwapState): boolean => events.some(({ event }) => sent.includes(event.type))

/** Returns the state after an event. */
export const withEvent = (state: SwapState, event: SwapEvent): SwapState => {
  const next: SwapState = {
    ...state,
    events: [...state.events, { event, at: Date.now() }],
    ...("flowId" in event && { flowId: event.flowId }),
    // A payment that is built again is verified again.
    ...(event.type === "built" && { paymentMethod: event.paymentMethod, payment: undefined }),
    ...(event.type === "verified" && { payment: event.payment }),
    ...("swap" in event && { swap: event.swap })
  }
  return { ...next, canCancel: !isSent(next) }
}

/** Returns how the wallet paid for a flow in the journal, if it is known. */
export const methodOf = ({ operation, payment, signed = [] }: Flow): PaymentMethod | undefined => {
  const last = payment ?? signed.at(-1)?.payment
  return last?.method ?? ((operation ?? signed.at(-1)?.operation) === undefined ? undefined : "delegation")
}
