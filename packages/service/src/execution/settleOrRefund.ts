/** The two ends after the input arrived, and what the chains know of them besides our own transactions. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Collection, ExternalSettlement } from "../chains/Chains.js"
import type { SwapRecord } from "../store/SwapRecord.js"
import { chainFor, sendJobOf } from "./jobs.js"
import { type StepResult, change, idleFor, continueNow, type StepError, signAndStore, type Worker } from "./worker.js"

/** The output is where it belongs, since that block. */
export const settle = (worker: Worker, swap: SwapRecord, deliveryTxHash: string, block: bigint) =>
  Effect.map(
    change(worker, swap, "settled", `the output arrived: ${deliveryTxHash}`, { deliveryTxHash, block }),
    continueNow
  )

/** The input is back. */
export const refunded = (worker: Worker, swap: SwapRecord, refundTxHash: string, failureCode = swap.failureCode) =>
  Effect.map(
    change(worker, swap, "refunded", `the input went back: ${refundTxHash}`, { refundTxHash, failureCode }),
    continueNow
  )

/** How long the swap has been in its state. */
export const age = ({ updatedAt }: SwapRecord) => Effect.map(Clock.currentTimeMillis, (time) => time - updatedAt)

/** How often to look at what only somebody else can change: seldom, the longer it lasts. */
const shortestIdleMillis = 1_000
const longestIdleMillis = 3_600_000

/** Nothing can be done now. Says so, and lets the swap go until it is worth another look. */
export const stuck = Effect.fnUntraced(function* (swap: SwapRecord, message: string): Effect.fn.Return<StepResult> {
  yield* Effect.logError(message).pipe(Effect.annotateLogs({ swapId: swap.id, state: swap.state }))
  return idleFor(swap, Math.min(Math.max((yield* age(swap)) / 10, shortestIdleMillis), longestIdleMillis))
})

/**
 * What became of the swap without us: the vault's owner may have sent the input back by hand, or a process that we know
 * nothing of went on. Where the chains say that the order is used, and not for what, nothing is done that could be the
 * second payment. `undefined` where the order is unused on both sides.
 */
export const settledExternally = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  destinationMayBeDown = false
): Effect.fn.Return<StepResult | undefined, StepError> {
  const { chains } = worker.directory
  const refundJob = yield* sendJobOf(worker, swap, "refund")
  const back = yield* chainFor(chains, swap, "refund").externalSettlement(refundJob)
  if (back._tag === "Done") return yield* refunded(worker, swap, back.hash, swap.failureCode ?? "REFUNDED_BY_OWNER")
  const deliveryJob = yield* sendJobOf(worker, swap, "deliver")
  const delivery = chainFor(chains, swap, "deliver").externalSettlement(deliveryJob)
  const out = yield* destinationMayBeDown
    ? Effect.orElseSucceed(delivery, (): ExternalSettlement => ({ _tag: "Unused" }))
    : delivery
  if (out._tag === "Done") return yield* settle(worker, swap, out.hash, out.block)
  const unclear = [back, out].find((answer) => answer._tag === "Unclear")
  if (unclear?._tag !== "Unclear") return undefined
  // It may last until an operator acts. If the delivery becomes possible after all, the output is reserved again.
  const detail = "the vault has used the order, and not yet provably for what: the output is not reserved"
  const waiting = swap.reserved ? yield* change(worker, swap, swap.state, detail, { releases: true }) : swap
  return yield* stuck(waiting, unclear.message)
})

/** The failure code of a swap whose destination does not answer, which then cannot be asked about it either. */
export const unreachable = "DESTINATION_UNAVAILABLE"

/** For the history: the proof that an operation can never be collected. */
export const neverCollected = ({ block, nodes, time }: Extract<Collection, { readonly _tag: "Never" }>): string =>
  `the deadline is past at final block ${block} (${new Date(time * 1000).toISOString()}), ` +
  `and the vault has no event of this order, as ${nodes.join(" and ")} show; nothing moved`

/**
 * → refund_prepared: from here on nothing is delivered, and the output is not reserved. Only if no delivery can happen any
 * more: none was ever signed, or all are dead at finality. Stored before the refund is tried, as that may be impossible for
 * a long time, and a delivery that becomes possible meanwhile would be an option for the caller.
 */
export const refund = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  failureCode: string,
  refundAmount?: bigint
): Effect.fn.Return<StepResult, StepError> {
  const external = yield* settledExternally(worker, swap, failureCode === unreachable)
  if (external !== undefined) return external
  const detail = `nothing is delivered any more (${failureCode}): the input is refunded`
  return continueNow(yield* change(worker, swap, "refund_prepared", detail, { failureCode, refundAmount }))
})

/** Signs the refund of a swap that is not delivered any more, for as long as it takes. */
export const signRefund = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord
): Effect.fn.Return<StepResult, StepError> {
  // No delivery of ours can happen any more, so a destination that does not answer must not delay the refund.
  const external = yield* settledExternally(worker, swap, true)
  if (external !== undefined) return external
  return yield* chainFor(worker.directory.chains, swap, "refund")
    .prepare(yield* sendJobOf(worker, swap, "refund"))
    .pipe(
      Effect.flatMap((draft) =>
        signAndStore(worker, swap, "refund", draft, "refund_prepared", `refund for ${swap.failureCode} is signed`)
      ),
      Effect.map(continueNow),
      Effect.catchTag("Impossible", ({ message }) =>
        stuck(swap, `The swap cannot be refunded at the moment: ${message}`)
      )
    )
})
