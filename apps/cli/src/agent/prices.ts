/** The minimum output that the policy's own prices demand. Nothing here comes from the service. */
import { Amount, type Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { evmClient } from "../chains/nodes.js"
import type { AgentRules, Pair, PinnedToken, PriceSource } from "./PolicyFile.js"
import { sameToken, tokensOf } from "./tokens.js"

/** A price in dollars, as `value / 10^decimals`. */
interface Price {
  readonly value: bigint
  readonly decimals: number
}

export const decimalOf = (text: string): Price => {
  const decimals = text.split(".")[1]?.length ?? 0
  return { value: Amount.parse(text, decimals) ?? 0n, decimals }
}

const ceilDivide = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator

const power = (decimals: number) => 10n ** BigInt(decimals)

/** Returns the pairs of the policy for a request. */
export const pairsOf = ({ pairs }: AgentRules, request: Quote.QuoteRequest) => {
  const wanted = tokensOf(request)
  return pairs.filter(({ input, output }) => sameToken(input, wanted.input) && sameToken(output, wanted.output))
}

const readFeed = async ({ address, chainId, rpcUrl }: Exclude<PriceSource, { readonly usd: string }>) => {
  const { parseAbi } = await import("viem")
  const abi = parseAbi([
    "function decimals() view returns (uint8)",
    "function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)"
  ])
  const client = await evmClient(rpcUrl)
  const contract = { abi, address: address as `0x${string}` }
  const [id, decimals, [, answer, , updatedAt]] = await Promise.all([
    client.getChainId(),
    client.readContract({ ...contract, functionName: "decimals" }),
    client.readContract({ ...contract, functionName: "latestRoundData" })
  ])
  return { isSameChain: id === chainId, decimals, answer, updatedAt: Number(updatedAt) }
}

/** How far the time of a price may be ahead of this machine's clock. */
const maxAheadSeconds = 60

/** Returns the smallest output that is worth the input, less a loss. Neither price may be zero. */
export const leastOutput = (
  amount: bigint,
  [paid, received]: readonly [Price, Price],
  maxLossBps: number,
  [input, output]: readonly [Pick<PinnedToken, "decimals">, Pick<PinnedToken, "decimals">]
) =>
  ceilDivide(
    amount *
      paid.value *
      power(output.decimals) *
      power(received.decimals) *
      BigInt(Math.round((10_000 - maxLossBps) * 100)),
    power(input.decimals) * power(paid.decimals) * received.value * 1_000_000n
  )

/** Reads a price, or returns why it cannot be used. */
const priceOf = (source: PriceSource, symbol: string) =>
  Effect.gen(function* () {
    if ("usd" in source) {
      const price = decimalOf(source.usd)
      return price.value === 0n ? `the price of ${symbol} is zero` : price
    }
    const read = yield* Effect.result(Effect.tryPromise(() => readFeed(source)))
    if (read._tag === "Failure") return `the price feed of ${symbol} cannot be read`
    const { answer, decimals, isSameChain, updatedAt } = read.success
    const age = (yield* Clock.currentTimeMillis) / 1000 - updatedAt
    if (!isSameChain) return `the node of the price feed of ${symbol} is on another chain`
    if (answer <= 0n) return `the price feed of ${symbol} has no price`
    if (age < -maxAheadSeconds) return `the price feed of ${symbol} has a time in the future`
    return age <= source.maxAgeSeconds ? { value: answer, decimals } : `the price feed of ${symbol} is out of date`
  })

/** The two prices of a pair, and how much less than the input the output may be worth. A rate is exact. */
const pricesOf = (pair: Pair, input: PinnedToken, output: PinnedToken) =>
  "minRate" in pair
    ? Effect.succeed([decimalOf(pair.minRate), decimalOf("1"), 0] as const)
    : Effect.map(
        Effect.all([priceOf(pair.prices.input, input.symbol), priceOf(pair.prices.output, output.symbol)]),
        ([paid, received]) => [paid, received, pair.maxLossBps] as const
      )

/** Returns the largest minimum output that the usable prices of the policy demand, and why a price cannot be used. */
export const demandOf = Effect.fnUntraced(function* (
  rules: AgentRules,
  request: Quote.QuoteRequest,
  [input, output]: readonly [PinnedToken, PinnedToken]
) {
  let least = 0n
  let problem: string | undefined
  for (const pair of pairsOf(rules, request)) {
    const [paid, received, maxLossBps] = yield* pricesOf(pair, input, output)
    if (typeof paid === "string") problem = paid
    else if (typeof received === "string") problem = received
    else {
      const demanded = leastOutput(request.amount, [paid, received], maxLossBps, [input, output])
      if (demanded > least) least = demanded
    }
  }
  return { least, problem }
})
