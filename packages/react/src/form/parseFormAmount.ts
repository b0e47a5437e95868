/** Reads an amount as people write it; where it could be read in two ways, says how to write it. */
import { parseAmount } from "@geoswap/core/promise"
import type { FormToken } from "./choices.js"

/** An amount in smallest units, or what is wrong with the text; neither while nothing is written. */
export interface ParsedAmount {
  readonly amount?: bigint
  readonly error?: string
}

/** How to write a number that has a comma in it. */
const withoutComma = (text: string): string => {
  const [, whole, rest] = /^(\d+),(\d+)$/.exec(text) ?? []
  if (whole === undefined || rest === undefined) return "Write a number such as 1000.5: a point, and no separators."
  return rest.length === 3
    ? `Write ${whole}${rest}, or ${whole}.${rest} with a point.`
    : `Write ${whole}.${rest}, with a point.`
}

const tooFine = ({ decimals, symbol }: FormToken, fraction: string): string =>
  decimals === 0
    ? `${symbol} cannot be divided: write a whole number.`
    : `${symbol} has ${decimals} decimals; this has ${fraction.length}.`

/** Reads what is written for an amount of a token, of which a chain can hold so many smallest units. */
export const parseFormAmount = (text: string, token: FormToken, most: bigint): ParsedAmount => {
  const written = text.trim()
  if (written === "" || written === ".") return {}
  if (/^[\d.]+(\s+[\d.]+)+$/.test(written)) return { error: `Write ${written.replaceAll(/\s/g, "")}, without spaces.` }
  if (/^[\d.,]*,[\d.,]*$/.test(written)) return { error: withoutComma(written) }
  if (written.startsWith("-")) return { error: "Write an amount above 0." }
  const [, whole, fraction = ""] = /^(\d*)\.?(\d*)$/.exec(written) ?? []
  if (whole === undefined) return { error: "Write a number such as 1.5." }
  const significant = fraction.replace(/0+$/, "")
  if (significant.length > token.decimals) return { error: tooFine(token, significant) }
  // A point at either end is half a number, and can mean one thing only.
  const amount = parseAmount(`${whole || "0"}.${significant || "0"}`, token.decimals)
  return amount === undefined || amount > most ? { error: "This is more than a chain can hold." } : { amount }
}
