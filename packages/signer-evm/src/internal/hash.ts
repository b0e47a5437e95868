/** The hashes that wallets sign: EIP-191 messages and EIP-7702 authorizations. */
import type { Hex } from "@geoswap/core"
import { keccak256 as hashBytes } from "@geoswap/core/adapters"
import type { Tuple } from "./wallet.js"

/** Returns the bytes that an even number of hexadecimal digits encodes. */
export const toBytes = (hex: Hex.Hex): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export const toHex = (bytes: Uint8Array): Hex.Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`

export const keccak256 = (hex: Hex.Hex): Hex.Hex => hashBytes(toBytes(hex))

/** Returns the hash that personal_sign signs, for text or for raw bytes (EIP-191). */
export const hashMessage = (message: string | { readonly raw: Hex.Hex }): Hex.Hex => {
  const utf8 = (text: string) => new TextEncoder().encode(text)
  const bytes = typeof message === "string" ? utf8(message) : toBytes(message.raw)
  return hashBytes(Uint8Array.of(...utf8(`\x19Ethereum Signed Message:\n${bytes.length}`), ...bytes))
}

/** Encodes a number below 2^53 in RLP. */
const encodeNumber = (value: number): string => {
  if (value === 0) return "80"
  const digits = value.toString(16)
  const padded = digits.padStart(digits.length + (digits.length % 2), "0")
  return value < 0x80 ? padded : `${(0x80 + padded.length / 2).toString(16)}${padded}`
}

/** Returns the hash that an EIP-7702 authorization signs: `keccak256(0x05 || rlp([chainId, address, nonce]))`. */
export const hashAuthorization = ({ address, chainId, nonce }: Tuple): Hex.Hex => {
  const items = `${encodeNumber(chainId)}94${address.slice(2)}${encodeNumber(nonce)}`
  // The items are at most 37 bytes, so the length of the list fits into its first byte.
  return keccak256(`0x05${(0xc0 + items.length / 2).toString(16)}${items}`)
}
