/** The client: single calls to the service, and complete swaps with built-in recovery. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { run } from "./programs/execute.js"
import type { ExecuteOptions, Services } from "./programs/execution.js"
import { resume as resumeFlow, type ResumeError } from "./programs/resume.js"
import { guardListener } from "./programs/guardListener.js"
import { pollStatus, type WaitError, type WaitOptions } from "./programs/pollStatus.js"
import type { ExecuteInput } from "./programs/prepareRequest.js"
import type { FlowId, SwapId } from "./Id.js"
import { type Flow, Store } from "./Store.js"
import { forgetFlow } from "./programs/flows.js"
import type { Swap } from "./Swap.js"
import type { StoreError, SwapError } from "./SwapError.js"
import type { SwapEvent } from "./SwapEvent.js"
import type { Transport } from "./Transport.js"

export { checkBudgets } from "./programs/budget.js"
export { blocks } from "./programs/openFlows.js"
export { build, chains, delegation, indicativeQuote, quote, status, submit } from "./programs/endpoints.js"
export { delegate, undelegate } from "./programs/changeDelegation.js"
export { clientOf as toPromise } from "./promise/clientOf.js"
export type { ExecuteInput, ExecuteOptions, Services, WaitOptions }

/** Options for `execute`. */
export interface RunOptions extends ExecuteOptions {
  /**
   * Called for every step, in order. The swap waits for this callback to finish. If the callback dies, the error is
   * logged and the swap continues.
   */
  readonly onProgress?: ((event: SwapEvent) => Effect.Effect<void>) | undefined
}

const silent = () => Effect.void

/**
 * Runs a complete swap: quote, build, verify, sign, submit and wait. Recovers from every recoverable error. A swap that
 * ends as `failed` or `refunded` is a result, not an error.
 *
 * @example
 * ```ts
 * const swap = yield* Client.execute({
 *   originChain: 8453,
 *   destinationChain: 42161,
 *   inputToken: usdc,
 *   outputToken: weth,
 *   amount: 10_000_000n
 * })
 * ```
 */
export const execute = (request: ExecuteInput, options: RunOptions = {}): Effect.Effect<Swap, SwapError, Services> =>
  run(request, options, guardListener(options.onProgress ?? silent))

/** Turns the values that a program emits into a stream. Closing the stream interrupts the program. */
const toStream = <A, E, R>(
  program: (emit: (value: A) => Effect.Effect<void>) => Effect.Effect<unknown, E, R>
): Stream.Stream<A, E, R> =>
  Stream.callback<A, E, R>((queue) =>
    Effect.andThen(
      program((value) => Effect.asVoid(Queue.offer(queue, value))),
      Queue.end(queue)
    )
  )

/**
 * Runs a complete swap like `execute` and streams its steps. The last step is `done`. Closing the stream stops the
 * program.
 */
export const executeStream = (
  request: ExecuteInput,
  options: ExecuteOptions = {}
): Stream.Stream<SwapEvent, SwapError, Services> => toStream((emit) => run(request, options, emit))

/** Waits until a swap has settled, failed or been refunded. */
export const wait = (swapId: SwapId, options: WaitOptions = {}): Effect.Effect<Swap, WaitError, Transport> =>
  pollStatus(swapId, silent, options)

/** Streams a swap's status changes. The last status is terminal. */
export const watch = (swapId: SwapId, options: WaitOptions = {}): Stream.Stream<Swap, WaitError, Transport> =>
  toStream((emit) => pollStatus(swapId, emit, options))

/** Lists the signed flows whose outcome is not yet known. */
export const pending: Effect.Effect<ReadonlyArray<Flow>, StoreError, Store> = Effect.flatMap(
  Store,
  ({ flows }) => flows
)

/**
 * Removes a flow from the store. The flow's swap is then no longer tracked, and no longer keeps the wallet from paying
 * again: as long as its outcome is not proved, its signature may still be executed. Only a person who knows how the swap
 * ended can decide this.
 */
export const forget = (flowId: FlowId): Effect.Effect<void, StoreError, Store> => forgetFlow(flowId)

/**
 * Resumes a flow after a crash or an `OutcomeUnknown` error: submits the same bytes again and never starts a second
 * swap.
 */
export const resume = (
  flowId: FlowId,
  options: WaitOptions & Pick<RunOptions, "onProgress"> = {}
): Effect.Effect<Swap, ResumeError, Transport | Store> =>
  resumeFlow(flowId, options, guardListener(options.onProgress ?? silent))
