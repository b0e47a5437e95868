/** Executes swaps: takes over what nobody works on, at start-up as at any other time, and brings it to its end. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as SwapSignals from "./SwapSignals.js"
import type * as Config from "../config/Config.js"
import type { Directory } from "../chains/Directory.js"
import { NotProven } from "./operatorChange.js"
import { runSwap } from "./stateMachine.js"
import { closePaid, type ClosingPayment } from "./closePaid.js"
import { failUncollected, type Proof } from "./failUncollected.js"
import { makeNonceLocks, type Worker } from "./worker.js"
import type * as Pricing from "../pricing/Pricing.js"
import { Store } from "../store/Store.js"
import type { SwapRecord } from "../store/SwapRecord.js"

export { closePaid, failUncollected, NotProven }
export type { ClosingPayment, Proof }

export interface Options {
  readonly directory: Directory
  readonly pricing: Pricing.Pricing
  readonly config: Pick<Config.Config, "execution" | "quotes">
  /** No other process uses this storage, so that what a dead one held is free at once. */
  readonly exclusive?: boolean | undefined
}

export interface Shape {
  /** How many swaps this process works on. */
  readonly working: Effect.Effect<number>
}

/** The part of the service that moves tokens. */
export class Executor extends Context.Service<Executor, Shape>()("@geoswap/service/Executor") {}

/** How long a swap is held by a process that does not answer any more. */
const leaseMillis = 15_000
/** So long before its end a lease does not count any more for who holds it: clocks differ, and answers take time. */
const marginMillis = 2_000
/** How often to look for swaps that nobody announced: those of a process that died. */
const pollMillis = 1_000
/** How many to take at once. */
const batch = 200

const make = Effect.fnUntraced(function* ({ config: { execution, quotes }, directory, pricing }: Options) {
  const store = yield* Store
  const signals = yield* SwapSignals.SwapSignals
  const running = yield* FiberMap.make<string>()
  const owner = crypto.randomUUID()
  const worker: Worker = {
    owner,
    directory,
    store,
    signals,
    pricing,
    limits: execution,
    quotes,
    heldUntil: new Map(),
    sentAt: new Map(),
    nonceLocks: makeNonceLocks(directory)
  }

  const work = Effect.fnUntraced(
    function* (swap: SwapRecord) {
      const idleMillis = yield* runSwap(worker, swap)
      if (idleMillis !== undefined) yield* store.release(owner, [swap.id], idleMillis)
    },
    Effect.catch((error) => Effect.logWarning(`a swap stays held until its lease ends: ${error.message}`))
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
        Effect.logWarning(`swaps cannot be taken over at the moment: ${error.message}`),
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
  }).pipe(Effect.catch((error) => Effect.logWarning(`swaps cannot be held on to at the moment: ${error.message}`)))

  // Before the fibers end with the scope: so that another process can go on at once.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      const ids = Array.from(running, ([id]) => id)
      yield* FiberMap.clear(running)
      yield* store.release(owner, ids)
    }).pipe(Effect.catch((error) => Effect.logWarning(`swaps runState held until their lease ends: ${error.message}`)))
  )
  yield* Effect.forkScoped(Effect.forever(claimSwaps))
  yield* Effect.forkScoped(Effect.forever(renewLeases))
  return { working: FiberMap.size(running) }
})

/**
 * Executes swaps for as long as the layer lasts. Before the first one, the relayers' nonces are raised to what the
 * chains have seen, where those answer.
 */
export const layer = (options: Options): Layer.Layer<Executor, never, Store | SwapSignals.SwapSignals> =>
  Layer.effect(
    Executor,
    Effect.gen(function* () {
      const store = yield* Store
      if (options.exclusive === true) yield* Effect.orDie(store.releaseAll)
      for (const chain of options.directory.chains.values()) {
        if (chain.family !== "evm") continue
        yield* Effect.flatMap(chain.relayerNonce, (nonce) => store.raiseNonce(chain.id, chain.relayer, nonce)).pipe(
          Effect.catch((error) => Effect.logWarning(`the relayer's nonce is not known yet: ${error.message}`))
        )
      }
      return yield* make(options)
    })
  )
