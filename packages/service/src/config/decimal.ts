/** Exact decimal numbers for the configuration. */

/** The factor that turns decimals into integers. Decimals have at most 20 digits after the decimal point. */
export const unit = 10n ** 20n

/** Parses a decimal number into an integer, scaled by `unit`. */
export const fixed = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.slice(0, 20).padEnd(20, "0"))
}
