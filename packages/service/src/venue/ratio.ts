/** Converts exact fractions to floating-point dollars. */
import { unit } from "../config/decimal.js"

const bits = (value: bigint) => value.toString(16).length * 4

/**
 * Converts `numerator / denominator`, which is scaled by `unit`, to a floating-point number with full double precision.
 */
export const ratio = (numerator: bigint, denominator: bigint) => {
  const whole = denominator * unit
  const shift = Math.max(0, bits(whole) - bits(numerator) + 64)
  return Number((numerator << BigInt(shift)) / whole) / 2 ** shift
}
