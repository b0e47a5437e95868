/**
 * The embedded venue: a table of prices and pool depths, for devnets, tests, and operators who set their own prices.
 */
import { Amount } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type * as Config from "../config/Config.js"
import { decimals, fixed } from "../config/decimal.js"
import type { Asset } from "../domain/Asset.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { NoPrice, type Venue } from "./Venue.js"

interface Entry {
  /** The price of one whole token and the depth of each side of its pool, in US dollars scaled by `unit`. */
  readonly usd: bigint
  readonly depth: bigint
  readonly showUsd: boolean
}

/** The value of some units of an asset at its scaled price, in dollars. */
const dollarsOf = (value: bigint, asset: Asset) => Number(Amount.format(value, asset.decimals + decimals))

/**
 * Prices `amount`. Each asset is modeled as a constant-product pool against dollars: a value v becomes v × depth /
 * (depth + v), first in the input's pool, then in the output's pool. Both steps are computed as one fraction, which is
 * rounded down once. A larger input therefore never yields a smaller output, and a detour through other tokens never
 * pays off.
 */
const priceOf = (input: Asset, output: Asset, from: Entry, to: Entry, amount: bigint) => {
  const inputUnits = 10n ** BigInt(input.decimals)
  const outputUnits = 10n ** BigInt(output.decimals)
  const value = amount * from.usd
  const depths = from.depth * to.depth
  const received = (value * depths * outputUnits) / ((depths * inputUnits + value * (from.depth + to.depth)) * to.usd)
  if (!from.showUsd || !to.showUsd) return { output: received }
  return {
    output: received,
    usd: { input: dollarsOf(value, input), output: dollarsOf(received * to.usd, output) }
  }
}

/** Creates a venue from a table. `nameOf` returns a token's name in the table (see `Config.priceNames`). */
export const make = (config: Config.TableVenue, nameOf: (asset: Asset) => string): Venue => {
  const entries = new Map(
    Object.entries(config.prices).map(([name, { depthUsd, showUsd, usd }]) => [
      name,
      { usd: fixed(usd), depth: fixed(depthUsd), showUsd }
    ])
  )
  const entryOf = (asset: Asset) => {
    const entry = entries.get(nameOf(asset))
    return entry === undefined || entry.usd === 0n || entry.depth === 0n ? undefined : entry
  }
  const noPrice = ({ chainId, symbol }: Asset) =>
    Effect.fail(new NoPrice({ message: `There is no price for ${symbol} on chain ${chainId}.` }))
  return {
    price: withSpanIfTraced("TableVenue.price", (input: Asset, output: Asset, amount: bigint) => {
      const [from, to] = [entryOf(input), entryOf(output)]
      if (from === undefined) return noPrice(input)
      return to === undefined ? noPrice(output) : Effect.succeed(priceOf(input, output, from, to, amount))
    })
  }
}
