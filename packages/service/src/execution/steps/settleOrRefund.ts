/**
 * Settles or refunds a swap whose input has arrived. First checks whether another transaction has already settled or
 * refunded the swap.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Collection, ExternalSettlement } from "../../chains/Outcome.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import { signAndStore } from "../transactions/signAndStore.js"
import type { Worker } from "../Worker.js"
import { advance, change, continueNow, prepare } from "./stepActions.js"
import { chainFor, sendJobOf } from "./swapJobs.js"

/** Changes the swap to `settled`. `block` is the block that contains the delivery. */
export const settle = (worker: Worker, swap: SwapRecord, deliveryTxHash: string, block: bigint) =>
  advance(worker, swap, "settled", `the output arrived: ${deliveryTxHash}`, {
    deliveryTxHash,
    block,
    paidAmount: swap.output
  })

/**
 * Changes the swap to `refunded`. `block` is the block that contains the refund, and `paid` is the refunded amount, if it is
 * not the amount that was due.
 */
export const refunded = (
  worker: Worker,
  swap: SwapRecord,
  refundTxHash: string,
  block: bigint,
  paid?: bigint,
  failureCode = swap.failureCode
) =>
  advance(worker, swap, "refunded", `the input was refunded: ${refundTxHash}`, {
    refundTxHash,
    block,
    failureCode,
    paidAmount: paid ?? swap.refundAmount ?? swap.amount
  })

/** How long the swap has been in its current state. */
export const age = ({ updatedAt }: SwapRecord) => Effect.map(Clock.currentTimeMillis, (time) => time - updatedAt)

/**
 * The bounds of the poll interval for a swap that is waiting for an external event. Within these bounds, the interval
 * is a tenth of the swap's age.
 */
const shortestIdleMillis = 1_000
const longestIdleMillis = 3_600_000

/** Logs that nothing can be done at the moment, and releases the swap until the next poll. */
export const stuck = Effect.fnUntraced(function* (swap: SwapRecord, message: string) {
  yield* Effect.logError(message).pipe(Effect.annotateLogs({ swapId: swap.id, state: swap.state }))
  const waitMillis = Math.min(Math.max((yield* age(swap)) / 10, shortestIdleMillis), longestIdleMillis)
  return { swap, waitMillis, idle: true }
})

/**
 * Like `stuck`, for a swap that waits for a proof, which may take a long time to become available. Until then, the output
 * is not reserved. `detail` says why.
 */
export const waitForProof = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  detail: string,
  message: string
) {
  const without = `${detail}, so the output is no longer reserved`
  return yield* stuck(
    swap.reserved ? yield* change(worker, swap, swap.state, without, { releases: true }) : swap,
    message
  )
})

/**
 * Checks whether the swap was settled or refunded by a transaction that is not in our database: the vault's owner may
 * have refunded the swap manually, or a process whose database was lost may have continued it. If a vault reports the
 * order as used but it is unclear what was paid, does nothing that could result in a double payment. Returns
 * `undefined` if the order is unused on both chains.
 */
export const settledExternally = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  destinationMayBeDown = false
) {
  const refundJob = yield* sendJobOf(worker, swap, "refund")
  const back = yield* chainFor(worker, swap, "refund").externalSettlement(refundJob)
  if (back._tag === "Done") {
    return yield* refunded(worker, swap, back.hash, back.block, back.amount, swap.failureCode ?? "REFUNDED_BY_OWNER")
  }
  const deliveryJob = yield* sendJobOf(worker, swap, "deliver")
  const delivery = chainFor(worker, swap, "deliver").externalSettlement(deliveryJob)
  const out = yield* destinationMayBeDown
    ? Effect.orElseSucceed(delivery, (): ExternalSettlement => ({ _tag: "Unused" }))
    : delivery
  if (out._tag === "Done") return yield* settle(worker, swap, out.hash, out.block)
  const unclear = [back, out].find((answer) => answer._tag === "Unclear")
  if (unclear?._tag !== "Unclear") return undefined
  // The swap may remain in this state until an operator acts. If the delivery becomes possible, the output is reserved
  // again.
  return yield* waitForProof(
    worker,
    swap,
    "the vault has used the order, but the resulting payment is not yet proven",
    unclear.message
  )
})

/** The failure code for a swap whose destination chain does not respond. */
export const unreachable = "DESTINATION_UNAVAILABLE"

/** Describes, for the swap's history, the proof that the operation's input can never be collected. */
export const neverCollected = ({ block, nodes, time }: Extract<Collection, { readonly _tag: "Never" }>): string =>
  `the deadline has passed at finalized block ${block} (${new Date(time * 1000).toISOString()}), ` +
  `and the vault has no event for this order according to ${nodes.join(" and ")}; no funds moved`

/**
 * Changes the swap to `refund_prepared`. After this change, nothing is delivered, and the output is no longer reserved.
 * Called only if no delivery can happen: either none was signed, or a finalized block shows that none can still be
 * included. The change is stored before the refund is attempted, because a refund may be impossible for a long time. If
 * the output could still be delivered in the meantime, the caller would have a free option.
 */
export const refund = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  failureCode: string,
  refundAmount?: bigint
) {
  const external = yield* settledExternally(worker, swap, failureCode === unreachable)
  if (external !== undefined) return external
  const detail = `the output will not be delivered (${failureCode}), so the input is being refunded`
  return yield* advance(worker, swap, "refund_prepared", detail, { failureCode, refundAmount })
})

/** Signs the refund. If that is not possible, retries without limit. */
export const signRefund = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  // No delivery can happen anymore, so an unavailable destination chain must not delay the refund.
  const external = yield* settledExternally(worker, swap, true)
  if (external !== undefined) return external
  const chain = chainFor(worker, swap, "refund")
  return yield* prepare(worker, chain, yield* sendJobOf(worker, swap, "refund")).pipe(
    Effect.flatMap((draft) =>
      signAndStore(worker, {
        swap,
        kind: "refund",
        draft,
        to: "refund_prepared",
        detail: `the refund for ${swap.failureCode} was signed`
      })
    ),
    Effect.map(continueNow),
    Effect.catchTag("Impossible", ({ message }) => stuck(swap, `The swap cannot be refunded at the moment: ${message}`))
  )
})
