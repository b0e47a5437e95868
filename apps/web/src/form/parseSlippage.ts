/** Parses the slippage that the user enters in percent. */

/** A slippage in basis points, or an error. An empty field has neither: the service chooses. */
export interface ParsedSlippage {
  readonly bps?: number
  readonly error?: "number" | "step" | "range"
}

/** Parses a percentage such as `0.5`, `0,5` or `0.5%`. The smallest step is 0.01%. */
export const parseSlippage = (text: string): ParsedSlippage => {
  const input = text.trim().replace(/\s*%$/, "").replace(",", ".")
  if (input === "") return {}
  const [, whole = "", fraction = ""] = /^(\d*)\.?(\d*)$/.exec(input) ?? []
  if (whole + fraction === "") return { error: "number" }
  const digits = fraction.replace(/0+$/, "")
  if (digits.length > 2) return { error: "step" }
  const bps = Number(whole || "0") * 100 + Number(digits.padEnd(2, "0"))
  return bps > 10_000 ? { error: "range" } : { bps }
}
