/** The body of a request: JSON, as it is said to be, and of a size that a swap needs. */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import { type HttpServerRequest, MaxBodySize } from "effect/http/HttpServerRequest"
import { type Refusal, refuse } from "../Refusal.js"
import { parseJson } from "./parseJson.js"

const maxBytes = 65_536

const tooLarge = (): Refusal =>
  refuse("BODY_TOO_LARGE", "The body is larger than 64 KiB, which no request of this service needs: send less.")

const unsupported = (message: string): Refusal => refuse("UNSUPPORTED_MEDIA_TYPE", message)

/** JSON is UTF-8; a charset that says so does no harm. */
const json = /^application\/json *(;(?! *charset *=)[^;]*|; *charset *= *"?utf-?8"? *)*$/i

/** What the headers alone rule out. */
const faultOf = ({ headers }: HttpServerRequest): Refusal | undefined => {
  if (!json.test(headers["content-type"] ?? "")) {
    return unsupported("Send the body as JSON: the header content-type should be application/json.")
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    return unsupported("Send the body as it is: compressed bodies are not taken, so leave out content-encoding.")
  }
  return Number(headers["content-length"] ?? 0) > maxBytes ? tooLarge() : undefined
}

const interruptedBody = (error: HttpServerError): Refusal =>
  error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
    ? tooLarge()
    : refuse("VALIDATION", "The body did not arrive as a whole: send the request again.")

const limit = ByteSize.bytes(maxBytes)

/** Reads no further than it has to: a body that cannot be taken is left where it is. */
export const readBody = (request: HttpServerRequest): Effect.Effect<Record<string, unknown>, Refusal> => {
  const fault = faultOf(request)
  if (fault !== undefined) return Effect.fail(fault)
  return Effect.flatMap(
    Effect.mapError(Effect.provideService(request.arrayBuffer, MaxBodySize, limit), interruptedBody),
    parseJson
  )
}
