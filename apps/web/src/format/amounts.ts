/** Formats amounts, percentages and addresses in the reader's locale. A number never contains a line break. */
import { Chain } from "@geoswap/core"
import { formatAmount } from "@geoswap/core/promise"
import { perLocale } from "./locale.js"

/** A token, as far as its amounts are concerned. */
export interface Coin {
  readonly decimals: number
  readonly symbol: string
}

const integers = perLocale((locale) => new Intl.NumberFormat(locale, { numberingSystem: "latn" }))

const percentages = perLocale(
  (locale) => new Intl.NumberFormat(locale, { numberingSystem: "latn", style: "percent", maximumFractionDigits: 2 })
)

const dollarsOf = (locale: string) =>
  new Intl.NumberFormat(locale, {
    numberingSystem: "latn",
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol"
  })

const dollars = perLocale(dollarsOf)

/** Returns whether the dollar sign comes before an amount. */
export const isDollarFirst = perLocale((locale) => dollarsOf(locale).formatToParts(1)[0]?.type === "currency")

/** Returns the decimal separator: `.` or `,`. */
export const decimalSeparator = perLocale(
  (locale) =>
    new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(1.5).find(({ type }) => type === "decimal")
      ?.value ?? "."
)

/** Replaces spaces, at which a line could break, and the hyphen that some locales use as a minus sign. */
const joined = (text: string) => text.replaceAll(/\s/g, "\u202f").replaceAll("-", "−")

/** Formats a whole number. */
export const formatInteger = (value: number | bigint) => joined(integers().format(value))

const decimal = (whole: string, fraction: string) => {
  const grouped = formatInteger(BigInt(whole))
  return fraction === "" ? grouped : `${grouped}${decimalSeparator()}${fraction}`
}

const splitDecimal = (text: string): readonly [whole: string, fraction: string] => {
  const [whole = "0", fraction = ""] = text.split(".")
  return [whole, fraction.replace(/0+$/, "")]
}

/** Formats a decimal string with all its digits. */
export const formatExactDecimal = (text: string) => decimal(...splitDecimal(text))

/** The number of significant digits of a shortened amount. */
const digits = 6
/** The number of significant digits of a balance. It is higher, so that balances add up with what was received. */
export const balanceDigits = 9
/** The most decimal places of a shortened amount. */
const mostPlaces = 8

/**
 * Shortens a decimal string to significant digits (default: 6), but at least two decimal places. Truncates and never rounds up, so
 * that the amount is never more than what there is.
 */
export const shortenDecimal = (text: string, significant = digits) => {
  const [whole, fraction] = splitDecimal(text)
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
  const places = whole === "0" ? Math.min(mostPlaces, zeros + significant) : Math.max(2, significant - whole.length)
  const kept = fraction.slice(0, places).replace(/0+$/, "")
  return kept === "" ? whole : `${whole}.${kept}`
}

/** Formats a decimal string, shortened. An amount that is too small to be shown is `<0.00000001`. */
export const formatDecimal = (text: string, significant = digits) => {
  const short = shortenDecimal(text, significant)
  return short === "0" && /[1-9]/.test(text)
    ? `<${decimal("0", `${"0".repeat(mostPlaces - 1)}1`)}`
    : formatExactDecimal(short)
}

/** Adds a symbol to a number. The two stay on one line. */
const withSymbol = (number: string, symbol: string) => `${number}\u00a0${symbol}`

/** Formats an amount with its token, shortened to what is meaningful: `1,250.5 USDC`. */
export const formatTokenAmount = (amount: bigint, { decimals, symbol }: Coin, significant = digits) =>
  withSymbol(formatDecimal(formatAmount(amount, decimals), significant), symbol)

/** Formats an amount with all its digits, for amounts that are signed. */
export const formatExactAmount = (amount: bigint, { decimals, symbol }: Coin) =>
  withSymbol(formatExactDecimal(formatAmount(amount, decimals)), symbol)

/** Formats basis points as a percentage: `0.08%`. */
export const formatPercent = (basisPoints: number) => joined(percentages().format(basisPoints / 10_000))

/** Formats a number of US dollars. A positive amount is never shown as nothing. */
export const formatDollars = (usd: number) =>
  usd !== 0 && Math.abs(usd) < 0.005 ? `<${joined(dollars().format(0.01))}` : joined(dollars().format(usd))

/** Formats US dollars, or returns `undefined` if the string is not a number. */
export const formatUsd = (text: string | undefined) =>
  text === undefined || !/^\d+(\.\d+)?$/.test(text) ? undefined : formatDollars(Number(text))

/** Returns the change between two amounts in basis points. */
export const changeBps = (before: bigint, after: bigint) =>
  before === 0n ? 0 : Number(((after - before) * 1_000_000n) / before) / 100

/** Formats an EVM address with its checksum, as wallets do. Other addresses and hashes stay as they are. */
export const formatAddress = (address: string) => (/^0x[\da-f]{40}$/.test(address) ? Chain.checksum(address) : address)

/** Shortens an address to its first and last characters. */
export const shortenAddress = (value: string) => {
  const address = formatAddress(value)
  return address.length > 14 ? `${address.slice(0, address.startsWith("0x") ? 6 : 4)}…${address.slice(-4)}` : address
}
