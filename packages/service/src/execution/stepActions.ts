/**
 * The building blocks for all steps: compare-and-set changes, and transactions that are stored before they are sent.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Chain, ChainUnavailable, Draft, Job } from "../chains/Chains.js"
import type { Directory } from "../chains/Directory.js"
import type * as Config from "../config/Config.js"
import { countFinishedSwap } from "../metrics/countFinishedSwap.js"
import type * as Pricing from "../pricing/Pricing.js"
import * as Store from "../store/Store.js"
import { type Attempt, isTerminal, type Kind, type State, type SwapRecord } from "../store/SwapRecord.js"
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
   * When each swap's transaction was last broadcast. The map is empty at startup, so all pending transactions are
   * broadcast again.
   */
  readonly sentAt: Map<string, number>
  readonly lanes: RelayerLanes
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

/** Stores a change. Signals the subscribers if the swap has finished. */
export const change = Effect.fnUntraced(function* (
  { signals, owner, store }: Worker,
  swap: SwapRecord,
  to: State,
  detail: string,
  facts: Facts = {}
): Effect.fn.Return<SwapRecord, Store.Conflict | Store.StoreUnavailable> {
  const name = to === swap.state ? `${to} again` : to
  yield* checkpoint(`before ${name}`)
  const changed = yield* store.change({ ...facts, swap, owner, to, detail })
  if (isTerminal(to)) yield* countFinishedSwap(swap, to)
  yield* checkpoint(`after ${name}`)
  yield* Effect.logInfo(`swap ${to}: ${detail}`).pipe(
    Effect.annotateLogs({ swapId: swap.id, state: to, version: changed.version })
  )
  if (isTerminal(to)) yield* signals.publish(swap.id)
  return changed
})

/** Ends a step by releasing the swap for a while. */
export const idleFor = (swap: SwapRecord, waitMillis: number): StepResult => ({ swap, waitMillis, idle: true })

/** Ends a step and continues with the next step at once. */
export const continueNow = (swap: SwapRecord): StepResult => ({ swap, waitMillis: 0 })

/** The maximum number of retries if another process keeps taking the nonce first. After that, the step fails. */
const nonceTries = 50

/** Simulates a job for the relayer that should send its transaction. */
export const prepare = Effect.fnUntraced(function* ({ lanes }: Worker, chain: Chain, job: Job) {
  return yield* chain.prepare(job, yield* lanes.order(chain))
})

/** Signs a transaction with the relayer's next nonce and stores it before it is broadcast. */
export const signAndStore = (
  worker: Worker,
  swap: SwapRecord,
  kind: Kind,
  draft: Draft,
  to: State,
  detail: string,
  facts: Facts = {}
): Effect.Effect<SwapRecord, StepError> => {
  const chain = chainFor(worker.directory.chains, swap, kind)
  const { relayer } = draft
  const attemptOnce = Effect.gen(function* () {
    const nonce = chain.family === "evm" ? yield* worker.store.nextNonce(chain.id, relayer) : undefined
    const attempt = yield* chain.sign(draft, nonce)
    return yield* change(worker, swap, to, `${detail}: ${attempt.hash}`, {
      ...facts,
      intent: { kind, chainId: chain.id, signer: relayer, attempt }
    })
  })
  // Another process may sign with the same key and take the nonce first.
  const write = Effect.retry(attemptOnce, {
    while: (error) => error._tag === "Conflict" && error.nonce === true,
    times: nonceTries
  })
  return chain.family === "evm" ? worker.lanes.withNonce(chain.id, relayer)(write) : write
}

/** Fails if another process may have claimed the swap, for example because this process was suspended. */
const stillOurs = Effect.fnUntraced(function* ({ heldUntil }: Worker, { id }: SwapRecord) {
  if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return
  return yield* new Store.Conflict({
    message: "Another worker may have claimed the swap, so no transaction was sent."
  })
})

/** Broadcasts a stored transaction. The node's response is only logged. */
export const broadcast = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind, attempt: Attempt) {
  const chain = chainFor(worker.directory.chains, swap, kind)
  yield* stillOurs(worker, swap)
  yield* checkpoint(`before broadcast ${kind}`)
  yield* chain
    .broadcast(attempt)
    .pipe(
      Effect.catch((error) =>
        Effect.logWarning(`the broadcast to chain ${chain.id} got no clear response: ${error.message}`)
      )
    )
  worker.sentAt.set(swap.id, yield* Clock.currentTimeMillis)
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
