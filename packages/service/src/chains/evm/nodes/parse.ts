/** Parses the values in the responses of an EVM node. */
import { type Hash, type Hex, isHex } from "viem"

export const invalid = (what: string) => new TypeError(`Not ${what}.`)

/** `BigInt` alone would turn an empty string into 0. */
const isQuantity = (value: unknown): value is string => typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value)

/** Parses a JSON-RPC quantity. */
export const quantity = (value: unknown): bigint => {
  if (!isQuantity(value)) throw invalid("a quantity")
  return BigInt(value)
}

/** Parses a field that is not required. A malformed value is treated as missing. */
export const optionalQuantity = (value: unknown): bigint | undefined => (isQuantity(value) ? BigInt(value) : undefined)

export const bytes = (value: unknown): Hex => {
  if (!isHex(value)) throw invalid("bytes")
  return value
}

export const hash = (value: unknown): Hash => {
  if (bytes(value).length !== 66) throw invalid("a hash")
  return bytes(value).toLowerCase() as Hash
}
