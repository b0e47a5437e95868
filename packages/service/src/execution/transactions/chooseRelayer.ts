/**
 * Chooses which of a chain's relayers signs the next transaction. Each relayer is a lane: it has a separate sequence of
 * nonces, so a transaction that is stuck holds up only the later transactions of the same relayer. A transaction is
 * signed only if the relayer can pay for all of its pending transactions, because a nonce that cannot be paid for would
 * block the lane.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { ChainUnavailable } from "../../chains/ChainError.js"
import type { Chain, EvmChain } from "../../chains/Chains.js"
import { nothingPending, type PendingCosts, type Relayers } from "../../chains/Draft.js"
import { addressKey } from "../../domain/addressKey.js"
import type { Lane } from "../../store/lanes/LaneStore.js"
import type { Store } from "../../store/Store.js"
import { Conflict, type StoreUnavailable } from "../../store/StoreError.js"

/** How long the stored counts are cached. A relayer that has just been retired may be chosen until then. */
const cachedMillis = 1_000

/** The maximum number of retries if another process keeps taking the nonce first. After that, signing fails. */
const nonceTries = 50

type SigningError = ChainUnavailable | Conflict | StoreUnavailable

/** The means to sign one transaction. `Nonce` is `number` on EVM chains. */
export interface Signing<Nonce> {
  /** What the relayers have pending. The chosen relayer's cost is added, and counts until the transaction is stored. */
  readonly pending: PendingCosts
  /** Runs an effect that signs with the chosen relayer's next nonce and stores the transaction. */
  readonly withNonce: <A, E, R>(
    relayer: string,
    store: (nonce: Nonce) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, Conflict | StoreUnavailable | E, R>
}

export interface RelayerLanes {
  /**
   * Returns the relayers that may sign the chain's next transaction, best first: those without a stuck transaction
   * before the others, then those with the fewest pending transactions. Counts the first one as chosen, unless `counts` is
   * false. Fails if all relayers are retired.
   */
  readonly order: (chain: Chain, counts?: boolean) => Effect.Effect<Relayers, ChainUnavailable | StoreUnavailable>
  /** Returns what the chain's relayers have pending. It is only read, because no transaction is about to be signed. */
  readonly pending: (chain: Chain) => Effect.Effect<PendingCosts, StoreUnavailable>
  /**
   * Signs one transaction: `sign` chooses a relayer that can pay, and stores the transaction with its next nonce. If
   * another process has signed with the same relayer in the meantime, `sign` runs again.
   */
  readonly signing: <A, R>(
    chain: EvmChain,
    sign: (signing: Signing<number>) => Effect.Effect<A, SigningError, R>
  ) => Effect.Effect<A, SigningError, R>
}

/** A transaction that is about to be signed, and the balance for which its relayer was chosen. */
interface Expense {
  readonly cost: bigint
  readonly balance: bigint
}

/** What this process knows about a lane in addition to the stored counts. */
interface OwnLane {
  /** Held while a nonce is taken. */
  readonly lock: Semaphore.Semaphore
  /** How often this process has chosen the lane since the counts were read. */
  chosen: number
  readonly expenses: Set<Expense>
  /** What the transactions with a nonce that is not counted may cost, by nonce. */
  readonly uncounted: Map<number, bigint>
}

/** The key of a relayer on a chain. */
export const laneKey = (chainId: number, relayer: string): string => `${chainId} ${addressKey(relayer)}`

const sum = (costs: Iterable<bigint>): bigint => Array.from(costs).reduce((total, cost) => total + cost, 0n)

export const make: (store: Pick<Store, "lanes">) => Effect.Effect<RelayerLanes> = Effect.fnUntraced(function* ({
  lanes
}) {
  const own = new Map<string, OwnLane>()
  const laneOf = (key: string): OwnLane => {
    const lane = own.get(key) ?? {
      lock: Semaphore.makeUnsafe(1),
      chosen: 0,
      expenses: new Set<Expense>(),
      uncounted: new Map<number, bigint>()
    }
    own.set(key, lane)
    return lane
  }

  let counts: ReadonlyMap<string, Lane> = new Map()
  const counted = yield* Effect.cachedWithTTL(
    Effect.map(lanes.all, (all) => {
      counts = new Map(all.map((lane) => [laneKey(lane.chainId, lane.relayer), lane]))
      for (const [key, lane] of own) {
        lane.chosen = 0
        const { nextNonce = 0 } = counts.get(key) ?? {}
        for (const nonce of lane.uncounted.keys()) if (nonce < nextNonce) lane.uncounted.delete(nonce)
      }
    }),
    cachedMillis
  )

  /** The first nonce whose transaction is neither counted nor known to be uncounted. */
  const firstUnknown = (key: string): number =>
    Math.max(counts.get(key)?.nextNonce ?? 0, ...Array.from(laneOf(key).uncounted.keys(), (nonce) => nonce + 1))

  const pendingOf = (key: string): bigint => {
    const { expenses, uncounted } = laneOf(key)
    const signed = (counts.get(key)?.pendingCost ?? 0n) + sum(uncounted.values())
    return signed + sum(Array.from(expenses, ({ cost }) => cost))
  }

  const order = Effect.fnUntraced(function* (
    chain: Chain,
    isChosen = true
  ): Effect.fn.Return<Relayers, ChainUnavailable | StoreUnavailable> {
    const { id, relayers } = chain
    if (relayers.length === 1) return relayers
    yield* counted
    const now = yield* Clock.currentTimeMillis
    const candidates = relayers.flatMap((relayer) => {
      const key = laneKey(id, relayer)
      const lane = counts.get(key)
      if (lane?.retiredAt !== undefined) return []
      const { oldestAt = now, pending = 0 } = lane ?? {}
      const isStuck = chain.family === "evm" && now - oldestAt > chain.stuckAfterMillis
      return [{ relayer, key, isStuck, load: pending + laneOf(key).chosen }]
    })
    const [best, ...rest] = candidates.toSorted(
      (one, other) => Number(one.isStuck) - Number(other.isStuck) || one.load - other.load
    )
    if (best === undefined) {
      const message = `All relayers of chain ${id} (${chain.name}) are retired. Restore one: geoswap-server relayers restore`
      return yield* new ChainUnavailable({ chainId: id, message, timeout: false })
    }
    if (isChosen) laneOf(best.key).chosen += 1
    return [best.relayer, ...rest.map(({ relayer }) => relayer)]
  })

  const once = <A, R>(
    chain: EvmChain,
    sign: (signing: Signing<number>) => Effect.Effect<A, SigningError, R>
  ): Effect.Effect<A, SigningError, R> => {
    const expenses = new Map<string, Expense>()
    const withNonce: Signing<number>["withNonce"] = (relayer, write) => {
      const key = laneKey(chain.id, relayer)
      const lane = laneOf(key)
      return lane.lock.withPermit(
        Effect.gen(function* () {
          const { cost, nonce } = yield* lanes.next(chain.id, relayer, firstUnknown(key))
          // Other processes have signed these transactions since the counts were read.
          if (nonce > firstUnknown(key)) lane.uncounted.set(nonce - 1, cost)
          const expense = expenses.get(key)
          if (expense !== undefined && pendingOf(key) > expense.balance) {
            const message = `Another process has signed with ${relayer}, which can no longer pay. Choose a relayer again.`
            return yield* new Conflict({ message, nonce: true })
          }
          const result = yield* write(nonce)
          if (expense !== undefined) lane.expenses.delete(expense)
          lane.uncounted.set(nonce, expense?.cost ?? 0n)
          return result
        })
      )
    }
    const pending: PendingCosts = {
      of: (relayer) => pendingOf(laneKey(chain.id, relayer)),
      add: (relayer, cost, balance) => {
        const key = laneKey(chain.id, relayer)
        const lane = laneOf(key)
        const [before, expense] = [expenses.get(key), { cost, balance }]
        if (before !== undefined) lane.expenses.delete(before)
        expenses.set(key, expense)
        lane.expenses.add(expense)
      }
    }
    return Effect.ensuring(
      sign({ pending, withNonce }),
      Effect.sync(() => {
        for (const [key, expense] of expenses) laneOf(key).expenses.delete(expense)
      })
    )
  }

  return {
    order,
    pending: (chain) =>
      chain.family === "evm"
        ? Effect.as(counted, { ...nothingPending, of: (relayer) => pendingOf(laneKey(chain.id, relayer)) })
        : Effect.succeed(nothingPending),
    signing: (chain, sign) =>
      Effect.retry(
        Effect.andThen(
          counted,
          Effect.suspend(() => once(chain, sign))
        ),
        {
          while: (error) => error._tag === "Conflict" && error.nonce === true,
          times: nonceTries
        }
      )
  }
})
