/** The second half of a swap: delivers the output or refunds the input, never both. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { anyBlock, claimsOf, notBefore } from "../../admission/readClaims.js"
import type { Chain } from "../../chains/Chains.js"
import type { Attempt, SwapRecord } from "../../domain/SwapRecord.js"
import { currentPrice, worthDelivering } from "../../pricing/priceDrift.js"
import { send, watch } from "../transactions/sendAndWatch.js"
import { signAndStore } from "../transactions/signAndStore.js"
import type { Worker } from "../Worker.js"
import { age, refund, refunded, settle, settledExternally, signRefund, stuck, unreachable } from "./settleOrRefund.js"
import type { StepError, StepResult } from "./Step.js"
import { continueNow, countTransactions, prepare, raiseNonce } from "./stepActions.js"
import { chainFor, sendJobOf } from "./swapJobs.js"

/** Schedules another try. Once the retry time has elapsed, runs `otherwise` instead. */
const retryOr = Effect.fnUntraced(function* (
  swap: SwapRecord,
  retryMillis: number,
  pollMillis: number,
  otherwise: Effect.Effect<StepResult, StepError>
) {
  const left = retryMillis - (yield* age(swap))
  return left > 0 ? { swap, waitMillis: Math.min(left, pollMillis) } : yield* otherwise
})

/** The quote's age, as a part of the maximum age. */
const quoteAge = ({ limits }: Worker, { quotedAt }: SwapRecord) =>
  Effect.map(Clock.currentTimeMillis, (time) => (time - quotedAt) / limits.maxQuoteAgeMillis)

/** Whether the quote is too old for its output to be delivered. */
const isTooOld = (worker: Worker, swap: SwapRecord) => Effect.map(quoteAge(worker, swap), (age) => age > 1)

/** The age at which a delivery does not join a batch anymore. The batch would be canceled when the quote is too old. */
const oldestInBatch = 0.5

/**
 * Refunds the input if the output cannot be delivered. If the recipient is at fault, the network cost is deducted from
 * the refund. `reverted` is the last of several deliveries that reverted although their simulations succeeded.
 */
const refundUndelivered = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  failureCode: string,
  reverted?: Attempt
) {
  const { amount, networkCost } = swap
  const destination = chainFor(worker, swap, "deliver")
  // If the recipient's fault is not proven, the input is refunded in full.
  const job = yield* sendJobOf(worker, swap, "deliver")
  const atFault = yield* Effect.orElseSucceed(destination.recipientAtFault(job, reverted), () => false)
  return yield* refund(worker, swap, failureCode, atFault && amount > networkCost ? amount - networkCost : undefined)
})

/**
 * The maximum number of times to read the limits of a delivery. They are read again if another swap releases a claim after
 * they were read and before this swap's claims are granted.
 */
const maxReads = 5

/** Returns the swap with its output reserved, or `undefined` if it is not granted the claims of its delivery. */
const reserved = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  if (swap.reserved) return swap
  const { lanes, owner, store } = worker
  const execution = {
    swap,
    origin: chainFor(worker, swap, "collect"),
    destination: chainFor(worker, swap, "deliver"),
    relayersOf: (chain: Chain) => lanes.order(chain, false)
  }
  let oldest = anyBlock
  for (let read = 1; read <= maxReads; read++) {
    const result = yield* store.reserve(swap, owner, yield* claimsOf(execution, oldest, "delivery"))
    if (result._tag === "Reserved") return result.swap
    if (result._tag === "Exceeded") return undefined
    oldest = notBefore(result.since)
  }
  return undefined
})

/**
 * Changes the swap to `delivery_prepared`. Refunds the input if the delivery's simulation still fails once the retry
 * time has elapsed. Also refunds the input if `reverted` is set: it is the last of too many deliveries that reverted even
 * though their simulations succeeded.
 */
const deliver = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, reverted: Attempt | undefined) {
  const { limits } = worker
  const destination = chainFor(worker, swap, "deliver")
  const holding = yield* reserved(worker, swap)
  if (holding === undefined) return yield* refund(worker, swap, "INSUFFICIENT_INVENTORY")
  return yield* sendJobOf(worker, holding, "deliver").pipe(
    Effect.flatMap((job) => prepare(worker, destination, job)),
    Effect.flatMap((draft) =>
      reverted !== undefined
        ? refundUndelivered(worker, holding, "REVERTED", reverted)
        : Effect.gen(function* () {
            const to = "delivery_prepared"
            const job = { swap: holding, kind: "deliver", draft, to, detail: "the delivery was signed" } as const
            const isOld = (yield* quoteAge(worker, swap)) > oldestInBatch
            return continueNow(yield* signAndStore(worker, job, isOld))
          })
    ),
    Effect.catchTag("Impossible", ({ code, message }) =>
      Effect.gen(function* () {
        // Until it is known what was paid, a refund could be a second payment.
        if (code === "ALREADY_DONE")
          return (yield* settledExternally(worker, holding)) ?? (yield* stuck(holding, message))
        yield* Effect.logWarning(`the output cannot be delivered at the moment: ${message}`).pipe(
          Effect.annotateLogs({ swapId: swap.id, code })
        )
        const otherwise = refundUndelivered(worker, holding, code)
        return yield* retryOr(holding, limits.deliveryRetryMillis, destination.pollMillis, otherwise)
      })
    )
  )
})

