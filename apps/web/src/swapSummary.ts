/** What is swapped for what, in words that outlive the page: no keys, no tokens of the service, no signatures. */
import { formatAmount } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"
import { type Config, tokenOf } from "./config.js"
import { formatDecimal, shortenAddress } from "./format/amounts.js"

/** One end of a swap. */
export interface SwapLeg {
  readonly chainId: number
  readonly chain: string
  readonly symbol: string
  readonly amount: string
}

/** A swap from here to there. */
export interface SwapSummary {
  readonly from: SwapLeg
  readonly to: SwapLeg
  readonly recipient: string
}

interface Request {
  readonly originChain: number
  readonly destinationChain: number
  readonly inputToken: string
  readonly outputToken: string
  readonly amount: bigint | string
  readonly walletAddress?: string | undefined
  readonly recipient?: string | undefined
}

/** Names for a request, as far as the page's own settings have them. The rest is shown in smallest units. */
export const summarizeSwap = (request: Request, output: bigint, config: Config): SwapSummary => {
  const place = (chainId: number, address: string, units: bigint): SwapLeg => {
    const token = tokenOf(config, chainId, address)
    return {
      chainId,
      chain: config.chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`,
      symbol: token?.symbol ?? shortenAddress(address),
      amount: token === undefined ? `${units} units of` : formatDecimal(formatAmount(units, token.decimals))
    }
  }
  return {
    from: place(request.originChain, request.inputToken, BigInt(request.amount)),
    to: place(request.destinationChain, request.outputToken, output),
    recipient: request.recipient ?? request.walletAddress ?? ""
  }
}

/** A summary at the price that was agreed to last. A renewed price is only a question until something follows it. */
export const withAgreedPrice = (
  summary: SwapSummary,
  events: SwapState["events"],
  output: { readonly decimals: number }
): SwapSummary => {
  const at = events.findLastIndex(({ event }) => event.type === "quoted" || event.type === "requoted")
  const event = events[at]?.event
  if (event?.type !== "quoted" && event?.type !== "requoted") return summary
  const quote = event.type === "requoted" && at === events.length - 1 ? event.previous : event.quote
  return { ...summary, to: { ...summary.to, amount: formatDecimal(formatAmount(quote.output, output.decimals)) } }
}

/** One end in words. */
export const formatLeg = ({ amount, symbol }: SwapLeg): string => `${amount} ${symbol}`
