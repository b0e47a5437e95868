/**
 * The building blocks for all steps: compare-and-set changes, and transactions that are stored before they are sent.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, ChainUnavailable, Job } from "../chains/Chains.js"
import type { Directory } from "../chains/Directory.js"
import type * as Config from "../config/Config.js"
import { countFinishedSwap } from "../metrics/countFinishedSwap.js"
import type * as Pricing from "../pricing/Pricing.js"
import type { SpentGas } from "../store/SpentGas.js"
import * as Store from "../store/Store.js"
import { type Attempt, isTerminal, type Kind, type State, type SwapRecord } from "../store/SwapRecord.js"
import type { BatchQueue } from "./batchQueue.js"
import { checkpoint } from "./Checkpoints.js"
import { chainFor } from "./jobs.js"
import type { RelayerLanes } from "./relayerLanes.js"
import type * as SwapSignals from "./SwapSignals.js"

export interface Worker {
  /** The name under which this process claims swaps. */
  readonly owner: string
  readonly directory: Directory
  readonly store: Store.Store
  readonly signals: SwapSignals.SwapSignals
  readonly pricing: Pricing.Pricing
  /** How long each step is retried, and the maximum age of a quote. */
  readonly limits: Config.Execution
  readonly quotes: Config.Config["quotes"]
  /**
   * When this process must stop using each swap, in Unix milliseconds. After that time, another process may have
   * claimed the swap.
   */
  readonly heldUntil: Map<string, number>
  /**
   * When each transaction was last broadcast, by its hash. The map is empty at startup, so all pending transactions are
   * broadcast again.
   */
  readonly sentAt: Map<string, number>
  /** When all nodes refused a transaction, by its hash. */
  readonly refused: Map<string, number>
  /** Which transactions without a swap's input have been handled, by swap, hash and block. */
  readonly judged: Map<string, number>
  readonly lanes: RelayerLanes
  readonly queue: BatchQueue
  /** The costs of transactions that could not be recorded, by swap and kind. They are recorded later. */
  readonly unrecorded: Map<string, ReadonlyArray<SpentGas>>
}

/** The result of a step: the swap, and how long to wait before the next step. */
export interface StepResult {
  readonly swap: SwapRecord
  readonly waitMillis: number
  /** Waits for the chain instead of for `waitMillis`. */
  readonly wait?: Effect.Effect<void>
  /** Whether the swap is waiting for an external event and does not need to stay claimed. */
  readonly idle?: boolean
}

/** Why a step cannot be completed now. The stored swap stays unchanged. */
export type StepError = ChainUnavailable | Store.Conflict | Store.StoreUnavailable

export type Step = Effect.Effect<StepResult, StepError>

/** The fields that a change sets in addition to the state. */
type Facts = Omit<Store.Change, "swap" | "owner" | "to" | "detail">

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
): Effect.fn.Return<SwapRecord, Store.Conflict | Store.StoreUnavailable> {
  yield* beforeChange(swap, to)
  const changed = yield* store.change({ ...facts, swap, owner, to, detail })
  yield* afterChange({ signals }, swap, to, detail, changed.version)
  return changed
})

/** Ends a step by releasing the swap for a while. */
export const idleFor = (swap: SwapRecord, waitMillis: number): StepResult => ({ swap, waitMillis, idle: true })

/** Ends a step and continues with the next step at once. */
export const continueNow = (swap: SwapRecord): StepResult => ({ swap, waitMillis: 0 })

/** Simulates a job for the relayer that should send its transaction. */
export const prepare = Effect.fnUntraced(function* ({ lanes }: Worker, chain: Chain, job: Job) {
  const relayers = yield* lanes.order(chain)
  return yield* chain.prepare(job, relayers, yield* lanes.pending(chain))
})

/** Fails if another process may have claimed the swap, for example because this process was suspended. */
const stillOurs = Effect.fnUntraced(function* ({ heldUntil }: Worker, { id }: SwapRecord) {
  if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return
  return yield* new Store.Conflict({
    message: "Another worker may have claimed the swap, so no transaction was sent."
  })
})

/** How much each map of a process keeps. A transaction that was forgotten is broadcast again sooner. */
const capacity = 10_000

/** Adds a key with a time, and forgets the oldest key if there are too many. */
export const remember = (times: Map<string, number>, key: string, at: number): void => {
  times.delete(key)
  times.set(key, at)
  const [oldest] = times.size > capacity ? times.keys() : []
  if (oldest !== undefined) times.delete(oldest)
}

/** Broadcasts a stored transaction. Remembers if all nodes refuse it. */
export const broadcast = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind, attempt: Attempt) {
  const chain = chainFor(worker.directory.chains, swap, kind)
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
  const { directory, store } = worker
  const chain = chainFor(directory.chains, swap, kind)
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
