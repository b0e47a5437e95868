/** A quote's exchange rate. */
import * as Amount from "../Amount.js"

/** The price of each token in whole units of the other token, as decimal strings with at most six significant digits. */
export interface ExchangeRate {
  readonly inputPerOutput: string
  readonly outputPerInput: string
}

/** The number of significant digits. */
const digits = 6

/** Formats a fraction as a decimal string. */
const quotient = (numerator: bigint, denominator: bigint): string => {
  // Scale by a power of ten that leaves six digits before the decimal point. The first guess may leave seven digits, in
  // which case the exponent is reduced by one.
  let places = digits - numerator.toString().length + denominator.toString().length
  const rounded = () => {
    const above = numerator * 10n ** BigInt(Math.max(places, 0))
    const below = denominator * 10n ** BigInt(Math.max(-places, 0))
    return (above + below / 2n) / below
  }
  if (rounded() >= 10n ** BigInt(digits)) places--
  return places >= 0 ? Amount.format(rounded(), places) : (rounded() * 10n ** BigInt(-places)).toString()
}

/** An amount in the token's smallest unit, and the token's decimals. */
interface Side {
  readonly amount: bigint
  readonly decimals: number
}

/** Returns the exchange rate between two amounts, or `undefined` if either amount is 0. */
export const exchangeRate = (input: Side, output: Side): ExchangeRate | undefined => {
  if (input.amount <= 0n || output.amount <= 0n) return undefined
  const paid = input.amount * 10n ** BigInt(output.decimals)
  const received = output.amount * 10n ** BigInt(input.decimals)
  return { inputPerOutput: quotient(paid, received), outputPerInput: quotient(received, paid) }
}
