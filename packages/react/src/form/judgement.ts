/** What a quote means for the person who looks at it. */
import { Quote as Quotes } from "@geoswap/core"
import { formatAmount, type Quote } from "@geoswap/core/promise"
import type { FormPolicy, FormToken } from "./offer.js"

/** How much value a swap loses. */
export type Impact = "none" | "low" | "high"

/** Both directions of a price, as decimal texts. */
export interface Rate {
  readonly inputPerOutput: string
  readonly outputPerInput: string
}

type Judged = Pick<Quote, "feeBps" | "priceImpactBps" | "warnings">

/** How much value a quote loses. The service's warning counts, and so does the number, should the warning be missing. */
export const impactOf = (
  { priceImpactBps = 0, warnings = [] }: Judged,
  { highImpactBps = 300 }: FormPolicy = {}
): Impact => {
  if (warnings.some(({ code }) => code === Quotes.highPriceImpact) || -priceImpactBps >= highImpactBps) return "high"
  return priceImpactBps < 0 ? "low" : "none"
}

/** What may be lost between the quoted output and the minimum that the signature binds, in smallest units. */
export interface Risk {
  readonly minimum: bigint
  readonly atRisk: bigint
  /** The part of the output that is at risk. */
  readonly bps: number
  /** Whether it is so much that a person should confirm it. */
  readonly isWide: boolean
}

/** What a quote puts at risk. The slippage of the request and the minimum of the quote both make it wide. */
export const riskOf = (
  { minOutput, output }: Pick<Quote, "minOutput" | "output">,
  slippageBps = 0,
  { confirmSlippageBps = 500 }: FormPolicy = {}
): Risk => {
  const minimum = minOutput ?? (output * BigInt(10_000 - slippageBps)) / 10_000n
  const atRisk = output > minimum ? output - minimum : 0n
  // A minimum that is rounded down by one unit is not wider for it.
  const isBeyond = (atRisk - 1n) * 10_000n > output * BigInt(confirmSlippageBps)
  return {
    minimum,
    atRisk,
    bps: output === 0n ? 0 : Number((atRisk * 10_000n) / output),
    isWide: slippageBps > confirmSlippageBps || isBeyond
  }
}

const percent = (bps: number): string => `${Math.round(bps * 100) / 10_000} %`

/** Why a policy refuses a quote; `undefined` where it does not. */
export const refusalOf = (
  { feeBps, priceImpactBps }: Judged,
  { maxFeeBps, maxPriceImpactBps }: FormPolicy = {}
): string | undefined => {
  if (maxPriceImpactBps !== undefined) {
    if (priceImpactBps === undefined) {
      return `The quote does not tell its price impact; at most ${percent(maxPriceImpactBps)} is allowed.`
    }
    if (!(-priceImpactBps <= maxPriceImpactBps)) {
      return `The price impact is ${percent(-priceImpactBps)}; at most ${percent(maxPriceImpactBps)} is allowed.`
    }
  }
  return maxFeeBps !== undefined && !(feeBps <= maxFeeBps)
    ? `The fee is ${percent(feeBps)}; at most ${percent(maxFeeBps)} is allowed.`
    : undefined
}

const digits = 6

/** A fraction as a decimal text of at most six significant digits. */
const quotient = (numerator: bigint, denominator: bigint): string => {
  // The power of ten that leaves six digits before the point, or seven where the first guess is one too large.
  let places = digits - numerator.toString().length + denominator.toString().length
  const scaled = () =>
    places >= 0
      ? ([numerator * 10n ** BigInt(places), denominator] as const)
      : ([numerator, denominator * 10n ** BigInt(-places)] as const)
  const rounded = () => {
    const [above, below] = scaled()
    return (above + below / 2n) / below
  }
  if (rounded() >= 10n ** BigInt(digits)) places--
  return places >= 0 ? formatAmount(rounded(), places) : (rounded() * 10n ** BigInt(-places)).toString()
}

/** What one token costs in the other, and the other way round. */
export const rateOf = (
  amount: bigint,
  input: Pick<FormToken, "decimals">,
  output: bigint,
  outputToken: Pick<FormToken, "decimals">
): Rate | undefined => {
  if (amount <= 0n || output <= 0n) return undefined
  const paid = amount * 10n ** BigInt(outputToken.decimals)
  const got = output * 10n ** BigInt(input.decimals)
  return { inputPerOutput: quotient(paid, got), outputPerInput: quotient(got, paid) }
}
