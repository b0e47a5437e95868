/**
 * Sends stored transactions, then observes, rebroadcasts and replaces them until they are final or can no longer be
 * included.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import type { Outcome } from "../../chains/Outcome.js"
import type { Attempt, Kind, State, SwapRecord } from "../../domain/SwapRecord.js"
import type { Intent } from "../../store/swaps/Change.js"
import { recordSpentGas } from "../steps/recordSpentGas.js"
import type { Step, StepError, StepResult } from "../steps/Step.js"
import { advance, afterChange, beforeChange, broadcast, change } from "../steps/stepActions.js"
import { chainFor, jobOf } from "../steps/swapJobs.js"
import type { Worker } from "../Worker.js"

type Hashes = "originTxHash" | "deliveryTxHash" | "refundTxHash"

const hashOf: Readonly<Record<Kind, Hashes>> = {
  collect: "originTxHash",
  deliver: "deliveryTxHash",
  refund: "refundTxHash"
}

/** prepared → sent: broadcasts the latest attempt. */
export const send = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind, to: State) {
  const chain = chainFor(worker, swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  // If the swap is in a batch, another one may just have broadcast it.
  if (newest !== undefined && !worker.sentAt.has(newest.hash)) yield* broadcast(worker, swap, kind, newest)
  return yield* advance(worker, swap, to, `the ${kind} transaction was sent to chain ${chain.id}`)
})

export type Included = Extract<Outcome, { readonly _tag: "Included" }>

/** How to handle a sent transaction. */
export interface Watch {
  readonly kind: Kind
  /** Whether to cancel the transaction by replacing it with one that only uses up the nonce. */
  readonly cancel: (chain: Chain, isBatch: boolean, newest: Attempt) => Effect.Effect<boolean, StepError>
  readonly done: (outcome: Extract<Outcome, { readonly _tag: "Done" }>) => Step
  readonly dead: (outcome: Extract<Outcome, { readonly _tag: "Dead" }>, newest: Attempt) => Step
  /** Handles a transaction that is in a block, which is not final, and has not done the job. */
  readonly failed?: (outcome: Included, swap: SwapRecord, isBatch: boolean) => Effect.Effect<SwapRecord, StepError>
  /** Runs before a transaction that is not in a block is broadcast again. */
  readonly late?: (newest: Attempt) => Effect.Effect<void, StepError>
}

/** The minimum time before a transaction is broadcast again if no node shows it. */
const rebroadcastMillis = 2_000
/** How many polls to wait before a transaction is broadcast again. A block may take one, and observing it another. */
const rebroadcastPolls = 4
/** The maximum time between two observations, because fees, deadlines and lost transactions do not depend on blocks. */
const longestWaitMillis = 2_000

/** Whether the newest attempt is a batch, or replaces one. */
const isInBatch = Effect.fnUntraced(function* (chain: Chain, attempts: ReadonlyArray<Attempt>) {
  const newest = attempts.at(-1)
  const batch = chain.family === "evm" ? attempts.find((attempt) => chain.isBatch(attempt)) : undefined
  if (newest === undefined || batch === undefined || batch.nonce !== newest.nonce) return false
  return (yield* chain.signerOf(batch)) === (yield* chain.signerOf(newest))
})

/** Stores an attempt that replaces the newest one. Returns `undefined` if another worker has already replaced it. */
const replace = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  intent: Intent,
  replaced: Attempt,
  isBatch: boolean
) {
  const { attempt, kind } = intent
  const what = attempt.cancels ? "is being canceled" : "is being sent again with a higher fee"
  const detail = `the ${kind} transaction ${what}: ${attempt.hash}`
  const { owner, store } = worker
  const { state } = swap
  if (!isBatch) return yield* change(worker, swap, state, detail, { intent })
  yield* beforeChange(swap, state)
  const result = yield* store.batches.replace({ swap, owner, to: state, detail }, intent, replaced.hash)
  if (result._tag === "AlreadyReplaced") return undefined
  yield* afterChange(worker, swap, state, detail, result.swap.version)
  return result.swap
})

/** How long a node that no longer shows a transaction in a block is assumed to be merely lagging behind. */
const behindMillis = 5_000

/**
 * Removes the stored block if the collection transaction is no longer in a block, because the block was reorged out. The
 * input is then counted against the wallet's balance again.
 */
const excluded = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind) {
  if (kind !== "collect" || swap.originBlock === undefined) return swap
  if ((yield* Clock.currentTimeMillis) - swap.updatedAt < behindMillis) return swap
  return yield* change(worker, swap, swap.state, "the collection transaction is no longer in a block", {
    originBlock: null
  })
})

/** Observes a transaction once. Rebroadcasts or replaces it if needed. */
export const watch = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  { cancel, dead, done, failed, kind, late }: Watch
) {
  const chain = chainFor(worker, swap, kind)
  const job = jobOf(swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  if (newest === undefined)
    return yield* Effect.die(`swap ${swap.id} is in a sent state without a stored ${kind} transaction`)
  const outcome = yield* chain.observe(job, attempts)
  if (outcome._tag !== "Waiting") worker.queue.landed(swap.id)
  const later = (next: SwapRecord): StepResult => ({
    swap: next,
    waitMillis: chain.pollMillis,
    wait: chain.nextLook(Math.max(longestWaitMillis, chain.pollMillis))
  })
  switch (outcome._tag) {
    case "Done":
      yield* recordSpentGas(worker, swap, kind, outcome)
      return yield* done(outcome)
    case "Dead":
      yield* recordSpentGas(worker, swap, kind, outcome)
      return yield* dead(outcome, newest)
    case "Included": {
      if (!outcome.succeeded) {
        const without = yield* excluded(worker, swap, kind)
        const landed = attempts.find(({ hash }) => hash.toLowerCase() === outcome.hash.toLowerCase())
        // The job can be done again after a cancellation.
        if (failed === undefined || landed?.cancels === true) return later(without)
        return later(yield* failed(outcome, without, yield* isInBatch(chain, attempts)))
      }
      const field = hashOf[kind]
      const originBlock = kind === "collect" ? outcome.block : swap.originBlock
      return swap[field] === outcome.hash && swap.originBlock === originBlock
        ? later(swap)
        : later(
            yield* change(
              worker,
              swap,
              swap.state,
              `the ${kind} transaction is in a block that is not final yet: ${outcome.hash}`,
              {
                [field]: outcome.hash,
                originBlock
              }
            )
          )
    }
    case "Waiting": {
      const isBatch = yield* isInBatch(chain, attempts)
      const attempt = yield* chain.replace(job, attempts, yield* cancel(chain, isBatch, newest))
      if (attempt !== undefined) {
        const intent = { kind, chainId: chain.id, signer: yield* chain.signerOf(attempt), attempt }
        const changed = yield* replace(worker, swap, intent, newest, isBatch)
        if (changed === undefined) return later(swap)
        yield* broadcast(worker, swap, kind, attempt)
        return later(changed)
      }
      // Nodes can drop pending transactions, and after a crash it is unknown whether a transaction was ever sent.
      const since = (yield* Clock.currentTimeMillis) - (worker.sentAt.get(newest.hash) ?? 0)
      if (since >= Math.max(rebroadcastMillis, rebroadcastPolls * chain.pollMillis)) {
        if (late !== undefined && !newest.cancels) yield* late(newest)
        yield* broadcast(worker, swap, kind, newest)
      }
      return later(yield* excluded(worker, swap, kind))
    }
  }
})
