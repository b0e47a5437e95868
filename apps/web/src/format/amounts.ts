/** Amounts, rates and shares as people read them. */
import { formatAmount } from "@geoswap/core/promise"

/** A thin space, which groups digits without being taken for a comma or a point. */
const gap = "\u2009"

const grouped = (whole: string): string => (whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, gap) : whole)

/** Decimal text with groups of three; what has more than `digits` significant ones is cut, never rounded up. */
export const formatDecimal = (text: string, digits = 8): string => {
  const [whole = "0", fraction = ""] = text.split(".")
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length
  const kept = fraction.slice(0, Math.max(0, zeros + digits)).replace(/0+$/, "")
  return kept === "" ? grouped(whole) : `${grouped(whole)}.${kept}`
}

/** An amount with its token: `1 250.5 USDC`. */
export const formatTokenAmount = (
  amount: bigint,
  token: { readonly decimals: number; readonly symbol: string }
): string => `${formatDecimal(formatAmount(amount, token.decimals))} ${token.symbol}`

/** An amount to the last digit, for what is signed. */
export const formatExactAmount = (
  amount: bigint,
  token: { readonly decimals: number; readonly symbol: string }
): string => `${formatDecimal(formatAmount(amount, token.decimals), 255)} ${token.symbol}`

/** Basis points as a share: `0.08 %`. */
export const formatPercent = (basisPoints: number): string =>
  `${basisPoints < 0 ? "−" : ""}${Number((Math.abs(basisPoints) / 100).toFixed(2))}${gap}%`

/** Dollars, where the text is a number. */
export const formatUsd = (text: string | undefined): string | undefined => {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const [whole = "0", cents = ""] = text.split(".")
  return `$${grouped(whole)}.${cents.padEnd(2, "0").slice(0, 2)}`
}

/** How much one amount is above another in basis points. */
export const changeBps = (before: bigint, after: bigint): number =>
  before === 0n ? 0 : Number(((after - before) * 1_000_000n) / before) / 100

/** The ends of an address, enough to tell one from another. */
export const shortenAddress = (address: string): string =>
  address.length > 14 ? `${address.slice(0, address.startsWith("0x") ? 6 : 4)}…${address.slice(-4)}` : address
