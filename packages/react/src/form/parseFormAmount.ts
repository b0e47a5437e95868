/** Parses an amount as users type it. An ambiguous amount is an error, never a guess. */
import { Amount } from "@geoswap/core"
import type { FormToken } from "./choices.js"

/** An amount in the token's smallest unit, or an error. If the input is empty, both are absent. */
export interface ParsedAmount {
  readonly amount?: bigint
  readonly error?: string
}

/** The error for a number with a comma. */
const commaError = (text: string): string => {
  const [, whole, rest] = /^(\d+),(\d+)$/.exec(text) ?? []
  if (whole === undefined || rest === undefined) {
    return "Enter a number such as 1000.5, with a decimal point and no separators."
  }
  return rest.length === 3
    ? `Enter ${whole}${rest}, or ${whole}.${rest} with a decimal point.`
    : `Enter ${whole}.${rest}, with a decimal point.`
}

const decimalsError = ({ decimals, symbol }: FormToken, fraction: string): string =>
  decimals === 0
    ? `${symbol} has no decimals. Enter a whole number.`
    : `${symbol} has ${decimals} decimals, but this amount has ${fraction.length}.`

/** Parses an amount of a token. `max` is the maximum, in the token's smallest unit. */
export const parseFormAmount = (text: string, token: FormToken, max: bigint): ParsedAmount => {
  const input = text.trim()
  if (input === "" || input === ".") return {}
  if (/^[\d.]+(\s+[\d.]+)+$/.test(input)) return { error: `Enter ${input.replaceAll(/\s/g, "")}, without spaces.` }
  if (/^[\d.,]*,[\d.,]*$/.test(input)) return { error: commaError(input) }
  if (input.startsWith("-")) return { error: "Enter an amount greater than 0." }
  const [, whole, fraction = ""] = /^(\d*)\.?(\d*)$/.exec(input) ?? []
  if (whole === undefined) return { error: "Enter a number such as 1.5." }
  const significant = fraction.replace(/0+$/, "")
  if (significant.length > token.decimals) return { error: decimalsError(token, significant) }
  // A decimal point at either end is unambiguous.
  const amount = Amount.parse(`${whole || "0"}.${significant || "0"}`, token.decimals)
  return amount === undefined || amount > max ? { error: "This amount is too large." } : { amount }
}
