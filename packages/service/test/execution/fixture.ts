/** Executors on scripted chains and a real store, which a test can kill at any checkpoint. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as Sqlite from "../../../../apps/server/src/storage/Sqlite.js"
import { memory } from "../../../../apps/server/src/storage/sqlite/file.js"
import * as SwapSignals from "../../src/concurrency/SwapSignals.js"
import { type Accepted, isTerminal, type SwapRecord } from "../../src/domain/SwapRecord.js"
import * as Executor from "../../src/execution/Executor.js"
import type { Pricing } from "../../src/pricing/Pricing.js"
import * as SqlStore from "../../src/store/SqlStore.js"
import { Store } from "../../src/store/Store.js"
import { accept as acceptOrder, order, plenty, usdc, weth } from "../../src/testing/storeContract/fixture.js"
import { Checkpoints } from "../../src/tracing/Checkpoints.js"
import { VenueUnavailable } from "../../src/venue/Venue.js"
import { scriptedChain } from "../chains/scriptedChain.js"

const token = (address: string, symbol: string) => ({ address, symbol, decimals: 6 })

/** How long an operation may be executed after it was accepted. */
const lifetime = 90_000

/** A store and chains of a process that hang once it is dead. */
const until = <Methods extends object>(dead: () => boolean, methods: Methods): Methods => {
  const guard = (effect: Effect.Effect<unknown>) => Effect.suspend(() => (dead() ? Effect.never : effect))
  return Object.fromEntries(
    Object.entries(methods).map(([name, member]: [string, unknown]) => [
      name,
      Effect.isEffect(member)
        ? guard(member as Effect.Effect<unknown>)
        : typeof member === "function"
          ? (...input: ReadonlyArray<unknown>) => {
              const result: unknown = (member as (...input: ReadonlyArray<unknown>) => unknown)(...input)
              return Effect.isEffect(result) ? guard(result as Effect.Effect<unknown>) : result
            }
          : typeof member === "object" && member !== null && Object.getPrototypeOf(member) === Object.prototype
            ? until(dead, member)
            : member
    ])
  ) as Methods
}

/** Two chains, a venue whose price can be set, and a store, for one test. */
export const fixture = Effect.gen(function* () {
  const context = yield* Layer.build(SqlStore.layer.pipe(Layer.provideMerge(Sqlite.layer({ path: memory }))))
  const store = yield* Effect.provideContext(Store, context)
  const sql = Context.get(context, SqlClient)
  const origin = scriptedChain(31_337, [token(usdc, "USDC")])
  const destination = scriptedChain(31_338, [token(weth, "WETH")])
  const venue: { price: bigint | undefined } = { price: 4n }
  const pricing: Pricing = {
    price: () => Effect.die("The executor asks for no quote."),
    reprice: () =>
      Effect.suspend(() =>
        venue.price === undefined
          ? Effect.fail(new VenueUnavailable({ message: "The venue does not answer.", timeout: true }))
          : Effect.succeed(venue.price)
      )
  }
  const chains = [origin.chain, destination.chain]

  /** Accepts a swap of the wallet, as a submit does. */
  const accept = Effect.fnUntraced(function* (
    over: Partial<Accepted> = {},
    number: number = 1,
    lifetimeMillis: number = lifetime
  ) {
    const now = yield* Clock.currentTimeMillis
    const { operation, ...swap } = order(number)
    const deadline = Math.floor((now + lifetimeMillis) / 1000)
    const result = yield* acceptOrder(
      store,
      {
        ...swap,
        operation: { ...operation, deadline } as Accepted["operation"],
        createdAt: now,
        quotedAt: now,
        ...over
      },
      plenty
    )
    return result._tag === "Inserted" ? result.swap.id : yield* Effect.die(result._tag)
  })

  /**
   * Starts a process, which ends in an orderly way with the scope. `reached` gets every checkpoint; if it returns `kill`,
   * the process dies there as in a crash: nothing that it still does has an effect.
   */
  const start = Effect.fnUntraced(function* (
    reached: (checkpoint: string) => "kill" | undefined = () => undefined,
    concurrency: number = 10
  ) {
    const state = { dead: false }
    const dead = () => state.dead
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) =>
      // A dead process never finishes closing, because its store hangs.
      dead() ? Effect.forkDetach(Scope.close(scope, exit)) : Scope.close(scope, exit)
    )
    const directory = {
      chains: new Map(chains.map((chain) => [chain.id, until(dead, chain)])),
      natives: new Map<number, string>()
    }
    const layer = Executor.layer({
      directory,
      pricing,
      config: {
        execution: {
          deliveryRetryMillis: 10_000,
          venueRetryMillis: 10_000,
          destinationRetryMillis: 30_000,
          maxQuoteAgeMillis: 300_000,
          concurrency
        },
        quotes: { defaultSlippageBps: 50, highPriceImpactBps: -300, maxDriftBps: 5 }
      }
    }).pipe(Layer.provide(SwapSignals.layer), Layer.provide(Layer.succeed(Store, until(dead, store))))
    yield* Layer.buildWithScope(layer, scope).pipe(
      Effect.provideService(Checkpoints, (checkpoint) =>
        Effect.suspend(() => {
          if (dead()) return Effect.never
          if (reached(checkpoint) !== "kill") return Effect.void
          state.dead = true
          return Effect.never
        })
      )
    )
  })

  const swapOf = (id: string): Effect.Effect<SwapRecord> => Effect.orDie(Effect.map(store.swap(id), Option.getOrThrow))

  /** Lets time pass until the swap is terminal, or for that long. */
  const ended = Effect.fnUntraced(function* (id: string, millis = 600_000) {
    for (let passed = 0; passed < millis;) {
      const swap = yield* swapOf(id)
      if (isTerminal(swap.state)) return swap
      const step = passed < 60_000 ? 1_000 : 5_000
      yield* TestClock.adjust(step)
      passed += step
    }
    return yield* swapOf(id)
  })

  /** What the chains have paid for an order, in the order of the protocol: `collect`, `deliver`, `refund`. */
  const paid = Effect.map(Effect.all([origin.payments, destination.payments]), (all) =>
    all.flat().map(({ kind }) => kind)
  )

  return { accept, destination, ended, origin, paid, sql, start, store, swapOf, venue }
})
