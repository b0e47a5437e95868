/** Reads a request body: JSON of limited size. */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import { type HttpServerRequest, MaxBodySize } from "effect/http/HttpServerRequest"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { parseJson } from "./parseJson.js"

const maxBytes = 65_536

const tooLarge = (): Refusal => refuse("BODY_TOO_LARGE", "The body is larger than 64 KiB. Send a smaller body.")

const unsupported = (message: string): Refusal => refuse("UNSUPPORTED_MEDIA_TYPE", message)

/** Matches the JSON content type. JSON is always UTF-8, so a `charset` parameter of UTF-8 is accepted. */
const json = /^application\/json *(;(?! *charset *=)[^;]*|; *charset *= *"?utf-?8"? *)*$/i

/** Rejects a body based on the request headers. */
const faultOf = ({ headers }: HttpServerRequest): Refusal | undefined => {
  if (!json.test(headers["content-type"] ?? "")) {
    return unsupported("Send the body as JSON, with the content-type: application/json header.")
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    return unsupported("Compressed bodies are not supported. Send the body without a content-encoding header.")
  }
  return Number(headers["content-length"] ?? 0) > maxBytes ? tooLarge() : undefined
}

const interruptedBody = (error: HttpServerError): Refusal =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
    ? tooLarge()
    : refuse("VALIDATION", "The body is incomplete. Send the request again.")

const limit = ByteSize.bytes(maxBytes)

/** Reads and parses a body. A body that is rejected based on its headers is not read. */
export const readBody = (request: HttpServerRequest): Effect.Effect<Record<string, unknown>, Refusal> => {
  const fault = faultOf(request)
  if (fault !== undefined) return Effect.fail(fault)
  return Effect.flatMap(
    Effect.mapError(Effect.provideService(request.arrayBuffer, MaxBodySize, limit), interruptedBody),
    parseJson
  )
}
