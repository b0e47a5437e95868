/**
 * The building blocks for all steps: compare-and-set changes, and transactions that are stored before they are sent.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import * as BoundedMap from "../../concurrency/boundedMap.js"
import type { Job } from "../../domain/Job.js"
import { type Attempt, isTerminal, type Kind, type State, type SwapRecord } from "../../domain/SwapRecord.js"
import { countFinishedSwap } from "../../metrics/countFinishedSwap.js"
import { Conflict } from "../../store/StoreError.js"
import type { Change } from "../../store/swaps/Change.js"
import { checkpoint } from "../../tracing/Checkpoints.js"
import type { Worker } from "../Worker.js"
import type { StepResult } from "./Step.js"
import { chainFor } from "./swapJobs.js"

/** The fields that a change sets in addition to the state. */
type Facts = Omit<Change, "swap" | "owner" | "to" | "detail">

const nameOf = ({ state }: SwapRecord, to: State) => (to === state ? `${to} again` : to)

/** What happens before a change to a swap is stored. */
export const beforeChange = (swap: SwapRecord, to: State): Effect.Effect<void> =>
  checkpoint(`before ${nameOf(swap, to)}`)

/** What happens after a change to a swap was stored. Signals the subscribers if the swap has finished. */
export const afterChange = Effect.fnUntraced(function* (
  { signals }: Pick<Worker, "signals">,
  swap: SwapRecord,
  to: State,
  detail: string,
  version: number
) {
  if (isTerminal(to)) yield* countFinishedSwap(swap, to)
  yield* checkpoint(`after ${nameOf(swap, to)}`)
  yield* Effect.logInfo(`swap ${to}: ${detail}`).pipe(Effect.annotateLogs({ swapId: swap.id, state: to, version }))
  if (isTerminal(to)) yield* signals.publish(swap.id)
})

/** Stores a change. */
export const change = Effect.fnUntraced(function* (
  { signals, owner, store }: Pick<Worker, "owner" | "signals" | "store">,
  swap: SwapRecord,
  to: State,
  detail: string,
  facts: Facts = {}
) {
  yield* beforeChange(swap, to)
  const changed = yield* store.change({ ...facts, swap, owner, to, detail })
  yield* afterChange({ signals }, swap, to, detail, changed.version)
  return changed
})

/** Ends a step and continues with the next step at once. */
export const continueNow = (swap: SwapRecord): StepResult => ({ swap, waitMillis: 0 })

/** Ends a step by storing a change. */
export const advance = (...args: Parameters<typeof change>) => Effect.map(change(...args), continueNow)

/** Simulates a job for the relayer that should send its transaction. */
export const prepare = Effect.fnUntraced(function* ({ lanes }: Worker, chain: Chain, job: Job) {
  const relayers = yield* lanes.order(chain)
  return yield* chain.prepare(job, relayers, yield* lanes.pending(chain))
})

/** Fails if another process may have claimed the swap, for example because this process was suspended. */
const stillOurs = Effect.fnUntraced(function* ({ heldUntil }: Worker, { id }: SwapRecord) {
  if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return
  return yield* new Conflict({ message: "Another worker may have claimed the swap, so no transaction was sent." })
})

/** How much each map of a process keeps. A transaction that was forgotten is broadcast again sooner. */
const capacity = 10_000

/** Adds a key with a time, and forgets the oldest key if there are too many. */
export const remember = (times: Map<string, number>, key: string, at: number): void =>
  BoundedMap.remember(times, key, at, capacity)

/** Broadcasts a stored transaction. Remembers if all nodes refuse it. */
export const broadcast = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind, attempt: Attempt) {
  const chain = chainFor(worker, swap, kind)
  yield* stillOurs(worker, swap)
  yield* checkpoint(`before broadcast ${kind}`)
  // Before the broadcast, so that the other swaps of a batch do not broadcast it as well.
  const now = yield* Clock.currentTimeMillis
  remember(worker.sentAt, attempt.hash, now)
  yield* chain.broadcast(attempt).pipe(
    Effect.catchTags({
      Refused: ({ message }) => {
        remember(worker.refused, attempt.hash, now)
        return Effect.logWarning(`all nodes of chain ${chain.id} refuse the ${kind} transaction: ${message}`)
      },
      ChainUnavailable: ({ message }) =>
        Effect.logWarning(`the broadcast to chain ${chain.id} got no clear response: ${message}`)
    })
  )
  yield* checkpoint(`after broadcast ${kind}`)
})

/**
 * Raises the stored nonce to the chain's nonce, because another transaction has used a nonce of the relayer that signed
 * the newest attempt.
 */
export const raiseNonce = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind) {
  const { store } = worker
  const chain = chainFor(worker, swap, kind)
  const newest = (yield* store.attempts(swap.id, kind)).at(-1)
  if (chain.family !== "evm" || newest === undefined) return
  const relayer = yield* chain.signerOf(newest)
  yield* store.raiseNonce(chain.id, relayer, yield* chain.relayerNonce(relayer))
})

/** How many transactions the attempts are for. Attempts with the same relayer and nonce replace each other. */
export const countTransactions = Effect.fnUntraced(function* (chain: Chain, attempts: ReadonlyArray<Attempt>) {
  const slots = yield* Effect.forEach(attempts, (attempt) =>
    Effect.map(chain.signerOf(attempt), (signer) => `${signer} ${attempt.nonce ?? attempt.hash}`)
  )
  return new Set(slots).size
})
