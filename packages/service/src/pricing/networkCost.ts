/** The network cost of a transaction, in the input token. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { Chain } from "../chains/Chains.js"
import type { CostQuery } from "../chains/Draft.js"
import type * as Config from "../config/Config.js"
import type { Asset } from "../domain/Asset.js"
import type * as Refusal from "../domain/Refusal.js"
import type * as Venue from "../venue/Venue.js"
import { venueRefusal } from "./venueRefusal.js"

/** A chain's native token, as a venue asset. */
const nativeOf = ({ family, id }: Chain, chains: Config.Config["chains"]): Asset => ({
  chainId: id,
  address: CoreChain.nativeToken[family],
  symbol: chains.find((chain) => chain.id === id)?.native.symbol ?? "native",
  decimals: CoreChain.nativeDecimals[family]
})

/** Returns the cost of a transaction in another token's smallest unit. */
export const costIn = Effect.fnUntracedEager(function* (
  venue: Venue.Venue,
  chains: Config.Config["chains"],
  chain: Chain,
  query: CostQuery,
  token: Asset
): Effect.fn.Return<bigint, Refusal.Refusal> {
  const cost = yield* Effect.mapErrorEager(chain.costOf(query), chainRefusal)
  if (cost === 0n) return 0n
  const native = nativeOf(chain, chains)
  const { output } = yield* Effect.catchEager(venue.price(native, token, cost), venueRefusal)
  // Venues round down. One more unit covers the remainder.
  return output + 1n
})
