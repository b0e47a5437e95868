/** The first half of a swap: collects the input, or fails before any funds move. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import type { Collection } from "../../chains/Outcome.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import { type Included, send, watch } from "../transactions/sendAndWatch.js"
import { signAndStore } from "../transactions/signAndStore.js"
import type { Worker } from "../Worker.js"
import { type Reason, record, recordCancellation, recordDoubt } from "./losses.js"
import { isPayment, refusalOf } from "./paymentChecks.js"
import { neverCollected, waitForProof } from "./settleOrRefund.js"
import type { StepError, StepResult } from "./Step.js"
import { advance, change, continueNow, countTransactions, prepare, raiseNonce, remember } from "./stepActions.js"
import { chainFor, collectOf, jobOf } from "./swapJobs.js"

/** The maximum lifetime of a blockhash. A Solana operation expires at a block height, not at a point in time. */
const longestBlockhashMillis = 180_000

/** Whether the operation has expired according to our clock. */
const isLate = Effect.fnUntraced(function* ({ createdAt, operation }: SwapRecord) {
  const until = operation._tag === "evm" ? operation.deadline * 1000 : createdAt + longestBlockhashMillis
  return (yield* Clock.currentTimeMillis) > until
})

/**
 * Changes the swap to `failed`. Called only if none of our transactions can collect the input: either none was signed,
 * or a finalized block shows that none can still be included.
 */
const fail = (worker: Worker, swap: SwapRecord, failureCode: string, detail: string, revertedTxHash?: string) =>
  advance(worker, swap, "failed", detail, { failureCode, revertedTxHash })

const expired = "the operation expired before it was executed; no funds moved"

const arrived = (worker: Worker, swap: SwapRecord, originTxHash: string, block: bigint) =>
  advance(worker, swap, "origin_final", `the input arrived: ${originTxHash}`, { originTxHash, block })

/**
 * Handles a wallet account that reports the nonce as used or the operation as expired. Such a report is not proof: the
 * wallet can write to its own storage, and a restored database may lack the record of what was collected. Only the
 * vault's events are proof. An event proves that the input arrived. If there is no event up to a finalized block past
 * the deadline, the input will never arrive. Until one of the two is proven, the output is not reserved, so a wallet
 * that forges a nonce does not lock any inventory.
 */
const settleFromEvents = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  const chain = chainFor(worker, swap, "collect")
  const found: Collection =
    chain.family === "evm"
      ? yield* chain.collection(collectOf(swap))
      : {
          _tag: "Open",
          message: "The chain reports that this operation was executed, but does not yet show the transaction."
        }
  switch (found._tag) {
    case "Collected":
      return yield* arrived(worker, swap, found.hash, found.block)
    case "Never":
      return yield* fail(worker, swap, "OPERATION_EXPIRED", neverCollected(found))
    case "Open":
      return yield* waitForProof(
        worker,
        swap,
        "the operation has been used or has expired, and the vault has no final event",
        found.message
      )
  }
})

/**
 * accepted → origin_prepared. Before the deadline, failing is safe, because none of our transactions can still be
 * included. After the deadline, only the chain can prove that the input was not collected, because the database may
 * have been restored from a copy that predates the collection.
 */
export const prepareOrigin = (worker: Worker, swap: SwapRecord): Effect.Effect<StepResult, StepError> =>
  Effect.gen(function* () {
    const chain = chainFor(worker, swap, "collect")
    const draft = yield* prepare(worker, chain, jobOf(swap, "collect"))
    const refusal = yield* refusalOf(worker, swap)
    if (refusal !== undefined) {
      return yield* fail(worker, swap, "REVERTED", `the payment was not collected (${refusal}); no funds moved`)
    }
    return continueNow(
      yield* signAndStore(
        worker,
        {
          swap,
          kind: "collect",
          draft,
          to: "origin_prepared",
          detail: "the collection transaction was signed"
        },
        isPayment(swap)
      )
    )
  }).pipe(
    Effect.catchTags({
      Impossible: ({ code, message }) =>
        Effect.flatMap(isLate(swap), (late): Effect.Effect<StepResult, StepError> =>
          code === "ALREADY_DONE" || (swap.operation._tag === "evm" && (late || code === "OPERATION_EXPIRED"))
            ? settleFromEvents(worker, swap)
            : fail(worker, swap, code, `the chain would reject the operation (${message}); no funds moved`)
        ),
      ChainUnavailable: (error) =>
        Effect.flatMap(isLate(swap), (late): Effect.Effect<StepResult, StepError> =>
          late
            ? waitForProof(
                worker,
                swap,
                "the operation has expired, and no node can confirm whether it was used",
                error.message
              )
            : Effect.fail(error)
        )
    })
  )

/** origin_prepared → origin_sent. */
export const sendOrigin = (worker: Worker, swap: SwapRecord) => send(worker, swap, "collect", "origin_sent")

const deadlineOf = ({ operation }: SwapRecord): number => (operation._tag === "evm" ? operation.deadline : Infinity)

/**
 * Whether a finalized block is past the operation's deadline. A batch stays for as long as one of its operations can be
 * collected, because the vault rejects those that are late.
 */
const isOver =
  ({ store }: Worker, swap: SwapRecord) =>
  (chain: Chain, isBatch: boolean): Effect.Effect<boolean, StepError> =>
    Effect.gen(function* () {
      if (chain.family !== "evm" || !(yield* chain.isPast(deadlineOf(swap)))) return false
      const members = isBatch ? yield* store.batches.members(swap.id, "collect") : []
      return yield* chain.isPast(Math.max(deadlineOf(swap), ...members.map(deadlineOf)))
    })

