/** The user's own prices (`policy.prices` in the configuration), and the minimum output that they demand. */
import { Chain, type Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { decimalOf, leastOutput } from "../agent/prices.js"
import * as Directory from "../chains/Directory.js"
import { Settings, settingsError } from "../config/Settings.js"

/** The configured prices, with the names of their tokens resolved. */
const resolved = Effect.gen(function* () {
  const { policy } = yield* Settings
  return yield* Effect.forEach(Object.entries(policy.prices ?? {}), ([name, usd]) =>
    Effect.gen(function* () {
      const { chain, token } = yield* Directory.resolveChainToken(name)
      if (token.pinned) return { chain, address: token.address, decimals: token.decimals, price: decimalOf(usd) }
      return yield* settingsError(
        `${token.address} on ${Directory.formatChain(chain)} is not pinned.`,
        `Pin it: ${Directory.pinCommand(chain, token.address)}`
      )
    }).pipe(
      Effect.mapError(({ message, next }) =>
        settingsError(`Invalid policy.prices in the configuration: ${message}`, next)
      )
    )
  )
})

type OwnPrices = Effect.Success<typeof resolved>

const priceAt = (prices: OwnPrices, chainId: number, address: string) =>
  prices.find((one) => one.chain.id === chainId && Chain.sameAddress(one.chain.family, one.address, address))

/** Returns the higher of two minimums. `undefined`: there is no minimum. */
export const highest = (one: bigint | undefined, other: bigint | undefined) =>
  one === undefined || (other !== undefined && other > one) ? other : one

/**
 * Returns the function that computes a request's minimum output at the user's prices. It returns `undefined` if there is
 * no maximum loss, or no price for one of the tokens.
 */
export const minimumWithin = (maxLossBps: number | undefined) =>
  Effect.map(resolved, (prices) => (request: Quote.QuoteRequest) => {
    const input = priceAt(prices, request.originChain, request.inputToken)
    const output = priceAt(prices, request.destinationChain, request.outputToken)
    return maxLossBps === undefined || input === undefined || output === undefined
      ? undefined
      : leastOutput(request.amount, [input.price, output.price], maxLossBps, [input, output])
  })

/** Whether the user has a price for both tokens of a swap. */
export const coverPair = ({ destination, origin }: Directory.Pair) =>
  Effect.map(resolved, (prices) =>
    [origin, destination].every(({ chain, token }) => priceAt(prices, chain.id, token.address) !== undefined)
  )
