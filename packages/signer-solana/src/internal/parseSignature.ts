/** Parses signatures in every format that wallets and key services return. */
import { getBase16Encoder, getBase58Encoder } from "@solana/kit"
import { fromBase64 } from "./base64.js"
import { isBytes, sizeOf } from "./bytes.js"

const ofSize = (bytes: Uint8Array): Uint8Array | undefined => (bytes.length === 64 ? bytes : undefined)

/**
 * Parses bytes, or a string in hex, base58 or padded base64. Returns `undefined` if the result is not 64 bytes long.
 */
export const parseSignature = (given: unknown): Uint8Array | undefined => {
  // Make a plain copy, which ignores an overridden length or iterator.
  if (isBytes(given)) return sizeOf(given) === 64 ? ofSize(new Uint8Array(given)) : undefined
  if (typeof given !== "string" || given.length > 130) return undefined
  try {
    const digits = given.replace(/^0x/, "")
    if (/^[0-9a-fA-F]{128}$/.test(digits)) return Uint8Array.from(getBase16Encoder().encode(digits))
    const bytes = given.endsWith("==") ? fromBase64(given) : Uint8Array.from(getBase58Encoder().encode(given))
    return ofSize(bytes)
  } catch {
    // Not a string in any of these formats.
    return undefined
  }
}
