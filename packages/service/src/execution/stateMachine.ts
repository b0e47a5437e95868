/** The state machine: runs a swap from its stored state until it reaches a terminal state. */
import * as Effect from "effect/Effect"
import { isTerminal, type State, type SwapRecord } from "../domain/SwapRecord.js"
import { parentOf, withoutSpans } from "../tracing/traceContext.js"
import { attributesOf } from "./spanAttributes.js"
import { decide, sendDelivery, sendRefund, watchDelivery, watchRefund } from "./steps/destination.js"
import { prepareOrigin, sendOrigin, watchOrigin } from "./steps/origin.js"
import type { StepError, StepResult } from "./steps/Step.js"
import { continueNow } from "./steps/stepActions.js"
import type { Worker } from "./Worker.js"

/** The step for each state. */
const next: Readonly<Record<State, (worker: Worker, swap: SwapRecord) => Effect.Effect<StepResult, StepError>>> = {
  accepted: prepareOrigin,
  origin_prepared: sendOrigin,
  origin_sent: watchOrigin,
  origin_final: decide,
  delivery_prepared: sendDelivery,
  delivery_sent: watchDelivery,
  refund_prepared: sendRefund,
  refund_sent: watchRefund,
  settled: (_, swap) => Effect.succeed(continueNow(swap)),
  failed: (_, swap) => Effect.succeed(continueNow(swap)),
  refunded: (_, swap) => Effect.succeed(continueNow(swap))
}

const firstPauseMillis = 200
const longestPauseMillis = 5_000

/**
 * The backoff after consecutive failed steps, with jitter. This is not a `Schedule`, because the backoff also
 * determines when the swap can be claimed again.
 */
const backoffMillis = (failures: number) =>
  Effect.sync(() => {
    const full = Math.min(firstPauseMillis * 2 ** (failures - 1), longestPauseMillis)
    return full * (0.5 + Math.random() / 2)
  })

/** After this many consecutive failed steps, the swap is released between polls. */
const maxFailuresInRow = 4

/** Runs one step. If the step fails, reads the swap from the store again and continues from there. */
const runStep = (worker: Worker, swap: SwapRecord) =>
  Effect.suspend(() => next[swap.state](worker, swap)).pipe(
    Effect.map((result) => ({ idle: false, wait: undefined, ...result, failed: false })),
    Effect.catchCause((cause) =>
      Effect.gen(function* () {
        yield* Effect.logWarning("a step of the swap failed and will be retried", cause)
        const stored = yield* worker.store.swap(swap.id).pipe(Effect.orElseSucceed(() => undefined))
        const fresh = stored?._tag === "Some" ? stored.value : swap
        return { swap: fresh, waitMillis: 0, wait: undefined, idle: false, failed: true }
      })
    ),
    Effect.annotateLogs({ swapId: swap.id, state: swap.state })
  )

/**
 * A running swap and its number of consecutive failed steps. If `idleMillis` is set, the swap should be released for
 * that long.
 */
interface Progress {
  readonly swap: SwapRecord
  readonly failures: number
  readonly idleMillis?: number
}

/**
 * Works on a swap until its state changes. Only the first poll has spans, because the spans of later polls would look
 * the same.
 */
const runState = (worker: Worker, entered: Progress): Effect.Effect<Progress> =>
  Effect.gen(function* () {
    const { state } = entered.swap
    let { failures, swap } = entered
    for (let looks = 1; ; looks += 1) {
      const step = yield* looks === 1 ? runStep(worker, swap) : withoutSpans(runStep(worker, swap))
      swap = step.swap
      failures = step.failed ? failures + 1 : 0
      const waitMillis = failures > 0 ? yield* backoffMillis(failures) : step.waitMillis
      const idle = step.idle || failures >= maxFailuresInRow
      if (idle || swap.state !== state) yield* Effect.annotateCurrentSpan({ ...attributesOf(swap, state), looks })
      if (idle) return { swap, failures, idleMillis: waitMillis }
      yield* step.wait ?? Effect.sleep(waitMillis)
      if (swap.state !== state) return { swap, failures }
    }
  }).pipe(Effect.withSpan(entered.swap.state, { attributes: attributesOf(entered.swap, entered.swap.state) }))

/**
 * Runs a swap until it reaches a terminal state. If the swap can do nothing but wait, returns the number of
 * milliseconds until the next poll. The execution is part of the trace of the request that submitted the swap.
 */
export const runSwap = (worker: Worker, claimed: SwapRecord): Effect.Effect<number | undefined> =>
  Effect.gen(function* () {
    let progress: Progress = { swap: claimed, failures: 0 }
    while (!isTerminal(progress.swap.state)) {
      progress = yield* runState(worker, progress)
      if (progress.idleMillis !== undefined) return progress.idleMillis
    }
    const { swap } = progress
    yield* Effect.withSpan(Effect.void, swap.state, { attributes: attributesOf(swap, swap.state) })
    return undefined
  }).pipe(
    Effect.withSpan("Executor.drive", {
      kind: "consumer",
      root: true,
      parent: parentOf(claimed.trace),
      attributes: { swapId: claimed.id }
    }),
    Effect.ensuring(
      Effect.sync(() => {
        worker.queue.landed(claimed.id)
        worker.heldUntil.delete(claimed.id)
      })
    )
  )
