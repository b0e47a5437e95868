/** Reading what a constructor was given, in words about what was found and never with what may be a key. */
import { Chain, type Hex, SwapError } from "@geoswap/core"

/** The refusal of what a constructor was given. */
export const invalid = (field: string, message: string): SwapError.InvalidInput =>
  new SwapError.InvalidInput({ field, message: `${field}: ${message}` })

/** What a value is, without the value itself: it may be a key. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === "string") return value === "" ? "an empty text" : `a text of ${value.length} characters`
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** The same, with the numbers among what a service or a wallet said. */
export const tell = (value: unknown): string => (typeof value === "number" ? `${value}` : kindOf(value))

/** Members of something foreign, of which nothing is known yet. */
export type Members<K extends string> = { readonly [Key in K]?: unknown }

/** Whether a value can have members. */
export const hasMembers = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

/** Reads what was given; a member that throws makes it unusable, and its words stay out of our error. */
export const reading = <A>(field: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof SwapError.InvalidInput) throw error
    throw invalid(field, "cannot be read: one of its members throws.")
  }
}

/** An address as it was given, once its form and its checksum (EIP-55) are right. */
export const addressOf = (field: string, given: unknown): Hex.Hex => {
  if (typeof given !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(given)) {
    throw invalid(field, `should be an address, 0x and 40 hexadecimal digits, and is ${kindOf(given)}.`)
  }
  const isAddress: boolean = Chain.isAddress("evm", given)
  if (!isAddress) {
    throw invalid(
      field,
      `${given} is mistyped: its capital letters are not its checksum (EIP-55). Copy it again, or write it in lower case.`
    )
  }
  return given as Hex.Hex
}
