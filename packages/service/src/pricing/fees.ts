/** Fee arithmetic with integers. */
import type * as Config from "../config/Config.js"
import { fixed, unit } from "../config/decimal.js"

/** The denominator for fees, which are basis points with at most 4 decimal places. */
const parts = 10_000n * 10_000n

/**
 * Converts a number with at most 4 decimal places to ten-thousandths. Rounding removes the floating-point error, so the
 * result is exact.
 */
const tenThousandths = (value: number): bigint => BigInt(Math.round(value * 10_000))

/** The fee for an amount, rounded up. */
const feeOf = (amount: bigint, feeBps: number): bigint => (amount * tenThousandths(feeBps) + parts - 1n) / parts

/** The part of an amount that is swapped at the venue. Zero or negative if nothing remains. */
export const netOf = (amount: bigint, feeBps: number, networkCost: bigint): bigint =>
  amount - networkCost - feeOf(amount, feeBps)

/** The smallest amount that leaves `wanted` after the fee. */
export const grossOf = (wanted: bigint, feeBps: number): bigint => {
  const kept = parts - tenThousandths(feeBps)
  return (wanted * parts + kept - 1n) / kept
}

/**
 * The fee after a discount, rounded down to 4 decimal places, so that the discount is never smaller than the tier
 * promises.
 */
export const discounted = (baseFeeBps: number, discountPercent: number): number =>
  Number((tenThousandths(baseFeeBps) * (1_000_000n - tenThousandths(discountPercent))) / 1_000_000n) / 10_000

/** The highest tier that a balance reaches. */
export const tierOf = (
  tiers: Config.Fees["tiers"],
  balance: bigint,
  decimals: number
): Config.Fees["tiers"][number] | undefined =>
  tiers
    .filter(({ minimum }) => fixed(minimum) * 10n ** BigInt(decimals) <= balance * unit)
    .toSorted((a, b) => (fixed(a.minimum) < fixed(b.minimum) ? 1 : -1))[0]
