/** What is swapped for what, in words that outlive the page: no keys, no tokens of the service, no signatures. */
import { formatAmount } from "@geoswap/core/promise"
import type { SwapState } from "@geoswap/react"
import { type Config, type Family, tokenOf } from "./config.js"
import { readable, short } from "./words/amounts.js"

/** One end of a swap. */
export interface Place {
  readonly chainId: number
  readonly chain: string
  readonly symbol: string
  readonly amount: string
}

/** A swap from here to there. */
export interface Trip {
  readonly from: Place
  readonly to: Place
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

/** The family of a chain, as the page's settings have it. */
export const familyOf = (config: Config, chainId: number): Family =>
  config.chains.find(({ id }) => id === chainId)?.kind ?? "evm"

/** Names for a request, as far as the page's own settings have them. The rest is shown in smallest units. */
export const tripOf = (request: Request, output: bigint, config: Config): Trip => {
  const place = (chainId: number, address: string, units: bigint): Place => {
    const token = tokenOf(config, chainId, address)
    return {
      chainId,
      chain: config.chains.find(({ id }) => id === chainId)?.name ?? `chain ${chainId}`,
      symbol: token?.symbol ?? short(address),
      amount: token === undefined ? `${units} units of` : readable(formatAmount(units, token.decimals))
    }
  }
  return {
    from: place(request.originChain, request.inputToken, BigInt(request.amount)),
    to: place(request.destinationChain, request.outputToken, output),
    recipient: request.recipient ?? request.walletAddress ?? ""
  }
}

/** A trip at the price that was agreed to last. A renewed price is only a question until something follows it. */
export const tripAt = (trip: Trip, events: SwapState["events"], output: { readonly decimals: number }): Trip => {
  const at = events.findLastIndex(({ event }) => event.type === "quoted" || event.type === "requoted")
  const event = events[at]?.event
  if (event?.type !== "quoted" && event?.type !== "requoted") return trip
  const quote = event.type === "requoted" && at === events.length - 1 ? event.previous : event.quote
  return { ...trip, to: { ...trip.to, amount: readable(formatAmount(quote.output, output.decimals)) } }
}

/** One end in words. */
export const placeWords = ({ amount, symbol }: Place): string => `${amount} ${symbol}`
