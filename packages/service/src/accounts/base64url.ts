/** Canonical base64url: exactly one string per value. */
import { type Cipher, web } from "../crypto/Cipher.js"

/** Encodes bytes in unpadded base64url. */
export const encode = web.encode

/**
 * Decodes a canonical string. Base64 decoders tolerate padding, line breaks and nonzero bits after the last byte, so
 * the input is compared with the re-encoded bytes.
 */
export const decode = (text: string, { decode, encode }: Pick<Cipher, "decode" | "encode"> = web) => {
  const bytes = decode(text)
  return bytes !== undefined && encode(bytes) === text ? new Uint8Array(bytes) : undefined
}
