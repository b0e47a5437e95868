/**
 * Sends stored transactions, then observes, rebroadcasts and replaces them until they are final or can no longer be
 * included.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, Outcome } from "../chains/Chains.js"
import type { Kind, State, SwapRecord } from "../store/SwapRecord.js"
import { chainFor, jobOf } from "./jobs.js"
import {
  broadcast,
  change,
  continueNow,
  type Step,
  type StepError,
  type StepResult,
  type Worker
} from "./stepActions.js"

type Hashes = "originTxHash" | "deliveryTxHash" | "refundTxHash"

const hashOf: Readonly<Record<Kind, Hashes>> = {
  collect: "originTxHash",
  deliver: "deliveryTxHash",
  refund: "refundTxHash"
}

/** prepared → sent: broadcasts the latest attempt. */
export const send = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  kind: Kind,
  to: State
): Effect.fn.Return<StepResult, StepError> {
  const chain = chainFor(worker.directory.chains, swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  if (newest !== undefined) yield* broadcast(worker, swap, kind, newest)
  return continueNow(yield* change(worker, swap, to, `the ${kind} transaction was sent to chain ${chain.id}`))
})

/** How to handle a sent transaction. */
export interface Watch {
  readonly kind: Kind
  /** Whether to cancel the transaction by replacing it with one that only uses up the nonce. */
  readonly cancel: (chain: Chain) => Effect.Effect<boolean, StepError>
  readonly done: (outcome: Extract<Outcome, { readonly _tag: "Done" }>) => Step
  readonly dead: (outcome: Extract<Outcome, { readonly _tag: "Dead" }>) => Step
}

/** The minimum time before a transaction is broadcast again if no node shows it. */
const rebroadcastMillis = 2_000
/** How many polls to wait before a transaction is broadcast again. A block may take one, and observing it another. */
const rebroadcastPolls = 4
/** The maximum time between two observations, because fees, deadlines and lost transactions do not depend on blocks. */
const longestWaitMillis = 2_000

/** How long a node that no longer shows a transaction in a block is assumed to be merely lagging behind. */
const behindMillis = 5_000

/**
 * Handles a collection transaction that reverted in a block that is not final yet. Releases the output's reservation.
 * If the block is reorged out and the input arrives after all, the output is reserved again.
 */
const reverted = (worker: Worker, swap: SwapRecord, kind: Kind) =>
  kind === "collect" && swap.reserved
    ? change(
        worker,
        swap,
        swap.state,
        "the collection transaction reverted in a block that is not final, so the output is no longer reserved",
        {
          releases: true
        }
      )
    : Effect.succeed(swap)

/**
 * Removes the stored block if the collection transaction is no longer in a block. The input is then counted against the
 * wallet's balance again.
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
  { cancel, dead, done, kind }: Watch
): Effect.fn.Return<StepResult, StepError> {
  const chain = chainFor(worker.directory.chains, swap, kind)
  const job = jobOf(swap, kind)
  const attempts = yield* worker.store.attempts(swap.id, kind)
  const newest = attempts.at(-1)
  if (newest === undefined)
    return yield* Effect.die(`swap ${swap.id} is in a sent state without a stored ${kind} transaction`)
  const outcome = yield* chain.observe(job, attempts)
  const later = (next: SwapRecord): StepResult => ({
    swap: next,
    waitMillis: chain.pollMillis,
    wait: chain.nextLook(Math.max(longestWaitMillis, chain.pollMillis))
  })
  switch (outcome._tag) {
    case "Done":
      return yield* done(outcome)
    case "Dead":
      return yield* dead(outcome)
    case "Included": {
      if (!outcome.succeeded) return later(yield* reverted(worker, yield* excluded(worker, swap, kind), kind))
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
      const attempt = yield* chain.replace(job, attempts, yield* cancel(chain))
      if (attempt !== undefined) {
        const what = attempt.cancels ? "is being canceled" : "is being sent again with a higher fee"
        const changed = yield* change(worker, swap, swap.state, `the ${kind} transaction ${what}: ${attempt.hash}`, {
          intent: { kind, chainId: chain.id, signer: yield* chain.signerOf(attempt), attempt }
        })
        yield* broadcast(worker, swap, kind, attempt)
        return later(changed)
      }
      // Nodes can drop pending transactions, and after a crash it is unknown whether a transaction was ever sent.
      const since = (yield* Clock.currentTimeMillis) - (worker.sentAt.get(swap.id) ?? 0)
      if (since >= Math.max(rebroadcastMillis, rebroadcastPolls * chain.pollMillis))
        yield* broadcast(worker, swap, kind, newest)
      return later(yield* excluded(worker, swap, kind))
    }
  }
})
