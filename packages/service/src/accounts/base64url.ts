/** Canonical base64url: exactly one string per value. */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"

/** Encodes bytes in unpadded base64url. */
export const encode = (bytes: Uint8Array): string => Base64Url.encode(bytes)

/**
 * Decodes a canonical string. Base64 decoders tolerate padding, line breaks and nonzero bits after the last byte, so
 * the input is compared with the re-encoded bytes.
 */
export const decode = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const decoded = Base64Url.decode(text)
  return Result.isSuccess(decoded) && Base64Url.encode(decoded.success) === text
    ? new Uint8Array(decoded.success)
    : undefined
}
