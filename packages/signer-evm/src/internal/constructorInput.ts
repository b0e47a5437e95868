/** Reads constructor arguments. Error messages never show an argument's value, because it may be a key. */
import { Chain, type Hex, SwapError } from "@geoswap/core"
import { invalidInput } from "@geoswap/core/adapters"
import { describeKind } from "./describeValue.js"

export { invalidInput }

/**
 * Runs `read`. If reading a property of the argument throws, fails with `InvalidInput` and drops the thrown message.
 */
export const readInput = <A>(field: string, read: () => A): A => {
  try {
    return read()
  } catch (error) {
    if (error instanceof SwapError.InvalidInput) throw error
    throw invalidInput(field, "cannot be read: one of its properties throws.")
  }
}

/**
 * Returns the address unchanged. Throws `InvalidInput` if the value is not an address or has an invalid EIP-55
 * checksum.
 */
export const parseAddress = (field: string, value: unknown): Hex.Hex => {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value)) {
    throw invalidInput(field, `expected an address (0x followed by 40 hexadecimal digits), got ${describeKind(value)}.`)
  }
  const isAddress: boolean = Chain.isAddress("evm", value)
  if (!isAddress) {
    throw invalidInput(
      field,
      `${value} has an invalid EIP-55 checksum, so it may be mistyped. Copy it again, or write it in lowercase.`
    )
  }
  return value as Hex.Hex
}
