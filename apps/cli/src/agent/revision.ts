/** The latest revision of a policy, which its store has. An earlier policy is refused, although its MAC is valid. */
import type { Store, SwapError } from "@geoswap/core"
import type * as Effect from "effect/Effect"

const record = "agent-policy"

/** Stores the revision of a policy if it is newer than the latest one, and returns the latest one. */
export const noteRevision = (store: Store.Store, revision: number): Effect.Effect<number, SwapError.StoreError> =>
  store.records.update(record, (text) => {
    const latest = Number(text ?? 0)
    return revision > latest ? [String(revision), revision] : [text, latest]
  })
