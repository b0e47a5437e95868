/** Compiles an API endpoint: turns its schemas into functions that check its handler's input and output. */
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Operation } from "../../accounts/RateLimits.js"
import type { Refusal } from "../../domain/Refusal.js"
import type { StoreUnavailable } from "../../store/StoreError.js"
import type { PathMatch } from "../messages/matchPath.js"
import { parseQuery } from "../messages/parseQuery.js"
import { readBody } from "../messages/readBody.js"
import { decoder, invalidFields } from "../messages/validationRefusal.js"
import type { Handler, Hold } from "./handlers.js"

/** A request whose rate limit is known. */
interface OpenedRequest {
  readonly operation: Operation
  /** Decodes the input, handles the request and returns the response body. */
  readonly run: (
    account: string,
    hold: Hold,
    visitor?: string
  ) => Effect.Effect<string, Refusal | StoreUnavailable, Scope.Scope>
}

export interface Endpoint {
  /**
   * Determines a request's rate limit. The body is read first only if it decides which limit applies. A body that cannot
   * be read has the endpoint's usual limit, and is refused by `run`.
   */
  readonly open: (request: HttpServerRequest, found: PathMatch<unknown>) => Effect.Effect<OpenedRequest>
}

/**
 * A decoder whose result fits any handler. The types ensure that the API and its handlers match, but in a list,
 * TypeScript no longer knows which endpoint and handler belong together.
 */
const decoderOf = (schema: Schema.Top) => decoder(schema as Schema.Codec<never, unknown>)

/** Returns the encoder of an endpoint's response body. */
export const encoderOf = (
  endpoint: HttpApiEndpoint.Top
): ((value: unknown) => Result.Result<string, Schema.SchemaError>) => {
  const [success] = endpoint.success
  const encode = Schema.encodeUnknownResult((success ?? Schema.Void) as Schema.ConstraintEncoder<unknown>)
  return (value) => Result.map(encode(value), (wire) => JSON.stringify(wire))
}

/** Encodes a response body. An invalid response is a defect, and the defect's message does not contain the response. */
export const encodedBy = (endpoint: HttpApiEndpoint.Top): ((value: unknown) => Effect.Effect<string>) => {
  const encode = encoderOf(endpoint)
  return (value) => {
    const body = encode(value)
    return Result.isSuccess(body)
      ? Effect.succeed(body.success)
      : Effect.die(
          new Error(`The response from ${endpoint.identifier} is invalid: ${invalidFields(body.failure.issue)}`)
        )
  }
}

/** Compiles an endpoint. */
export const compileEndpoint = (endpoint: HttpApiEndpoint.Top, handler: Handler<never, unknown>): Endpoint => {
  const { operation, prepare, run, variant } = handler
  const encoded = encodedBy(endpoint)
  const respondTo =
    (input: Effect.Effect<never, Refusal>): OpenedRequest["run"] =>
    (account, hold, visitor) =>
      Effect.flatMap(
        Effect.flatMap(input, (value) => run(account, value, hold, visitor)),
        encoded
      )
  const [payload] = endpoint.payload.values()
  if (payload === undefined) {
    const { params = Schema.Struct({}), query } = endpoint
    const decode = decoderOf(query ?? params)
    return {
      open: (_, found) => {
        const fields = query === undefined ? Effect.succeed(found.params) : parseQuery(found.query)
        return Effect.succeed({ operation, run: respondTo(Effect.flatMap(fields, decode)) })
      }
    }
  }
  const decode = decoderOf(payload.schemas[0])
  if (variant === undefined) {
    return {
      open: (request) => {
        const input = Effect.flatMap(readBody(request), (fields) => {
          prepare?.(fields)
          return decode(fields)
        })
        return Effect.succeed({ operation, run: respondTo(input) })
      }
    }
  }
  const decodeVariant = decoderOf(variant.payload)
  return {
    open: (request) =>
      Effect.map(Effect.result(readBody(request)), (body) => {
        const isVariant = Result.isSuccess(body) && variant.matches(body.success)
        const input = Effect.flatMap(Effect.fromResult(body), isVariant ? decodeVariant : decode)
        return { operation: isVariant ? variant.operation : operation, run: respondTo(input) }
      })
  }
}
