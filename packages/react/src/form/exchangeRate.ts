/** A quote's exchange rate. */
import { formatAmount } from "@geoswap/core/promise"
import type { FormToken } from "./choices.js"

/** Both directions of a price, as decimal strings. */
export interface Rate {
  readonly inputPerOutput: string
  readonly outputPerInput: string
}

/** The number of significant digits. */
const digits = 6

/** Formats a fraction as a decimal string, rounded to at most six significant digits. */
const quotient = (numerator: bigint, denominator: bigint): string => {
  // Scale by a power of ten that leaves six digits before the decimal point. The first guess may leave seven digits, in
  // which case the exponent is reduced by one.
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

/** Returns the price of each token in units of the other token, or `undefined` if either amount is 0. */
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
