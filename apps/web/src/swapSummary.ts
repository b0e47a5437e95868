/** A summary of a swap that is safe to store: it contains no keys, service tokens or signatures. */
import { type ExecuteInput, formatAmount, type Swap, type SwapOutcome, swapOutcome } from "@geoswap/core/promise"
import type { UseSwapResult } from "@geoswap/react"
import * as Schema from "effect/Schema"
import { chainName, type Config, tokenOf } from "./config.js"
import { formatDecimal, formatInteger, shortenAddress } from "./format/amounts.js"
import { text } from "./language/language.js"

const SwapLeg = Schema.Struct({
  chainId: Schema.Int,
  chain: Schema.String,
  symbol: Schema.String,
  /** A decimal number with all its digits, such as `0.024769847999999999`. */
  amount: Schema.String,
  /** The decimals of the token, if it is known. */
  decimals: Schema.optional(Schema.Int)
})

/** One side of a swap. */
export type SwapLeg = typeof SwapLeg.Type

/** Both sides and the recipient of a swap. */
export const SwapSummary = Schema.Struct({ from: SwapLeg, to: SwapLeg, recipient: Schema.String })
export type SwapSummary = typeof SwapSummary.Type

/**
 * Summarizes a request with the names from the page's configuration. Amounts of unknown tokens are in the token's
 * smallest unit.
 */
export const summarizeSwap = (request: ExecuteInput, output: bigint, config: Config): SwapSummary => {
  const leg = (chainId: number, address: string, units: bigint): SwapLeg => {
    const token = tokenOf(config, chainId, address)
    return {
      chainId,
      chain: chainName(config, chainId),
      symbol: token?.symbol ?? shortenAddress(address),
      amount: token === undefined ? `${units} units of` : formatAmount(units, token.decimals),
      decimals: token?.decimals
    }
  }
  return {
    from: leg(request.originChain, request.inputToken, BigInt(request.amount)),
    to: leg(request.destinationChain, request.outputToken, output),
    recipient: request.recipient ?? request.walletAddress ?? ""
  }
}

/**
 * Updates a summary to the last price that the user agreed to. A requoted price is treated as agreed only once another
 * event follows it.
 */
export const withAgreedPrice = (
  summary: SwapSummary,
  events: UseSwapResult["events"],
  output: { readonly decimals: number }
): SwapSummary => {
  const at = events.findLastIndex(({ event }) => event.type === "quoted" || event.type === "requoted")
  const event = events[at]?.event
  if (event?.type !== "quoted" && event?.type !== "requoted") return summary
  const quote = event.type === "requoted" && at === events.length - 1 ? event.previous : event.quote
  return { ...summary, to: { ...summary.to, amount: formatAmount(quote.output, output.decimals) } }
}

/** Formats one side, shortened: `100 USDC`. */
export const formatLeg = ({ amount, symbol }: SwapLeg) => {
  const [, units] = /^(\d+) units of$/.exec(amount) ?? []
  if (units !== undefined) return text.progress.unitsOf(formatInteger(BigInt(units)), symbol)
  return /^\d+(\.\d+)?$/.test(amount) ? `${formatDecimal(amount)}\u00a0${symbol}` : `${amount} ${symbol}`
}

/** Returns what was paid, or `undefined` if it was the agreed amount. */
const differentAmount = (leg: SwapLeg, paid: SwapOutcome["received"]) =>
  paid?.agreed === undefined || leg.decimals === undefined
    ? undefined
    : { ...leg, amount: formatAmount(paid.amount.amount, leg.decimals) }

/** Returns what the recipient received, or `undefined` if it was the quoted amount. */
export const differentDelivery = ({ to }: SwapSummary, swap: Swap): SwapLeg | undefined =>
  differentAmount(to, swapOutcome(swap).received)

/**
 * Returns what was refunded, or `undefined` if it was the entire payment. If the recipient could not receive the token,
 * the network cost is deducted.
 */
export const partialRefund = ({ from }: SwapSummary, swap: Swap): SwapLeg | undefined =>
  differentAmount(from, swapOutcome(swap).returned)

/** Formats what is swapped, with both chains: `100 USDC on devnet-a → WETH on devnet-b`. */
export const formatRoute = ({ from, to }: SwapSummary) =>
  text.progress.route(formatLeg(from), from.chain, to.symbol, to.chain)
