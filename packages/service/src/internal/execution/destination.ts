/** The second half of a swap: the output goes out, or the input goes back, and never both. */
import * as Effect from "effect/Effect"
import type { SwapRecord } from "../../SwapRecord.js"
import { priceNow, worthDelivering } from "../price.js"
import { age, byOthers, refund, refunded, settle, stuck, unreachable } from "./ends.js"
import { chainFor, deliveryOf } from "./jobs.js"
import { send, watch } from "./transaction.js"
import { type Advance, now, type Obstacle, raiseNonce, signAndStore, type Worker } from "./worker.js"

/** Tries again later, until patience ends. */
const waitOr = Effect.fnUntraced(function* (
  swap: SwapRecord,
  patienceMillis: number,
  pollMillis: number,
  otherwise: Effect.Effect<Advance, Obstacle>
): Effect.fn.Return<Advance, Obstacle> {
  const left = patienceMillis - (yield* age(swap))
  return left > 0 ? { swap, waitMillis: Math.min(left, pollMillis) } : yield* otherwise
})

/**
 * → delivery_prepared, unless the chain would refuse it for longer than we are patient, or did so `tooOften` though
 * it had promised otherwise.
 */
const deliver = (worker: Worker, swap: SwapRecord, tooOften = false): Effect.Effect<Advance, Obstacle> => {
  const { directory, patience } = worker
  const destination = chainFor(directory.chains, swap, "deliver")
  return destination.prepare(deliveryOf(swap)).pipe(
    Effect.flatMap((draft) =>
      tooOften
        ? refund(worker, swap, "REVERTED")
        : Effect.map(signAndStore(worker, swap, "deliver", draft, "delivery_prepared", "delivery is signed"), now)
    ),
    Effect.catchTag("Impossible", ({ code, message }) =>
      Effect.gen(function* () {
        // Until it is shown what was done, a refund might be the second payment.
        if (code === "ALREADY_DONE") return (yield* byOthers(worker, swap)) ?? (yield* stuck(swap, message))
        yield* Effect.logWarning(`delivery is impossible at the moment: ${message}`).pipe(
          Effect.annotateLogs({ swapId: swap.id, code })
        )
        return yield* waitOr(swap, patience.deliveryPatienceMillis, destination.pollMillis, refund(worker, swap, code))
      })
    )
  )
}

/** The venue's word, now that the input is here: below what was agreed there is no delivery. */
const judgePrice = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord): Effect.fn.Return<Advance, Obstacle> {
  const { directory, patience, pricing, quotes } = worker
  const { pollMillis } = chainFor(directory.chains, swap, "deliver")
  const price = yield* Effect.result(priceNow(directory, pricing, swap))
  if (price._tag === "Success") {
    return yield* worthDelivering(swap, price.success, quotes)
      ? deliver(worker, swap)
      : refund(worker, swap, "SLIPPAGE")
  }
  const code = price.failure._tag === "VenueUnavailable" ? "PRICE_UNAVAILABLE" : "NO_ROUTE"
  return yield* waitOr(swap, patience.venuePatienceMillis, pollMillis, refund(worker, swap, code))
})

/** origin_final → delivery_prepared or refund_prepared. */
export const decide = (worker: Worker, swap: SwapRecord): Effect.Effect<Advance, Obstacle> => {
  const { directory, patience } = worker
  const [origin, destination] = [
    chainFor(directory.chains, swap, "refund"),
    chainFor(directory.chains, swap, "deliver")
  ]
  return Effect.flatMap(byOthers(worker, swap), (elsewhere) =>
    elsewhere === undefined ? judgePrice(worker, swap) : Effect.succeed(elsewhere)
  ).pipe(
    Effect.catchIf(
      (error): error is Extract<Obstacle, { readonly _tag: "ChainUnavailable" }> =>
        error._tag === "ChainUnavailable" && error.chainId === destination.id && destination.id !== origin.id,
      (error) =>
        Effect.flatMap(age(swap), (millis): Effect.Effect<Advance, Obstacle> =>
          millis < patience.destinationPatienceMillis ? Effect.fail(error) : refund(worker, swap, unreachable)
        )
    )
  )
}

/** delivery_prepared → delivery_sent. */
export const sendDelivery = (worker: Worker, swap: SwapRecord) => send(worker, swap, "deliver", "delivery_sent")

/** A delivery that reverts this often does not get better. */
const maxDeliveries = 5

const never = () => Effect.succeed(false)

/** delivery_sent → settled; where the delivery is dead at finality, another one or the refund. */
export const watchDelivery = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "deliver",
    cancel: never,
    done: ({ block, hash }) => settle(worker, swap, hash, block),
    dead: ({ why }) =>
      Effect.gen(function* () {
        const elsewhere = yield* byOthers(worker, swap)
        if (elsewhere !== undefined) return elsewhere
        if (why === "replaced") yield* raiseNonce(worker, swap, "deliver")
        const attempts = yield* worker.store.attempts(swap.id, "deliver")
        const deliveries = new Set(attempts.map(({ hash, nonce }) => nonce ?? hash))
        return yield* deliver(worker, swap, why === "reverted" && deliveries.size >= maxDeliveries)
      })
  })

/** refund_prepared → refund_sent. */
export const sendRefund = (worker: Worker, swap: SwapRecord) => send(worker, swap, "refund", "refund_sent")

/** refund_sent → refunded; a refund that is dead at finality is made anew, for as long as it takes. */
export const watchRefund = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "refund",
    cancel: never,
    done: ({ hash }) => refunded(worker, swap, hash),
    dead: ({ why }) =>
      Effect.gen(function* () {
        if (why === "replaced") yield* raiseNonce(worker, swap, "refund")
        return yield* refund(worker, swap, swap.failureCode ?? "REVERTED")
      })
  })
