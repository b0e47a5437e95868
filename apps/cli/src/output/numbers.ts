/** Formats numbers in the reader's locale. The digits are always 0 to 9. */
import { Amount } from "@geoswap/core"

/** Returns the locale for numbers that the environment names (default: `en-US`). */
export const localeOf = (environment: Readonly<Record<string, string | undefined>>) => {
  const named = environment["LC_ALL"] || environment["LC_NUMERIC"] || environment["LANG"] || ""
  const tag = named.replace(/[.@].*$/, "").replaceAll("_", "-")
  if (tag === "" || tag === "C" || tag === "POSIX") return "en-US"
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en-US"
  } catch {
    return "en-US"
  }
}

const formatter = (options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(localeOf(process.env), { numberingSystem: "latn", ...options })

/** Formats a decimal number exactly: `12345.678` as `12,345.678`. */
export const formatDecimal = (text: string) => {
  const [whole = "0", fraction] = text.split(".")
  const format = formatter()
  const grouped = format.format(BigInt(whole))
  const separator = format.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? "."
  return fraction === undefined ? grouped : `${grouped}${separator}${fraction}`
}

/** How many digits of an amount are shown. */
const significant = 6

/**
 * Shortens a decimal number to six significant digits, and at least two decimal places. The number is rounded down,
 * because a wallet must not seem to receive or hold more than it does; `up` is for costs.
 */
export const roundDecimal = (text: string, rounding: "down" | "up" = "down") => {
  const [whole = "0", fraction = ""] = text.split(".")
  const zeros = fraction.search(/[1-9]|$/)
  const kept = whole === "0" ? zeros + significant : Math.max(2, significant - whole.length)
  if (fraction.length <= kept) return text
  const isMore = rounding === "up" && /[1-9]/.test(fraction.slice(kept))
  return Amount.format(BigInt(whole + fraction.slice(0, kept)) + (isMore ? 1n : 0n), kept)
}

/** Formats a decimal number, rounded: `0.024998123456` as `0.0249981`. */
export const formatRounded = (text: string, rounding?: "down" | "up") => formatDecimal(roundDecimal(text, rounding))

/** Formats basis points as a percentage: `-1.25%`. */
export const formatPercent = (basisPoints: number) =>
  formatter({ style: "percent", maximumFractionDigits: 4 }).format(basisPoints / 10_000)

/** Formats an amount in US dollars: `$1,234.50`. */
export const formatUsd = (amount: number) =>
  formatter({ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }).format(amount)

/** Formats a cost in US dollars. A cost of less than half a cent is not shown as zero: `<$0.01`. */
export const formatDollars = (amount: number) =>
  amount !== 0 && Math.abs(amount) < 0.005 ? `<${formatUsd(0.01)}` : formatUsd(amount)
