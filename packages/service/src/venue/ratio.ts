/** From exact fractions to the numbers that dollars are told in. */
import { unit } from "../config/decimal.js"

const bits = (value: bigint): number => value.toString(16).length * 4

/** What `numerator / denominator` parts of `unit` are as a number, with all the digits that a number holds. */
export const ratio = (numerator: bigint, denominator: bigint): number => {
  const whole = denominator * unit
  const shift = Math.max(0, bits(whole) - bits(numerator) + 64)
  return Number((numerator << BigInt(shift)) / whole) / 2 ** shift
}
