/** Takes a swap from wherever it is stored to its end. */
import * as Effect from "effect/Effect"
import { isTerminal, type State, type SwapRecord } from "../../SwapRecord.js"
import { decide, sendDelivery, sendRefund, watchDelivery, watchRefund } from "./destination.js"
import { prepareOrigin, sendOrigin, watchOrigin } from "./origin.js"
import { type Advance, now, type Obstacle, type Worker } from "./worker.js"

/** The state machine: what is done next in every state. */
const next: Readonly<Record<State, (worker: Worker, swap: SwapRecord) => Effect.Effect<Advance, Obstacle>>> = {
  accepted: prepareOrigin,
  origin_prepared: sendOrigin,
  origin_sent: watchOrigin,
  origin_final: decide,
  delivery_prepared: sendDelivery,
  delivery_sent: watchDelivery,
  refund_prepared: sendRefund,
  refund_sent: watchRefund,
  settled: (_, swap) => Effect.succeed(now(swap)),
  failed: (_, swap) => Effect.succeed(now(swap)),
  refunded: (_, swap) => Effect.succeed(now(swap))
}

const firstPauseMillis = 200
const longestPauseMillis = 5_000

/** The pause after so many steps in a row that could not be taken, with chance in it, so that swaps do not go in step. */
const pause = (failures: number) =>
  Effect.sync(() => {
    const full = Math.min(firstPauseMillis * 2 ** (failures - 1), longestPauseMillis)
    return full * (0.5 + Math.random() / 2)
  })

/** After so many failures in a row, the swap is let go between looks. */
const patientFailures = 4

/**
 * Whatever goes wrong, the swap is as it is stored: it is read again and gone on with. Returns once the swap is
 * terminal, or the milliseconds until it is worth another look: a swap that can only wait takes nobody's place.
 */
export const drive = Effect.fn("Executor.drive")(
  function* (worker: Worker, claimed: SwapRecord) {
    let swap = claimed
    let failures = 0
    yield* Effect.annotateCurrentSpan({ swapId: swap.id })
    while (!isTerminal(swap.state)) {
      const step = yield* Effect.suspend(() => next[swap.state](worker, swap))
        .pipe(
          Effect.map((advance) => ({ idle: false, ...advance, failed: false })),
          Effect.catchCause((cause) =>
            Effect.gen(function* () {
              yield* Effect.logWarning("a step of a swap could not be taken; it is tried again", cause)
              const stored = yield* worker.store.swap(swap.id).pipe(Effect.orElseSucceed(() => undefined))
              const fresh = stored?._tag === "Some" ? stored.value : swap
              return { swap: fresh, waitMillis: 0, idle: false, failed: true }
            })
          )
        )
        .pipe(Effect.annotateLogs({ swapId: swap.id, state: swap.state }))
      swap = step.swap
      failures = step.failed ? failures + 1 : 0
      const waitMillis = failures > 0 ? yield* pause(failures) : step.waitMillis
      if (step.idle || failures >= patientFailures) return waitMillis
      yield* Effect.sleep(waitMillis)
    }
    return undefined
  },
  (driving, { heldUntil, sentAt }, { id }) =>
    Effect.ensuring(
      driving,
      Effect.sync(() => {
        sentAt.delete(id)
        heldUntil.delete(id)
      })
    )
)
