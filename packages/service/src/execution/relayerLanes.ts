/**
 * Chooses which of a chain's relayers signs the next transaction. Each relayer is a lane: it has a separate sequence of
 * nonces, so a transaction that is stuck holds up only the later transactions of the same relayer.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { addressKey } from "../chains/addressKey.js"
import { type Chain, ChainUnavailable, type Relayers } from "../chains/Chains.js"
import type { Directory } from "../chains/Directory.js"
import type { Lane } from "../store/RelayerLane.js"
import type { Store, StoreUnavailable } from "../store/Store.js"

/** How long the stored counts are cached. A relayer that has just been retired may be chosen until then. */
const cachedMillis = 1_000

export interface RelayerLanes {
  /**
   * Returns the relayers that may sign the chain's next transaction, best first: those without a stuck transaction
   * before the others, then those with the fewest pending transactions. Counts the first one as chosen, unless `counts` is
   * false. Fails if all relayers are retired.
   */
  readonly order: (chain: Chain, counts?: boolean) => Effect.Effect<Relayers, ChainUnavailable | StoreUnavailable>
  /** Runs an effect that takes a relayer's next nonce. Only one such effect runs at a time for each relayer. */
  readonly withNonce: (
    chainId: number,
    relayer: string
  ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const laneKey = (chainId: number, relayer: string): string => `${chainId} ${addressKey(relayer)}`

export const make: (directory: Directory, store: Pick<Store, "lanes">) => Effect.Effect<RelayerLanes> =
  Effect.fnUntraced(function* ({ chains }, { lanes }) {
    const locks = new Map(
      [...chains.values()].flatMap(({ id, relayers }) =>
        relayers.map((relayer) => [laneKey(id, relayer), Semaphore.makeUnsafe(1)] as const)
      )
    )
    /** How often this process has chosen each lane since the counts were read. */
    let chosen = new Map<string, number>()
    const stored = yield* Effect.cachedWithTTL(
      Effect.map(lanes.all, (all): ReadonlyMap<string, Lane> => {
        chosen = new Map()
        return new Map(all.map((lane) => [laneKey(lane.chainId, lane.relayer), lane]))
      }),
      cachedMillis
    )

    const order = Effect.fnUntraced(function* (
      chain: Chain,
      counts = true
    ): Effect.fn.Return<Relayers, ChainUnavailable | StoreUnavailable> {
      const { id, relayers } = chain
      if (relayers.length === 1) return relayers
      const uses = yield* stored
      const now = yield* Clock.currentTimeMillis
      const candidates = relayers.flatMap((relayer) => {
        const key = laneKey(id, relayer)
        const lane = uses.get(key)
        if (lane?.retiredAt !== undefined) return []
        const { oldestAt = now, pending = 0 } = lane ?? {}
        const isStuck = chain.family === "evm" && now - oldestAt > chain.stuckAfterMillis
        return [{ relayer, key, isStuck, load: pending + (chosen.get(key) ?? 0) }]
      })
      const [best, ...rest] = candidates.toSorted(
        (one, other) => Number(one.isStuck) - Number(other.isStuck) || one.load - other.load
      )
      if (best === undefined) {
        const message = `All relayers of chain ${id} (${chain.name}) are retired. Restore one: geoswap-server relayers restore`
        return yield* new ChainUnavailable({ chainId: id, message, timeout: false })
      }
      if (counts) chosen.set(best.key, (chosen.get(best.key) ?? 0) + 1)
      return [best.relayer, ...rest.map(({ relayer }) => relayer)]
    })

    return {
      order,
      withNonce: (chainId, relayer) => (effect) => locks.get(laneKey(chainId, relayer))?.withPermit(effect) ?? effect
    }
  })
