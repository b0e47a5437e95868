/** Parses an amount as users type it. An ambiguous amount is an error, never a guess. */
import { Amount } from "@geoswap/core"
import type { FormToken } from "./choices.js"
import { english } from "./messages.js"

/** An amount in the token's smallest unit, or an error. If the input is empty, both are absent. */
interface ParsedAmount {
  readonly amount?: bigint
  readonly error?: string
  /** The amounts that the user may have meant, with a decimal point. The error contains them. */
  readonly suggestions?: ReadonlyArray<string>
}

/** Parses an amount of a token. `max` is the maximum, in the token's smallest unit. */
export const parseFormAmount = (text: string, token: FormToken, max: bigint, messages = english): ParsedAmount => {
  const input = text.trim()
  if (input === "" || input === ".") return {}
  if (/^[\d.]+(\s+[\d.]+)+$/.test(input)) {
    const meant = input.replaceAll(/\s/g, "")
    return { error: messages.spaces(meant), suggestions: [meant] }
  }
  if (/^[\d.,]*,[\d.,]*$/.test(input)) {
    const [, before, after = ""] = /^(\d+),(\d+)$/.exec(input) ?? []
    const decimal = `${before}.${after}`
    const suggestions = before === undefined ? [] : after.length === 3 ? [before + after, decimal] : [decimal]
    return { error: messages.comma(suggestions), suggestions }
  }
  if (input.startsWith("-")) return { error: messages.positive }
  const [, whole, fraction = ""] = /^(\d*)\.?(\d*)$/.exec(input) ?? []
  if (whole === undefined) return { error: messages.number }
  const significant = fraction.replace(/0+$/, "")
  if (significant.length > token.decimals) return { error: messages.decimals(token, significant.length) }
  // A decimal point at either end is unambiguous.
  const amount = Amount.parse(`${whole || "0"}.${significant || "0"}`, token.decimals)
  return amount === undefined || amount > max ? { error: messages.tooLarge } : { amount }
}
