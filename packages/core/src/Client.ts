/** The programs: single calls, and whole swaps with their recovery built in. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { DelegationPreview } from "./programs/authorize.js"
import { run } from "./programs/execute.js"
import type { ExecuteOptions } from "./programs/execution.js"
import { resume as resumeFlow, type ResumeError } from "./programs/resume.js"
import { guardListener } from "./programs/guardListener.js"
import { pollStatus, type WaitError, type WaitOptions } from "./programs/pollStatus.js"
import type { ExecuteInput } from "./programs/prepareRequest.js"
import { type Flow, Journal } from "./Journal.js"
import type { Policy } from "./Policy.js"
import type { Signers } from "./Signer.js"
import type { Swap } from "./Swap.js"
import type { JournalError, SwapError } from "./SwapError.js"
import type { SwapEvent } from "./SwapEvent.js"
import type { Transport } from "./Transport.js"

export {
  build,
  type BuildInput,
  type Built,
  chains,
  delegation,
  quote,
  status,
  submit,
  type Submission
} from "./programs/endpoints.js"
export type { DelegationPreview, ExecuteInput, ExecuteOptions, ResumeError, WaitError, WaitOptions }

/** What a whole swap takes. */
export type Services = Transport | Signers | Policy | Journal

/** `execute` with somebody to tell. */
export interface RunOptions extends ExecuteOptions {
  /** Gets every step, in order; the swap waits for it. If it dies, that is logged and the swap continues. */
  readonly onProgress?: ((event: SwapEvent) => Effect.Effect<void>) | undefined
}

const silent = () => Effect.void

/**
 * Runs a whole swap: quote, build, check, sign, submit, wait. Recovers from all that has a recovery. A swap that ends
 * `failed` or `refunded` is a result.
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

/** What a program tells on its way, as a stream: closing the stream interrupts the program. */
const told = <A, E, R>(
  program: (tell: (value: A) => Effect.Effect<void>) => Effect.Effect<unknown, E, R>
): Stream.Stream<A, E, R> =>
  Stream.callback<A, E, R>((queue) =>
    Effect.andThen(
      program((value) => Effect.asVoid(Queue.offer(queue, value))),
      Queue.end(queue)
    )
  )

/** The same as `execute`, as a stream of its steps; the last is `done`. Closing the stream stops the swap's program. */
export const executeStream = (
  request: ExecuteInput,
  options: ExecuteOptions = {}
): Stream.Stream<SwapEvent, SwapError, Services> => told((emit) => run(request, options, emit))

/** Waits until a swap is settled, failed or refunded. */
export const wait = (swapId: string, options: WaitOptions = {}): Effect.Effect<Swap, WaitError, Transport> =>
  pollStatus(swapId, silent, options)

/** A swap's states as they change; ends with a terminal one. */
export const watch = (swapId: string, options: WaitOptions = {}): Stream.Stream<Swap, WaitError, Transport> =>
  told((tell) => pollStatus(swapId, tell, options))

/** The flows that were signed and have no known end yet. */
export const pending: Effect.Effect<ReadonlyArray<Flow>, JournalError, Journal> = Effect.flatMap(
  Journal,
  ({ list }) => list
)

/** Forgets a flow of the journal; whatever became of its swap is not followed any more. */
export const forget = (flowId: string): Effect.Effect<void, JournalError, Journal> =>
  Effect.flatMap(Journal, (journal) => journal.remove(flowId))

/** Takes up a flow of the journal after a crash or an `OutcomeUnknown`: the very same bytes, never a second swap. */
export const resume = (
  flowId: string,
  options: WaitOptions & Pick<RunOptions, "onProgress"> = {}
): Effect.Effect<Swap, ResumeError, Transport | Journal> =>
  resumeFlow(flowId, options, guardListener(options.onProgress ?? silent))
