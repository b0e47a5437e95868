/** Compiles an API endpoint: turns its schemas into functions that check its handler's input and output. */
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Refusal } from "../Refusal.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { Handler, Hold } from "./handlers.js"
import type { PathMatch } from "./matchPath.js"
import { parseQuery } from "./parseQuery.js"
import { readBody } from "./readBody.js"
import { invalidFields, validationRefusal } from "./validationRefusal.js"

export interface Endpoint {
  readonly operation: Handler<never, unknown>["operation"]
  /** Returns the response body. */
  readonly run: (
    account: string,
    request: HttpServerRequest,
    found: PathMatch<unknown>,
    hold: Hold
  ) => Effect.Effect<string, Refusal | StoreUnavailable, Scope.Scope>
}

/**
 * A decoder whose result fits any handler. The types ensure that the API and its handlers match, but in a list,
 * TypeScript no longer knows which endpoint and handler belong together.
 */
type Decoder = (input: unknown) => Effect.Effect<never, Schema.SchemaError>

/** Reads the handler's input from the body, query or path. */
const inputOf = (
  endpoint: HttpApiEndpoint.Top,
  prepare: Handler<never, unknown>["prepare"]
): ((request: HttpServerRequest, found: PathMatch<unknown>) => Effect.Effect<never, Refusal>) => {
  const decoder = (schema: Schema.Top): ((input: unknown) => Effect.Effect<never, Refusal>) => {
    const decode = Schema.decodeUnknownEffect(schema, { errors: "all" }) as Decoder
    return (input) => Effect.mapErrorEager(decode(input), ({ issue }) => validationRefusal(issue))
  }
  const [payload] = endpoint.payload.values()
  if (payload !== undefined) {
    const decode = decoder(payload.schemas[0])
    return (request) =>
      Effect.flatMap(readBody(request), (body) => {
        prepare?.(body)
        return decode(body)
      })
  }
  if (endpoint.query !== undefined) {
    const decode = decoder(endpoint.query)
    return (_, { query }) => Effect.flatMap(parseQuery(query), decode)
  }
  const decode = decoder(endpoint.params ?? Schema.Struct({}))
  return (_, { params }) => decode(params)
}

/** Compiles an endpoint. An invalid response is a defect, and the defect's message does not contain the response. */
export const compileEndpoint = (endpoint: HttpApiEndpoint.Top, handler: Handler<never, unknown>): Endpoint => {
  const input = inputOf(endpoint, handler.prepare)
  const [success] = endpoint.success
  const encode = Schema.encodeUnknownResult((success ?? Schema.Void) as Schema.ConstraintEncoder<unknown>)
  const encoded = (value: unknown): Effect.Effect<string> => {
    const wire = encode(value)
    return Result.isSuccess(wire)
      ? Effect.succeed(JSON.stringify(wire.success))
      : Effect.die(
          new Error(`The response from ${endpoint.identifier} is invalid: ${invalidFields(wire.failure.issue)}`)
        )
  }
  return {
    operation: handler.operation,
    run: (account, request, found, hold) =>
      Effect.flatMap(
        Effect.flatMap(input(request, found), (value) => handler.run(account, value, hold)),
        encoded
      )
  }
}
