/** The minimum output that the policy's own prices demand. Nothing here comes from the service. */
import { Amount, type Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { evmClient } from "../chains/nodes.js"
import type { AgentRules, Pair, PinnedToken, PriceSource } from "./PolicyFile.js"
import { sameToken } from "./tokens.js"

/** A price in dollars, as `value / 10^decimals`. */
interface Price {
  readonly value: bigint
  readonly decimals: number
}

export const decimalOf = (text: string): Price => {
  const decimals = text.split(".")[1]?.length ?? 0
  return { value: Amount.parse(text, decimals) ?? 0n, decimals }
}

const ceilDivide = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

const power = (decimals: number): bigint => 10n ** BigInt(decimals)

/** Returns the pairs of the policy for a request. */
export const pairsOf = (rules: AgentRules, request: Quote.QuoteRequest): ReadonlyArray<Pair> =>
  rules.pairs.filter(
    ({ input, output }) =>
      sameToken(rules, input, { chain: request.originChain, token: request.inputToken }) &&
      sameToken(rules, output, { chain: request.destinationChain, token: request.outputToken })
  )

/** Returns the largest minimum output that fixed rates demand, or `undefined` if the pair has no fixed rate. */
export const fixedMinimum = (
  rules: AgentRules,
  request: Quote.QuoteRequest,
  [input, output]: readonly [PinnedToken, PinnedToken]
): bigint | undefined =>
  pairsOf(rules, request)
    .flatMap((pair) => {
      if (!("minRate" in pair)) return []
      const rate = decimalOf(pair.minRate)
      return [
        ceilDivide(request.amount * rate.value * power(output.decimals), power(input.decimals) * power(rate.decimals))
      ]
    })
    .reduce<bigint | undefined>((most, one) => (most === undefined || one > most ? one : most), undefined)

const aggregator = [
  { type: "function", name: "decimals", stateMutability: "view", inputs: [], outputs: [{ type: "uint8" }] },
  {
    type: "function",
    name: "latestRoundData",
    stateMutability: "view",
    inputs: [],
    outputs: [
      { name: "roundId", type: "uint80" },
      { name: "answer", type: "int256" },
      { name: "startedAt", type: "uint256" },
      { name: "updatedAt", type: "uint256" },
      { name: "answeredInRound", type: "uint80" }
    ]
  }
] as const

const readFeed = async ({ address, chain, rpcUrl }: Exclude<PriceSource, { readonly usd: string }>) => {
  const client = await evmClient(rpcUrl)
  const contract = { abi: aggregator, address: address as `0x${string}` }
  const [id, decimals, [, answer, , updatedAt]] = await Promise.all([
    client.getChainId(),
    client.readContract({ ...contract, functionName: "decimals" }),
    client.readContract({ ...contract, functionName: "latestRoundData" })
  ])
  return { isSameChain: id === chain, decimals, answer, updatedAt: Number(updatedAt) }
}

/** How far the time of a price may be ahead of this machine's clock. */
const maxAheadSeconds = 60

/** Returns the smallest output that is worth the input, less a loss. Neither price may be zero. */
export const leastOutput = (
  amount: bigint,
  [paid, received]: readonly [Price, Price],
  maxLossBps: number,
  [input, output]: readonly [Pick<PinnedToken, "decimals">, Pick<PinnedToken, "decimals">]
): bigint =>
  ceilDivide(
    amount *
      paid.value *
      power(output.decimals) *
      power(received.decimals) *
      BigInt(Math.round((10_000 - maxLossBps) * 100)),
    power(input.decimals) * power(paid.decimals) * received.value * 1_000_000n
  )

/** Reads a price, or returns why it cannot be used. */
const priceOf = (source: PriceSource, symbol: string): Effect.Effect<Price | string> =>
  Effect.gen(function* () {
    if ("usd" in source) return decimalOf(source.usd)
    const read = yield* Effect.result(Effect.tryPromise(() => readFeed(source)))
    if (read._tag === "Failure") return `the price feed of ${symbol} cannot be read`
    const { answer, decimals, isSameChain, updatedAt } = read.success
    const age = (yield* Clock.currentTimeMillis) / 1000 - updatedAt
    if (!isSameChain) return `the node of the price feed of ${symbol} is on another chain`
    if (answer <= 0n) return `the price feed of ${symbol} has no price`
    if (age < -maxAheadSeconds) return `the price feed of ${symbol} has a time in the future`
    return age <= source.maxAgeSeconds ? { value: answer, decimals } : `the price feed of ${symbol} is out of date`
  })

/**
 * Returns the minimum output that price feeds demand, `undefined` if the pair has no feeds, or why a feed cannot be
 * used.
 */
export const feedMinimum = Effect.fnUntraced(function* (
  rules: AgentRules,
  request: Quote.QuoteRequest,
  [input, output]: readonly [PinnedToken, PinnedToken]
) {
  let minimum: bigint | undefined
  for (const pair of pairsOf(rules, request)) {
    if (!("prices" in pair)) continue
    const paid = yield* priceOf(pair.prices.input, input.symbol)
    const received = yield* priceOf(pair.prices.output, output.symbol)
    if (typeof paid === "string") return paid
    if (typeof received === "string") return received
    if (paid.value === 0n) return `the price of ${input.symbol} is zero`
    if (received.value === 0n) return `the price of ${output.symbol} is zero`
    const least = leastOutput(request.amount, [paid, received], pair.maxLossBps, [input, output])
    if (minimum === undefined || least > minimum) minimum = least
  }
  return minimum
})

/** Returns the pinned tokens of a request, or `undefined` if one of them is not pinned. */
export const tokensOf = (
  rules: AgentRules,
  request: Quote.QuoteRequest
): readonly [PinnedToken, PinnedToken] | undefined => {
  const find = (chain: number, token: string) =>
    rules.tokens.find((pinned) => sameToken(rules, { chain: pinned.chain, token: pinned.address }, { chain, token }))
  const input = find(request.originChain, request.inputToken)
  const output = find(request.destinationChain, request.outputToken)
  return input && output && [input, output]
}
