/** How much of the quoted output the slippage puts at risk. */
import type { Quote } from "@geoswap/core/promise"
import type { FormPolicy } from "./choices.js"

/**
 * The difference between the quoted output and the minimum that the signature commits to, in the token's smallest unit.
 */
export interface Risk {
  readonly minimum: bigint
  readonly atRisk: bigint
  /** The share of the output that is at risk, in basis points. */
  readonly bps: number
  /** Whether the risk is high enough to warrant asking the user for confirmation. */
  readonly isWide: boolean
}

/**
 * Returns what a quote puts at risk. `isWide` can be `true` because of the requested slippage or because of the quoted
 * minimum.
 */
export const riskOf = (
  { minOutput, output }: Pick<Quote, "minOutput" | "output">,
  slippageBps = 0,
  { confirmSlippageBps = 500 }: FormPolicy = {}
): Risk => {
  const minimum = minOutput ?? (output * BigInt(10_000 - slippageBps)) / 10_000n
  const atRisk = output > minimum ? output - minimum : 0n
  // One unit is subtracted, so that rounding the minimum down by one unit does not set `isWide`.
  const isBeyond = (atRisk - 1n) * 10_000n > output * BigInt(confirmSlippageBps)
  return {
    minimum,
    atRisk,
    bps: output === 0n ? 0 : Number((atRisk * 10_000n) / output),
    isWide: slippageBps > confirmSlippageBps || isBeyond
  }
}
