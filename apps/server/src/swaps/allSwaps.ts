/** Reads all swaps that fit a filter. */
import type { Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Reads the swaps that fit a filter one page at a time, so that only one page of swaps is in memory. */
export const allSwaps = (store: Store.Store, filter: Omit<Store.Filter, "after" | "limit">, page = 1_000) =>
  Stream.paginate(undefined as Store.Filter["after"], (after) =>
    Effect.map(
      store.list({ ...filter, after, limit: page }),
      (swaps) => [swaps, Option.fromUndefinedOr(swaps.length < page ? undefined : swaps.at(-1))] as const
    )
  )
