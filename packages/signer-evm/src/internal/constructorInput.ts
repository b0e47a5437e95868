/** Reading what a constructor was given, in words about what was found and never with what may be a key. */
import { Chain, type Hex, SwapError } from "@geoswap/core"
import { describeKind } from "./describeValue.js"

/** The refusal of what a constructor was given. */
export const invalidInput = (field: string, message: string): SwapError.InvalidInput =>
  new SwapError.InvalidInput({ field, message: `${field}: ${message}` })

/** Reads what was given; a member that throws makes it unusable, and its words stay out of our error. */
export const readInput = <A>(field: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof SwapError.InvalidInput) throw error
    throw invalidInput(field, "cannot be read: one of its members throws.")
  }
}

/** An address as it was given, once its form and its checksum (EIP-55) are right. */
export const parseAddress = (field: string, given: unknown): Hex.Hex => {
  if (typeof given !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(given)) {
    throw invalidInput(field, `should be an address, 0x and 40 hexadecimal digits, and is ${describeKind(given)}.`)
  }
  const isAddress: boolean = Chain.isAddress("evm", given)
  if (!isAddress) {
    throw invalidInput(
      field,
      `${given} is mistyped: its capital letters are not its checksum (EIP-55). Copy it again, or write it in lower case.`
    )
  }
  return given as Hex.Hex
}
