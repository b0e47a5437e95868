/** Base64url with exactly one text per value: every other text for the same bytes is refused. */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

/** Unpadded base64url. */
export const encode = (bytes: Uint8Array): string => Base64Url.encode(bytes)

/**
 * The bytes of a text that is what `encode` gives for them. Decoders forgive padding, line breaks and set bits behind
 * the last byte; comparing with the re-encoding forgives nothing.
 */
export const decode = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const decoded = Base64Url.decode(text)
  return Result.isSuccess(decoded) && Base64Url.encode(decoded.success) === text
    ? new Uint8Array(decoded.success)
    : undefined
}