const unknown: Reason = { code: "REVERTED" }

/** Returns why a collection fails in the chain's current state, or `undefined` if it succeeds or nothing is known. */
const reasonNow = (worker: Worker, swap: SwapRecord) => {
  const chain = chainFor(worker, swap, "collect")
  return chain.prepare(jobOf(swap, "collect")).pipe(
    Effect.as<Reason | undefined>(undefined),
    Effect.catchTags({
      Impossible: (reason) => Effect.succeed<Reason>(reason),
      // Solana does not simulate a transaction that is already in a block. The wallet's balance is the best indication
      // of the reason.
      ChainUnavailable: () =>
        Effect.map(chain.balanceOf(swap.inputToken, swap.wallet), (balance): Reason | undefined =>
          balance < swap.amount ? { code: "INSUFFICIENT_BALANCE" } : undefined
        )
    }),
    Effect.orElseSucceed(() => undefined)
  )
}

/**
 * Handles a transaction that is in a block without the input. Counts what it lost, and releases the output, because the
 * collection is not sent again. If the block is reorged out and the input arrives after all, the output is reserved again,
 * or the input is refunded.
 *
 * A batch that leaves the swap out proves nothing about the swap, so the collection is simulated after the same block. If
 * it succeeds, the output stays reserved, and the input is collected by another transaction.
 */
const notCollected = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  { block, gas = 0n, hash }: Included,
  isBatch: boolean
) {
  const key = `${swap.id} ${hash} ${block}`
  if (worker.judged.has(key)) return swap
  const chain = chainFor(worker, swap, "collect")
  const reason =
    isBatch && chain.family === "evm"
      ? yield* chain.failureAt(collectOf(swap), block)
      : ((yield* reasonNow(worker, swap)) ?? unknown)
  remember(worker.judged, key, swap.updatedAt)
  if (reason === undefined) return swap
  yield* record(worker, swap, { hash, gas, isBatch, isFinal: false }, reason)
  if (!swap.reserved) return swap
  const what = isBatch
    ? "a batch is in a block without the input, which"
    : "the collection transaction reverted in a block, which"
  return yield* change(worker, swap, swap.state, `${what} is not final, so the output is no longer reserved`, {
    releases: true
  })
})

/**
 * The backoff between collection transactions. There is no wait after the first transaction, and the wait increases
 * with each later one.
 */
const waitAfter = (tries: number): number => (tries < 2 ? 0 : 5_000 * 4 ** (tries - 2))

/**
 * Milliseconds until the next attempt to collect the input. The attempts are spaced out for two reasons: a mempool that
 * has rejected the wallet's operation will reject it again, and the relayer's later transactions would have to wait for
 * the nonce that each attempt uses.
 */
const untilNextTry = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  const attempts = yield* worker.store.attempts(swap.id, "collect")
  const tries = yield* countTransactions(chainFor(worker, swap, "collect"), attempts)
  return (attempts.at(-1)?.createdAt ?? 0) + waitAfter(tries) - (yield* Clock.currentTimeMillis)
})

/**
 * origin_sent → origin_final or failed. Goes back to origin_prepared if another transaction has used the relayer's
 * nonce, or if a batch has left the swap out.
 */
export const watchOrigin = (worker: Worker, swap: SwapRecord) =>
  watch(worker, swap, {
    kind: "collect",
    cancel: (chain, isBatch, newest) =>
      worker.refused.has(newest.hash) ? Effect.succeed(true) : isOver(worker, swap)(chain, isBatch),
    failed: (included, current, isBatch) => notCollected(worker, current, included, isBatch),
    late: ({ hash }) => recordDoubt(worker, swap, hash),
    done: ({ block, hash }) => arrived(worker, swap, hash, block),
    dead: ({ gas = 0n, hash = "", message, time, why }, newest) =>
      Effect.gen(function* () {
        const loss = { hash, gas, isFinal: true, time }
        if (why === "reverted") {
          const reason = (yield* reasonNow(worker, swap)) ?? unknown
          yield* record(worker, swap, loss, reason)
          return yield* fail(worker, swap, reason.code, `the chain rejected the operation (${message})`, hash)
        }
        if (why === "left out") {
          const reason = yield* reasonNow(worker, swap)
          // The output was given back, so the collection must not be sent again.
          const isOver = !swap.reserved && reason?.code !== "ALREADY_DONE"
          const cause = reason ?? (isOver ? unknown : undefined)
          if (cause !== undefined) yield* record(worker, swap, { ...loss, isBatch: true }, cause)
          if (isOver) return yield* fail(worker, swap, cause?.code ?? unknown.code, message)
        }
        if (why === "replaced" && newest.cancels) yield* recordCancellation(worker, swap, newest.hash)
        if (why === "expired" || (yield* isLate(swap))) return yield* fail(worker, swap, "OPERATION_EXPIRED", expired)
        const left = yield* untilNextTry(worker, swap)
        if (left > 0) {
          const { pollMillis } = chainFor(worker, swap, "collect")
          return { swap, waitMillis: Math.min(left, pollMillis) }
        }
        if (why === "replaced") yield* raiseNonce(worker, swap, "collect")
        return yield* prepareOrigin(worker, swap)
      })
  })
