/**
 * Executes swaps. The executor claims swaps that no process is working on, including those that crashed processes left
 * behind, and runs them.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import type { Directory } from "../chains/Directory.js"
import * as SwapSignals from "../concurrency/SwapSignals.js"
import type * as Config from "../config/Config.js"
import type { SwapRecord } from "../domain/SwapRecord.js"
import type * as Pricing from "../pricing/Pricing.js"
import { Store } from "../store/Store.js"
import { closePaid, type ClosingPayment } from "./operator/closePaid.js"
import { failUncollected, type Proof } from "./operator/failUncollected.js"
import { NotProven } from "./operator/operatorChange.js"
import { runDelegations } from "./sendDelegationChanges.js"
import { runSwap } from "./stateMachine.js"
import * as BatchQueue from "./transactions/batchQueue.js"
import * as RelayerLanes from "./transactions/chooseRelayer.js"
import { storeTogether } from "./transactions/signAndStore.js"
import type { Worker } from "./Worker.js"

export { closePaid, failUncollected, NotProven }
export type { ClosingPayment, Proof }

export interface Options {
  readonly directory: Directory
  readonly pricing: Pricing.Pricing
  readonly config: Pick<Config.Config, "execution" | "quotes">
  /**
   * Whether this is the only process that uses the storage. If so, leases held by crashed processes are released at
   * startup.
   */
  readonly exclusive?: boolean | undefined
}

export interface Executor {
  /** How many swaps this process is working on. */
  readonly working: Effect.Effect<number>
}

/** The part of the service that moves tokens. */
export const Executor: Context.Service<Executor, Executor> =
  /* @__PURE__ */ Context.Service<Executor>("@geoswap/service/Executor")

/**
 * How long a lease lasts if it is not renewed. After a process has crashed, its swaps stay claimed for at most this
 * long.
 */
const leaseMillis = 15_000
/** A worker stops using its lease this long before the lease expires, because clocks differ and requests take time. */
const marginMillis = 2_000
/**
 * How often to look for swaps that were not announced by a signal, such as those that a crashed process left behind.
 */
const pollMillis = 1_000
/** The maximum number of swaps to claim at once. */
const batch = 200

const make = Effect.fnUntraced(function* ({ config: { execution, quotes }, directory, pricing }: Options) {
  const store = yield* Store
  const signals = yield* SwapSignals.SwapSignals
  const running = yield* FiberMap.make<string>()
  const owner = crypto.randomUUID()
  const lanes = yield* RelayerLanes.make(store)
  const queue: BatchQueue.BatchQueue = yield* BatchQueue.make((chain, jobs, isIdle) =>
    storeTogether({ lanes, owner, queue, signals, store }, chain, jobs, isIdle)
  )
  const worker: Worker = {
    owner,
    ...directory,
    store,
    signals,
    pricing,
    limits: execution,
    quotes,
    heldUntil: new Map(),
    sentAt: new Map(),
    refused: new Map(),
    judged: new Map(),
    lanes,
    queue,
    unrecorded: new Map()
  }

  const work = Effect.fnUntraced(
    function* (swap: SwapRecord) {
      const idleMillis = yield* runSwap(worker, swap)
      if (idleMillis !== undefined) yield* store.release(owner, [swap.id], idleMillis)
    },
    Effect.catch((error) => Effect.logWarning(`the swap remains claimed until its lease expires: ${error.message}`))
  )

  const claimSwaps = Effect.gen(function* () {
    const free = execution.concurrency - (yield* FiberMap.size(running))
    const limit = Math.min(free, batch)
    const until = (yield* Clock.currentTimeMillis) + leaseMillis - marginMillis
    const claimed = limit > 0 ? yield* store.claim({ owner, leaseMillis, limit }) : []
    for (const { id } of claimed) worker.heldUntil.set(id, until)
    for (const swap of claimed) yield* FiberMap.run(running, swap.id, work(swap), { onlyIfMissing: true })
    if (claimed.length < limit || limit === 0) {
      yield* Effect.raceFirst(signals.announced, Effect.sleep(pollMillis))
    }
  }).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logWarning(`swaps cannot be claimed at the moment: ${error.message}`),
        Effect.sleep(pollMillis)
      )
    )
  )

  const renewLeases = Effect.gen(function* () {
    yield* Effect.sleep(leaseMillis / 3)
    const ids = Array.from(running, ([id]) => id)
    if (ids.length === 0) return
    const until = (yield* Clock.currentTimeMillis) + leaseMillis - marginMillis
    const kept = new Set(yield* store.renew(owner, ids, leaseMillis))
    for (const id of ids) {
      if (kept.has(id)) worker.heldUntil.set(id, until)
      else yield* FiberMap.remove(running, id)
    }
  }).pipe(Effect.catch((error) => Effect.logWarning(`leases cannot be renewed at the moment: ${error.message}`)))

  // Release the swaps before the fibers end, so that another process can take over the swaps at once.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const ids = Array.from(running, ([id]) => id)
      yield* FiberMap.clear(running)
      yield* store.release(owner, ids)
    }).pipe(
      Effect.catch((error) => Effect.logWarning(`swaps remain claimed until their leases expire: ${error.message}`))
    )
  )
  yield* Effect.forkScoped(Effect.forever(claimSwaps))
  yield* Effect.forkScoped(Effect.forever(renewLeases))
  yield* Effect.forkScoped(runDelegations(worker))
  return { working: FiberMap.size(running) }
})

/**
 * Executes swaps until the layer is released. First raises the relayers' stored nonces to the current nonces on all
 * chains that respond.
 */
export const layer = (options: Options): Layer.Layer<Executor, never, Store | SwapSignals.SwapSignals> =>
  Layer.effect(
    Executor,
    Effect.gen(function* () {
      const store = yield* Store
      if (options.exclusive === true) yield* Effect.orDie(store.releaseAll)
      for (const chain of options.directory.chains.values()) {
        if (chain.family !== "evm") continue
        yield* Effect.forEach(
          chain.relayers,
          (relayer) =>
            Effect.flatMap(chain.relayerNonce(relayer), (nonce) => store.raiseNonce(chain.id, relayer, nonce)).pipe(
              Effect.catch((error) => Effect.logWarning(`the relayer's nonce cannot be read yet: ${error.message}`))
            ),
          { concurrency: "unbounded", discard: true }
        )
      }
      return yield* make(options)
    })
  )
