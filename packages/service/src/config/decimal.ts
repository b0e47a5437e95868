/** The decimal numbers of the configuration, exact. */

/** Decimals have at most 20 digits after the point, so that this many parts of one hold them exactly. */
export const unit = 10n ** 20n

/** A decimal number in parts of `unit`. */
export const fixed = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.slice(0, 20).padEnd(20, "0"))
}
