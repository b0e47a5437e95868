/** What the service answers when it does not do what was asked: a code of the protocol and words to act on. */
import * as Schema from "effect/Schema"

/** §7 and `docs/protocol.md`: every code with its HTTP status. Codes are only ever added. */
export const statusOf = {
  VALIDATION: 400,
  UNAUTHORIZED: 401,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  SWAP_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  NEEDS_DELEGATION: 409,
  INVALID_AUTHORIZATION: 409,
  QUOTE_ALREADY_USED: 409,
  NONCE_USED: 409,
  QUOTE_EXPIRED: 410,
  OPERATION_EXPIRED: 410,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_DELEGATION: 422,
  NO_ROUTE: 422,
  NEEDS_LARGER_SIZE: 422,
  INSUFFICIENT_BALANCE: 422,
  SLIPPAGE: 422,
  INVALID_SIGNATURE: 422,
  TRANSACTION_MODIFIED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504
} as const

export type Code = keyof typeof statusOf

/** A refusal as it goes over the wire; the request's id is added there. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", {
  code: Schema.Literals(Object.keys(statusOf) as ReadonlyArray<Code>),
  /** What happened and what to do about it, for a person. Never a secret, never a token. */
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** Seconds, for `Retry-After`. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  get status(): number {
    return statusOf[this.code]
  }
}

/** A refusal of that code. */
export const refuse = (
  code: Code,
  message: string,
  extra: { readonly details?: Readonly<Record<string, Schema.Json>>; readonly retryAfter?: number } = {}
): Refusal => new Refusal({ code, message, ...extra })
