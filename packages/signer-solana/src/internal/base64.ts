/** The base64 encoding in which transactions are sent. */
import { getBase64Decoder, getBase64Encoder } from "@solana/kit"

export const toBase64 = (bytes: Uint8Array): string => getBase64Decoder().decode(bytes)

/** Decodes base64. Throws if the text is not canonical, padded base64. */
export const fromBase64 = (text: string): Uint8Array => {
  const bytes = Uint8Array.from(getBase64Encoder().encode(text))
  if (toBase64(bytes) !== text) throw new TypeError("not base64")
  return bytes
}
