/** The names of the accounts that swaps belong to. */
import type { Store } from "@geoswap/service"
import * as Effect from "effect/Effect"

/** Returns a function that looks up an account's name by its id. */
export const accountNames = Effect.fnUntraced(function* (store: Store.Store) {
  const names = new Map((yield* store.accounts).map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
})