/**
 * Delivers the output if the quote is not too old and the venue's price has not fallen too far. Otherwise, refunds the
 * input.
 */
const deliverOrRefund = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, reverted?: Attempt) {
  const { limits, pricing, quotes } = worker
  if (yield* isTooOld(worker, swap)) return yield* refund(worker, swap, "DELIVERY_TOO_LATE")
  const { pollMillis } = chainFor(worker, swap, "deliver")
  const price = yield* Effect.result(currentPrice(worker, pricing, swap))
  if (price._tag === "Success") {
    return yield* worthDelivering(swap, price.success, quotes)
      ? deliver(worker, swap, reverted)
      : refund(worker, swap, "SLIPPAGE")
  }
  const code = price.failure._tag === "VenueUnavailable" ? "PRICE_UNAVAILABLE" : "NO_ROUTE"
  return yield* retryOr(swap, limits.venueRetryMillis, pollMillis, refund(worker, swap, code))
})

/** origin_final → delivery_prepared or refund_prepared. */
export const decide = (worker: Worker, swap: SwapRecord): Effect.Effect<StepResult, StepError> => {
  const { limits } = worker
  const [origin, destination] = [chainFor(worker, swap, "refund"), chainFor(worker, swap, "deliver")]
  return Effect.flatMap(settledExternally(worker, swap), (external) =>
    external === undefined ? deliverOrRefund(worker, swap) : Effect.succeed(external)
  ).pipe(
    Effect.catchIf(
      (error): error is Extract<StepError, { readonly _tag: "ChainUnavailable" }> =>
        error._tag === "ChainUnavailable" && error.chainId === destination.id && destination.id !== origin.id,
      (error) =>
        Effect.flatMap(age(swap), (millis): Effect.Effect<StepResult, StepError> =>
          millis < limits.destinationRetryMillis ? Effect.fail(error) : refund(worker, swap, unreachable)
        )
    )
  )
}

/** delivery_prepared → delivery_sent. */
export const sendDelivery = (worker: Worker, swap: SwapRecord) => send(worker, swap, "deliver", "delivery_sent")

/** The number of reverted deliveries after which the swap is refunded. */
const maxDeliveries = 3

/**
 * delivery_sent → settled. If a finalized block shows that the delivery can no longer be included, continues with
 * another delivery or with the refund.
 */
export const watchDelivery = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "deliver",
    // If the delivery is in a batch, the other deliveries are sent again.
    cancel: () => isTooOld(worker, swap),
    done: ({ block, hash }) => settle(worker, swap, hash, block),
    dead: ({ hash: revertedTxHash, why }) =>
      Effect.gen(function* () {
        const external = yield* settledExternally(worker, swap)
        if (external !== undefined) return external
        if (why === "replaced") yield* raiseNonce(worker, swap, "deliver")
        // Written with the next change.
        const next = why === "reverted" && revertedTxHash !== undefined ? { ...swap, revertedTxHash } : swap
        const attempts = yield* worker.store.attempts(swap.id, "deliver")
        const chain = chainFor(worker, swap, "deliver")
        const separate = attempts.filter((attempt) => !chain.isBatch(attempt))
        const deliveries = yield* countTransactions(chain, separate)
        const isTooOften = why === "reverted" && deliveries >= maxDeliveries
        return yield* deliverOrRefund(worker, next, isTooOften ? separate.at(-1) : undefined)
      })
  })

/** Whether a refund for the swap has been signed. A swap can be in `refund_prepared` before its refund is signed. */
const isSigned = ({ store }: Worker, { id }: SwapRecord) =>
  Effect.map(store.attempts(id, "refund"), ({ length }) => length > 0)

/** refund_prepared → refund_sent. Signs the refund first if needed. */
export const sendRefund = (worker: Worker, swap: SwapRecord): Effect.Effect<StepResult, StepError> =>
  Effect.flatMap(isSigned(worker, swap), (signed) =>
    signed ? send(worker, swap, "refund", "refund_sent") : signRefund(worker, swap)
  )

/**
 * refund_sent → refunded. If a finalized block shows that the refund transaction can no longer be included, the refund
 * is signed again, as many times as necessary.
 */
export const watchRefund = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "refund",
    cancel: () => Effect.succeed(false),
    done: ({ amount, block, hash }) => refunded(worker, swap, hash, block, amount),
    dead: ({ why }) =>
      Effect.andThen(
        why === "replaced" ? raiseNonce(worker, swap, "refund") : Effect.void,
        Effect.suspend(() => signRefund(worker, swap))
      )
  })
