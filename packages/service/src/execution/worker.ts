/** What every step of a swap is made of: changes that are compared and set, and transactions that are stored first. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { ChainUnavailable, Draft } from "../chains/Chains.js"
import type * as SwapSignals from "./SwapSignals.js"
import type * as Config from "../config/Config.js"
import type * as Pricing from "../pricing/Pricing.js"
import { checkpoint } from "./Checkpoints.js"
import * as Store from "../store/Store.js"
import { type Attempt, isTerminal, type Kind, type State, type SwapRecord } from "../store/SwapRecord.js"
import type { Directory } from "../chains/Directory.js"
import { countFinishedSwap } from "../metrics/countFinishedSwap.js"
import { chainFor } from "./jobs.js"

export interface Worker {
  /** The name by which this process holds swaps. */
  readonly owner: string
  readonly directory: Directory
  readonly store: Store.Shape
  readonly signals: SwapSignals.Shape
  readonly pricing: Pricing.Pricing
  /** How long each step is retried, and how old a quote may get. */
  readonly limits: Config.Execution
  readonly quotes: Config.Config["quotes"]
  /** Until when each swap is surely ours, in milliseconds since 1970: another may have taken it over after that. */
  readonly heldUntil: Map<string, number>
  /** When each swap's transaction last went out. A process that starts knows nothing, and sends everything again. */
  readonly sentAt: Map<string, number>
  /** One at a time per chain between reading a nonce and storing what was signed with it. */
  readonly nonceLocks: ReadonlyMap<number, Semaphore.Semaphore>
}

/** What a step leaves: the swap as it is now, and how long nothing is to be done. */
export interface StepResult {
  readonly swap: SwapRecord
  readonly waitMillis: number
  /** Nothing of ours is under way: somebody else has to act first, and the swap need not be held meanwhile. */
  readonly idle?: boolean
}

/** Why a step cannot be taken now; the swap stays as it is stored. */
export type StepError = ChainUnavailable | Store.Conflict | Store.StoreUnavailable

export type Step = Effect.Effect<StepResult, StepError>

/** A lane for each chain. */
export const makeNonceLocks = ({ chains }: Directory): ReadonlyMap<number, Semaphore.Semaphore> =>
  new Map([...chains.keys()].map((id) => [id, Semaphore.makeUnsafe(1)]))

/** What a change sets besides the state. */
type Facts = Omit<Store.Change, "swap" | "owner" | "to" | "detail">

/** Writes a change, and tells who waits for the end. */
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

/** Lets the swap go for a while. */
export const idleFor = (swap: SwapRecord, waitMillis: number): StepResult => ({ swap, waitMillis, idle: true })

/** Goes on at once. */
export const continueNow = (swap: SwapRecord): StepResult => ({ swap, waitMillis: 0 })

/** How often in a row another process may be faster, until the swap is looked at anew. */
const nonceTries = 50

/** Signs a transaction with the relayer's next nonce and stores it, before anybody sees it. */
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
  const attemptOnce = Effect.gen(function* () {
    const nonce = chain.family === "evm" ? yield* worker.store.nextNonce(chain.id, chain.relayer) : undefined
    const attempt = yield* chain.sign(draft, nonce)
    return yield* change(worker, swap, to, `${detail}: ${attempt.hash}`, {
      ...facts,
      intent: { kind, chainId: chain.id, signer: chain.relayer, attempt }
    })
  })
  // Another process signs with the same key: whoever comes second takes the next nonce.
  const write = Effect.retry(attemptOnce, {
    while: (error) => error._tag === "Conflict" && error.nonce === true,
    times: nonceTries
  })
  const lock = worker.nonceLocks.get(chain.id)
  return chain.family === "evm" && lock !== undefined ? lock.withPermit(write) : write
}

/** A process that was stopped, or lost its database, may be the only one that does not know that it lost the swap. */
const stillOurs = Effect.fnUntraced(function* ({ heldUntil }: Worker, { id }: SwapRecord) {
  if ((yield* Clock.currentTimeMillis) < (heldUntil.get(id) ?? 0)) return
  return yield* new Store.Conflict({
    message: "The swap may belong to another worker by continueNow: nothing is sent."
  })
})

/** Brings a stored transaction to the chain. The node's answer decides nothing. */
export const broadcast = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind, attempt: Attempt) {
  const chain = chainFor(worker.directory.chains, swap, kind)
  yield* stillOurs(worker, swap)
  yield* checkpoint(`before broadcast ${kind}`)
  yield* chain
    .broadcast(attempt)
    .pipe(
      Effect.catch((error) => Effect.logWarning(`broadcast to chain ${chain.id} got no clear answer: ${error.message}`))
    )
  worker.sentAt.set(swap.id, yield* Clock.currentTimeMillis)
  yield* checkpoint(`after broadcast ${kind}`)
})

/** Somebody else used a nonce of the relayer: from now on we start above what the chain has seen. */
export const raiseNonce = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, kind: Kind) {
  const chain = chainFor(worker.directory.chains, swap, kind)
  if (chain.family === "evm") yield* worker.store.raiseNonce(chain.id, chain.relayer, yield* chain.relayerNonce)
})
