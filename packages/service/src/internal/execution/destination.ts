/** The second half of a swap: the output goes out, or the input goes back, and never both. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SwapRecord } from "../../SwapRecord.js"
import { assetOf } from "../calls/directory.js"
import { chainFor, deliveryOf, refundOf } from "./jobs.js"
import { send, watch } from "./transaction.js"
import { type Advance, change, now, type Obstacle, raiseNonce, signAndStore, type Worker } from "./worker.js"

const settle = (worker: Worker, swap: SwapRecord, deliveryTxHash: string) =>
  Effect.map(change(worker, swap, "settled", `the output arrived: ${deliveryTxHash}`, { deliveryTxHash }), now)

const refunded = (worker: Worker, swap: SwapRecord, refundTxHash: string, failureCode = swap.failureCode) =>
  Effect.map(
    change(worker, swap, "refunded", `the input went back: ${refundTxHash}`, { refundTxHash, failureCode }),
    now
  )

/** How long the swap has been in its state. */
const age = ({ updatedAt }: SwapRecord) => Effect.map(Clock.currentTimeMillis, (time) => time - updatedAt)

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

/** How long a refund that is impossible now waits at most: it is tried for as long as it takes. */
const refundRetryMillis = 5_000
/** The same in looks at the chain, where those are frequent. */
const refundRetryLooks = 20

/**
 * → refund_prepared. Only where no delivery can happen any more: none was ever signed, or it is dead at finality.
 */
const refund = (worker: Worker, swap: SwapRecord, failureCode: string): Effect.Effect<Advance, Obstacle> => {
  const chain = chainFor(worker.directory.chains, swap, "refund")
  return chain.prepare(refundOf(swap)).pipe(
    Effect.flatMap((draft) =>
      signAndStore(worker, swap, "refund", draft, "refund_prepared", `refund for ${failureCode} is signed`, {
        failureCode
      })
    ),
    Effect.map(now),
    Effect.catchTag("Impossible", ({ code, message }) =>
      Effect.gen(function* () {
        const hash = code === "ALREADY_DONE" ? yield* chain.doneElsewhere(refundOf(swap)) : undefined
        if (hash !== undefined) return yield* refunded(worker, swap, hash, failureCode)
        yield* Effect.logError(`swap cannot be refunded at the moment: ${message}`).pipe(
          Effect.annotateLogs({ swapId: swap.id, code })
        )
        return { swap, waitMillis: Math.min(refundRetryMillis, refundRetryLooks * chain.pollMillis) }
      })
    )
  )
}

/** The venue's word, now that the input is here: below the agreed minimum there is no delivery. */
const judgePrice = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  const { directory, pricing } = worker
  const inputToken = yield* assetOf(directory, chainFor(directory.chains, swap, "collect"), swap.inputToken)
  const outputToken = yield* assetOf(directory, chainFor(directory.chains, swap, "deliver"), swap.outputToken)
  return yield* pricing.reprice({
    inputToken,
    outputToken,
    amount: swap.amount,
    feeBps: swap.feeBps,
    networkCost: swap.networkCost
  })
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
        const hash = code === "ALREADY_DONE" ? yield* destination.doneElsewhere(deliveryOf(swap)) : undefined
        if (hash !== undefined) return yield* settle(worker, swap, hash)
        yield* Effect.logWarning(`delivery is impossible at the moment: ${message}`).pipe(
          Effect.annotateLogs({ swapId: swap.id, code })
        )
        // Until its event is shown nobody knows what was done: a refund might be the second payment.
        if (code === "ALREADY_DONE") return { swap, waitMillis: destination.pollMillis }
        return yield* waitOr(swap, patience.deliveryPatienceMillis, destination.pollMillis, refund(worker, swap, code))
      })
    )
  )
}

/** origin_final → delivery_prepared or refund_prepared. */
export const decide = (worker: Worker, swap: SwapRecord): Effect.Effect<Advance, Obstacle> => {
  const { directory, patience } = worker
  const origin = chainFor(directory.chains, swap, "refund")
  const destination = chainFor(directory.chains, swap, "deliver")
  return Effect.gen(function* () {
    // The vault's owner may have sent the input back by hand.
    const byHand = yield* origin.doneElsewhere(refundOf(swap))
    if (byHand !== undefined) return yield* refunded(worker, swap, byHand, "REFUNDED_BY_OWNER")
    const price = yield* Effect.result(judgePrice(worker, swap))
    if (price._tag === "Failure") {
      const { _tag } = price.failure
      return _tag === "VenueUnavailable"
        ? yield* waitOr(
            swap,
            patience.venuePatienceMillis,
            destination.pollMillis,
            refund(worker, swap, "PRICE_UNAVAILABLE")
          )
        : yield* refund(worker, swap, "NO_ROUTE")
    }
    if (price.success < swap.minOutput) return yield* refund(worker, swap, "SLIPPAGE")
    return yield* deliver(worker, swap)
  }).pipe(
    Effect.catchIf(
      (error): error is Extract<Obstacle, { readonly _tag: "ChainUnavailable" }> =>
        error._tag === "ChainUnavailable" && error.chainId === destination.id && destination.id !== origin.id,
      (error) =>
        Effect.flatMap(age(swap), (millis): Effect.Effect<Advance, Obstacle> =>
          millis < patience.destinationPatienceMillis
            ? Effect.fail(error)
            : refund(worker, swap, "DESTINATION_UNAVAILABLE")
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
    done: (hash) => settle(worker, swap, hash),
    dead: ({ why }) =>
      Effect.gen(function* () {
        const destination = chainFor(worker.directory.chains, swap, "deliver")
        const elsewhere = yield* destination.doneElsewhere(deliveryOf(swap))
        if (elsewhere !== undefined) return yield* settle(worker, swap, elsewhere)
        const byHand = yield* chainFor(worker.directory.chains, swap, "refund").doneElsewhere(refundOf(swap))
        if (byHand !== undefined) return yield* refunded(worker, swap, byHand, "REFUNDED_BY_OWNER")
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
    done: (hash) => refunded(worker, swap, hash),
    dead: ({ why }) =>
      Effect.gen(function* () {
        const chain = chainFor(worker.directory.chains, swap, "refund")
        const elsewhere = yield* chain.doneElsewhere(refundOf(swap))
        if (elsewhere !== undefined) return yield* refunded(worker, swap, elsewhere)
        if (why === "replaced") yield* raiseNonce(worker, swap, "refund")
        return yield* refund(worker, swap, swap.failureCode ?? "REVERTED")
      })
  })
