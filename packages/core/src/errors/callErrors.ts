/** The errors of single calls, in a separate file so that a client that only requests prices stays small. */
import * as Schema from "effect/Schema"
import { optionalString } from "../codecs/lenient.js"
import { tagged } from "./tagged.js"

const optionalAmount = Schema.optionalKey(Schema.BigInt)

/** The API key is missing, unknown or revoked. */
export class Unauthorized extends tagged<Unauthorized>()("Unauthorized", {}) {
  readonly retry = "never" as const
}

/** Too many requests. */
export class RateLimited extends tagged<RateLimited>()("RateLimited", {
  /** How many milliseconds to wait, if the service specified a delay. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  readonly retry = "later" as const
}

/** The service does not offer this swap: it does not support a chain or a token, or has no price for it. */
export class NoRoute extends tagged<NoRoute>()("NoRoute", {}) {
  readonly retry = "never" as const
}

/** The wallet has less of the input token than the swap needs. */
export class InsufficientBalance extends tagged<InsufficientBalance>()("InsufficientBalance", {
  /** The address of the input token. In the error of a quote, the token of your request. */
  token: optionalString,
  /** What the wallet can still spend, according to the service. */
  has: optionalAmount,
  /** What the swap needs. In the error of a quote, the amount of your request. */
  needs: optionalAmount
}) {
  readonly retry = "never" as const
}

/** The amount is too small: nothing would be left after the network cost and the fee. */
export class AmountTooSmall extends tagged<AmountTooSmall>()("AmountTooSmall", {
  /** The smallest amount of the input token, according to the service. */
  minimum: optionalAmount
}) {
  readonly retry = "never" as const
}

/** The amount is larger than what the service can swap at once. */
export class AmountTooLarge extends tagged<AmountTooLarge>()("AmountTooLarge", {
  /** The largest amount of the input token, according to the service. */
  maximum: optionalAmount
}) {
  readonly retry = "never" as const
}

/** The service rejected the request for a reason that has no dedicated error class. See `code`. */
export class Rejected extends tagged<Rejected>()("Rejected", {
  /** The HTTP status. */
  status: Schema.Int,
  /** Further details from the service. */
  details: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "never" as const
}

/** The service is unavailable: a 5xx response, a broken connection or a timeout. */
export class Unavailable extends tagged<Unavailable>()("Unavailable", {
  reason: Schema.Literals(["network", "timeout", "server"]),
  /** The HTTP status, if there was a response. */
  status: Schema.optionalKey(Schema.Int),
  /** How many milliseconds to wait, if the service specified a delay. */
  retryAfter: Schema.optionalKey(Schema.Finite),
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "later" as const
}

/** The service's response does not follow the protocol. */
export class ProtocolError extends tagged<ProtocolError>()("ProtocolError", {
  endpoint: Schema.String,
  /** The path of the invalid field, or an empty string if the entire response is invalid. */
  field: Schema.String
}) {
  readonly retry = "never" as const
}

/** The input is invalid. Nothing was sent. */
export class InvalidInput extends tagged<InvalidInput>()("InvalidInput", {
  field: Schema.String
}) {
  readonly retry = "never" as const
}
