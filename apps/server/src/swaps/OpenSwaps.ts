/** Follows the swaps in progress: which there are, which have ended, and what has changed since the last read. */
import { type Store, SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The maximum number of swaps that are followed. */
const limit = 1_000

/** Returns an effect that reads the swaps in progress and compares them with its last read. */
export const follow = (store: Store.Store) => {
  let versions: ReadonlyMap<string, number> = new Map()
  return Effect.gen(function* () {
    const found = yield* store.list({ open: true, limit: limit + 1 })
    const open = found.slice(0, limit)
    const now = new Set(open.map(({ id }) => id))
    const gone = yield* Effect.forEach(
      [...versions.keys()].filter((id) => !now.has(id)),
      (id) => store.swap(id)
    )
    // A swap that is only beyond the limit has not ended.
    const ended = gone.flatMap(Option.toArray).filter(({ state }) => SwapRecord.isTerminal(state))
    const changed = [...open.toReversed(), ...ended].filter(({ id, version }) => versions.get(id) !== version)
    versions = new Map(open.map(({ id, version }) => [id, version]))
    return {
      open,
      /** The swaps that ended since the last read. */
      ended,
      /** The swaps that are new, or whose record changed, oldest first. */
      changed,
      /** Whether there are more swaps in progress than were read. */
      more: found.length > limit
    }
  })
}

/** What one read found. */
export type Read = Effect.Success<ReturnType<typeof follow>>
