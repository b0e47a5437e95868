/** Formats amounts, percentages and addresses. */
import { formatAmount } from "@geoswap/core/promise"

/** A thin space to group digits. It cannot be mistaken for a decimal separator. */
const thinSpace = "\u2009"

const groupDigits = (whole: string): string => (whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thinSpace) : whole)

/**
 * Formats a decimal string in groups of three digits. Truncates after `digits` significant digits, without rounding up.
 */
export const formatDecimal = (text: string, digits = 8): string => {
  const [whole = "0", fraction = ""] = text.split(".")
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length
  const kept = fraction.slice(0, Math.max(0, zeros + digits)).replace(/0+$/, "")
  return kept === "" ? groupDigits(whole) : `${groupDigits(whole)}.${kept}`
}

/** Formats an amount with its token: `1 250.5 USDC`. */
export const formatTokenAmount = (
  amount: bigint,
  token: { readonly decimals: number; readonly symbol: string }
): string => `${formatDecimal(formatAmount(amount, token.decimals))} ${token.symbol}`

/** Formats an amount with all its digits, for amounts that are signed. */
export const formatExactAmount = (
  amount: bigint,
  token: { readonly decimals: number; readonly symbol: string }
): string => `${formatDecimal(formatAmount(amount, token.decimals), 255)} ${token.symbol}`

/** Formats basis points as a percentage: `0.08%`. */
export const formatPercent = (basisPoints: number): string =>
  `${basisPoints < 0 ? "−" : ""}${Number((Math.abs(basisPoints) / 100).toFixed(2))}%`

/** Formats US dollars, or returns `undefined` if the string is not a number. */
export const formatUsd = (text: string | undefined): string | undefined => {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const [whole = "0", cents = ""] = text.split(".")
  return `$${groupDigits(whole)}.${cents.padEnd(2, "0").slice(0, 2)}`
}

/** Returns the change between two amounts in basis points. */
export const changeBps = (before: bigint, after: bigint): number =>
  before === 0n ? 0 : Number(((after - before) * 1_000_000n) / before) / 100

/** Shortens an address to its first and last characters. */
export const shortenAddress = (address: string): string =>
  address.length > 14 ? `${address.slice(0, address.startsWith("0x") ? 6 : 4)}…${address.slice(-4)}` : address
