/** Refusals of API calls. Each refusal has a protocol code and a message that says what to do. */
import * as Schema from "effect/Schema"

/** The HTTP status for every code (see `docs/protocol.md`). Codes are append-only. */
export const statusOf = {
  VALIDATION: 400,
  UNAUTHORIZED: 401,
  INVALID_TOKEN: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  SWAP_NOT_FOUND: 404,
  CHANGE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  NEEDS_DELEGATION: 409,
  INVALID_AUTHORIZATION: 409,
  QUOTE_ALREADY_USED: 409,
  NONCE_USED: 409,
  SWAP_IN_PROGRESS: 409,
  NOTHING_TO_CHANGE: 409,
  QUOTE_EXPIRED: 410,
  OPERATION_EXPIRED: 410,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_DELEGATION: 422,
  NO_ROUTE: 422,
  NEEDS_LARGER_SIZE: 422,
  NEEDS_SMALLER_SIZE: 422,
  INSUFFICIENT_BALANCE: 422,
  SLIPPAGE: 422,
  INVALID_SIGNATURE: 422,
  TRANSACTION_MODIFIED: 422,
  PAYMENT_METHOD_UNAVAILABLE: 422,
  LIMIT_EXCEEDED: 422,
  RATE_LIMITED: 429,
  GAS_BUDGET_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504
} as const

export type Code = keyof typeof statusOf

/** A refusal without the request id, which the HTTP layer adds. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", {
  code: Schema.Literals(Object.keys(statusOf) as ReadonlyArray<Code>),
  /** A description of what happened and what to do about it. Contains no secrets or tokens. */
  message: Schema.String,
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** The value of `Retry-After`, in seconds. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  get status(): number {
    return statusOf[this.code]
  }
}

/** Creates a refusal. */
export const refuse = (
  code: Code,
  message: string,
  extra: { readonly details?: Readonly<Record<string, Schema.Json>>; readonly retryAfter?: number } = {}
): Refusal => new Refusal({ code, message, ...extra })
