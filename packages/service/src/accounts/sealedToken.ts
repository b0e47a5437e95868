/** The format of sealed tokens: `gq1.<kid>.<base64url>` for a quote, `go1.<kid>.<base64url>` for an operation. */
import { type Cipher, tagLength, web } from "../crypto/Cipher.js"
import * as base64url from "./base64url.js"

export type Type = "quote" | "operation"

const prefixes = { quote: "gq1", operation: "go1" }

/** The maximum length of a token. Longer strings are rejected. */
export const maxLength = 16 * 1024

export const nonceLength = 12

/** A parsed token. */
export interface Parts {
  readonly kid: string
  readonly nonce: Uint8Array<ArrayBuffer>
  /** The ciphertext, which ends with the authentication tag. */
  readonly ciphertext: Uint8Array<ArrayBuffer>
}

/** How the bytes of a token are written. */
type Encoding = Pick<Cipher, "decode" | "encode">

export const format = (
  type: Type,
  { ciphertext, kid, nonce }: Pick<Parts, "kid" | "nonce"> & { readonly ciphertext: Uint8Array },
  { encode }: Encoding = web
) => {
  const bytes = new Uint8Array(nonce.length + ciphertext.length)
  bytes.set(nonce)
  bytes.set(ciphertext, nonce.length)
  return `${prefixes[type]}.${kid}.${encode(bytes)}`
}

/** Parses a token. Returns `undefined` if the string is not a token of the given type. */
export const parse = (type: Type, text: string, encoding: Encoding = web) => {
  if (text.length > maxLength) return undefined
  const [prefix, kid, body, ...more] = text.split(".")
  if (prefix !== prefixes[type] || kid === undefined || body === undefined || more.length > 0) return undefined
  const bytes = base64url.decode(body, encoding)
  if (bytes === undefined || bytes.length < nonceLength + tagLength) return undefined
  return { kid, nonce: bytes.subarray(0, nonceLength), ciphertext: bytes.subarray(nonceLength) }
}
