/** Fee arithmetic, in whole numbers. */
import type * as Config from "../config/Config.js"
import { fixed, unit } from "../config/decimal.js"

/** Fees are fractions of this: basis points with at most 4 decimals. */
const parts = 10_000n * 10_000n

/** A number with at most 4 decimals as ten-thousandths. Rounding makes it exact. */
const tenThousandths = (value: number): bigint => BigInt(Math.round(value * 10_000))

/** The fee of an amount, rounded up. */
const feeOf = (amount: bigint, feeBps: number): bigint => (amount * tenThousandths(feeBps) + parts - 1n) / parts

/** The part of an amount that goes to the venue. Zero or less if nothing remains. */
export const netOf = (amount: bigint, feeBps: number, networkCost: bigint): bigint =>
  amount - networkCost - feeOf(amount, feeBps)

/** The smallest amount of which `wanted` remains after the fee. */
export const grossOf = (wanted: bigint, feeBps: number): bigint => {
  const kept = parts - tenThousandths(feeBps)
  return (wanted * parts + kept - 1n) / kept
}

/** The fee after a discount, rounded down to 4 decimals: a tier gives at least its discount. */
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
