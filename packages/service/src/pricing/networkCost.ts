/** The network cost of a transaction, in the input token. */
import * as Effect from "effect/Effect"
import type { Chain } from "../chains/Chains.js"
import { nativeOf } from "../chains/Directory.js"
import type { CostQuery } from "../chains/Draft.js"
import type * as Config from "../config/Config.js"
import type { Asset } from "../domain/Asset.js"
import type { Venue } from "../venue/Venue.js"

/** Returns the cost of a transaction in another token's smallest unit. */
export const costIn = Effect.fnUntracedEager(function* (
  venue: Venue,
  chains: Config.Config["chains"],
  chain: Chain,
  query: CostQuery,
  token: Asset
) {
  const cost = yield* chain.costOf(query)
  if (cost === 0n) return 0n
  const native = nativeOf(chain, chains.find(({ id }) => id === chain.id)?.native.symbol)
  const { output } = yield* venue.price(native, token, cost)
  // Venues round down. One more unit covers the remainder.
  return output + 1n
})
