/** The arithmetic of fees, in whole numbers. */
import type * as Config from "../config/Config.js"
import { fixed, unit } from "../config/decimal.js"

/** Fees have at most 4 decimals of a basis point: parts of this of an amount. */
const parts = 10_000n * 10_000n

/** A number with at most 4 decimals as ten-thousandths. Exact: the product is within a hair of a whole number. */
const tenThousandths = (value: number): bigint => BigInt(Math.round(value * 10_000))

/** What the fee takes of an amount, rounded up. */
const feeOf = (amount: bigint, feeBps: number): bigint => (amount * tenThousandths(feeBps) + parts - 1n) / parts

/** What is left of an amount for the venue; zero or less where nothing is. */
export const netOf = (amount: bigint, feeBps: number, networkCost: bigint): bigint =>
  amount - networkCost - feeOf(amount, feeBps)

/** The smallest amount of which that much is left after the fee. */
export const grossOf = (wanted: bigint, feeBps: number): bigint => {
  const kept = parts - tenThousandths(feeBps)
  return (wanted * parts + kept - 1n) / kept
}

/** The fee after a discount, down to 4 decimals: a tier gives at least what it promises. */
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
