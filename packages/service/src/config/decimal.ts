/** Exact decimal numbers for the configuration. */

/** The maximum number of digits after the decimal point. */
export const decimals = 20

/** The factor that turns decimals into integers. */
export const unit = 10n ** BigInt(decimals)

/** Parses a decimal number into an integer, scaled by `unit`. */
export const fixed = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"))
}
