/** How much of the quoted output the slippage puts at risk. */
import type { IndicativeQuote, Quote } from "../Quote.js"

/** The difference between the quoted output and the minimum output. */
export interface SlippageRisk {
  /** The slippage in basis points: the requested slippage, or what the quote's minimum allows if that is more. */
  readonly bps: number
  /** Whether the slippage requires a separate confirmation that states the amount at risk. */
  readonly isHigh: boolean
  /** In the output token's smallest unit. */
  readonly atRisk: bigint
  /** The minimum output, in the output token's smallest unit. */
  readonly minOutput: bigint
}

/**
 * Returns what a quote puts at risk. The slippage is high above `highSlippageBps`. If the quote states no minimum, the
 * requested slippage determines it.
 */
export const slippageRisk = (
  { minOutput, output }: Pick<IndicativeQuote | Quote, "minOutput" | "output">,
  slippageBps = 0,
  highSlippageBps = 500
): SlippageRisk => {
  const minimum = minOutput ?? (output * BigInt(10_000 - slippageBps)) / 10_000n
  const atRisk = output > minimum ? output - minimum : 0n
  // One unit is subtracted, because the minimum may be rounded down by one unit. The share is rounded up.
  const quoted = atRisk <= 1n ? 0 : Number(((atRisk - 1n) * 10_000n + output - 1n) / output)
  const bps = Math.max(slippageBps, quoted)
  return { bps, isHigh: bps > highSlippageBps, atRisk, minOutput: minimum }
}
