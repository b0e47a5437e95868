/** The progress of a component's current or last swap. */
import {
  type Client,
  type ExecuteInput,
  type Flow,
  type FlowId,
  isSwapError,
  type PaymentMethod,
  type PaymentPreview,
  signedSoFar,
  type Swap,
  type SwapEvent,
  swapOutcome
} from "@geoswap/core/promise"
import { isFlowOf, type RunningSwap, runningSwap, runSwap, type SwapVariables } from "../query/swap.js"
import { callListener } from "./callListener.js"
import { withSwapLock } from "./webLocks.js"

/** The progress of a swap. */
export interface SwapProgress {
  /** The swap request. For a resumed flow, the request comes from the store. */
  readonly request: ExecuteInput | undefined
  /** The events so far. `at` is the value of `Date.now()` when the event was received. */
  readonly events: ReadonlyArray<{ readonly event: SwapEvent; readonly at: number }>
  /** The id of the flow in the store, once the flow has been signed or resumed. */
  readonly flowId: FlowId | undefined
  /**
   * The id of the flow to resume with `mutate({ flowId })`. Set if the swap failed or was cancelled, although the service
   * accepted it or may have accepted it, and if only the service says that the swap failed or was refunded. Offer to
   * resume the flow. Do not offer to start over, because that could lead to a second swap.
   */
  readonly resumable: FlowId | undefined
  /** EVM only: how the wallet pays, once the operation or payment has been built. For a resumed flow, how it paid. */
  readonly paymentMethod: PaymentMethod | undefined
  /**
   * EVM only: what the wallet is asked to sign, and how much of it the wallet can display. Set right before the wallet
   * is asked. If the wallet cannot display the terms (`payment.shows` is not `"terms"`), show `payment.terms` yourself.
   */
  readonly payment: PaymentPreview | undefined
  /** The latest known status. */
  readonly swap: Swap | undefined
  /** Whether the mutation failed because the swap was cancelled. `error` is then the signal's abort reason. */
  readonly isCancelled: boolean
}

/** The progress of a swap, and its end. */
interface State extends SwapProgress {
  /** What the client returned. */
  readonly end: Swap | undefined
}

const idle: State = {
  request: undefined,
  events: [],
  flowId: undefined,
  resumable: undefined,
  paymentMethod: undefined,
  payment: undefined,
  swap: undefined,
  isCancelled: false,
  end: undefined
}

/** Whether a signature may have been sent. Even a signature that the service refused may still be used. */
export const isSent = ({ events }: SwapProgress): boolean =>
  signedSoFar(events.map(({ event }) => event)).swap !== "none"

const withEvent = (progress: State, event: SwapEvent): State => ({
  ...progress,
  events: [...progress.events, { event, at: Date.now() }],
  ...("flowId" in event && { flowId: event.flowId }),
  // A payment that is built again is verified again.
  ...(event.type === "built" && { paymentMethod: event.paymentMethod, payment: undefined }),
  ...(event.type === "verified" && { payment: event.payment }),
  ...("swap" in event && { swap: event.swap })
})

/** Returns how the wallet paid for a flow in the store, if it is known. */
const methodOf = ({ operation, payment, signed = [] }: Flow): PaymentMethod | undefined => {
  const last = payment ?? signed.at(-1)?.payment
  return last?.method ?? ((operation ?? signed.at(-1)?.operation) === undefined ? undefined : "delegation")
}

const readFlows = (client: Client) => client.pending({ signal: AbortSignal.timeout(1_000) }).catch(() => undefined)

/** Finds a swap's flow in the store. Returns `fallback` if the store does not respond in time. */
const findFlow = async (client: Client, swap: RunningSwap, fallback: FlowId | undefined) => {
  const flows = await readFlows(client)
  return flows === undefined ? fallback : flows.findLast((flow) => flow.id === fallback || isFlowOf(swap, flow))?.id
}

/** Returns the progress of a swap whose call to the client threw an error other than the abort reason. */
const afterFailure = (progress: State, thrown: unknown): State => {
  const flowId = (isSwapError(thrown) && "flowId" in thrown && thrown.flowId) || progress.flowId
  // If the store could not be written right after signing, nothing was submitted.
  const mayBeAccepted =
    !isSwapError(thrown) ||
    thrown.retry === "resume" ||
    (thrown._tag === "StoreError" && progress.events.at(-1)?.event.type !== "signed")
  return { ...progress, flowId, resumable: mayBeAccepted ? flowId : undefined }
}

/** Returns the progress of a swap that was cancelled. */
const afterCancel = async (progress: State, client: Client, swap: RunningSwap): Promise<State> => {
  const { flowId } = progress
  const cancelled = { ...progress, isCancelled: true }
  if (flowId === undefined && !isSent(progress)) return cancelled
  if (flowId !== undefined && progress.swap !== undefined) return { ...cancelled, resumable: flowId }
  // The swap was cancelled while it was being submitted. Wait one task, so that the client can remove a flow that was
  // never sent.
  await new Promise((resolve) => setTimeout(resolve, 0))
  const remaining = await findFlow(client, swap, flowId)
  return { ...cancelled, flowId: remaining, resumable: remaining }
}

/** Creates the store for the progress of one component's swaps, which run one at a time. */
export const createProgressStore = () => {
  const listeners = new Set<() => void>()
  let progress = idle
  let stop = new AbortController()

  const publish = (next: State) => {
    progress = next
    for (const notify of listeners) callListener(notify)
  }

  return {
    get: () => progress,
    subscribe: (notify: () => void) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    /** Clears the progress. */
    reset: () => publish(idle),
    /** Clears the progress of the last swap, before the next one starts. */
    start: (variables: SwapVariables) => {
      stop = new AbortController()
      publish({ ...idle, request: variables.request, flowId: variables.flowId })
    },
    /** Makes the started swap, or resumes it. */
    run: async (client: Client, variables: SwapVariables): Promise<Swap> => {
      const signal = AbortSignal.any([stop.signal, ...(variables.signal ? [variables.signal] : [])])
      const running = runningSwap(variables, Date.now())
      try {
        if (variables.flowId !== undefined) {
          const flow = (await readFlows(client))?.find(({ id }) => id === variables.flowId)
          if (flow) publish({ ...progress, request: flow.request, paymentMethod: methodOf(flow) })
        }
        const key = variables.flowId === undefined ? variables.idempotencyKey : undefined
        const onProgress = (event: SwapEvent) => {
          publish(withEvent(progress, event))
          return variables.onProgress?.(event)
        }
        const swap = await withSwapLock(key, () => runSwap(client, { ...variables, signal, onProgress }))
        const isOpen = swapOutcome(swap).next === "resume"
        const resumable = isOpen ? await findFlow(client, running, progress.flowId) : undefined
        publish({ ...progress, swap, resumable, end: swap })
        return swap
      } catch (thrown) {
        const isCancelled = signal.aborted && thrown === signal.reason
        publish(isCancelled ? await afterCancel(progress, client, running) : afterFailure(progress, thrown))
        throw thrown instanceof Error ? thrown : new Error(String(thrown))
      }
    },
    /** Aborts the swap. */
    cancel: () => stop.abort(new DOMException("The swap was cancelled.", "AbortError"))
  }
}
