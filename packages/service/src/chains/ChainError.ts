/** What can go wrong with a chain. */
import * as Schema from "effect/Schema"

/** The node did not respond, or its response was invalid. The chain's state is unknown. Try again later. */
export class ChainUnavailable extends Schema.TaggedError<ChainUnavailable>()("ChainUnavailable", {
  chainId: Schema.Int,
  message: Schema.String,
  /** Whether the request timed out. */
  timeout: Schema.Boolean,
  /** Whether no node processed the request: each timed out, was unreachable, or received too many requests. */
  unanswered: Schema.optionalKey(Schema.Boolean),
  /** Whether the node does not have the requested block yet. The node may catch up within seconds. */
  behind: Schema.optionalKey(Schema.Boolean)
}) {}

/** The simulation shows that a transaction would fail. */
export class Impossible extends Schema.TaggedError<Impossible>()("Impossible", {
  chainId: Schema.Int,
  /** The code, which becomes the swap's `failureCode`. */
  code: Schema.Literals([
    "INVALID_AUTHORIZATION",
    "OPERATION_EXPIRED",
    "INSUFFICIENT_BALANCE",
    "INSUFFICIENT_INVENTORY",
    "CAP_EXCEEDED",
    "VAULT_PAUSED",
    "ALREADY_DONE",
    "REVERTED"
  ]),
  message: Schema.String,
  /** Whether the token is paused, which is not the wallet's fault. */
  tokenPaused: Schema.optionalKey(Schema.Boolean),
  /** Whether the wallet's code, or the token that asked it, rejected the signature. */
  signatureRefused: Schema.optionalKey(Schema.Boolean)
}) {}

/** All nodes refuse a transaction because of other transactions of the wallet whose authorization it has. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  chainId: Schema.Int,
  message: Schema.String
}) {}

/** The chain differs from its configuration. The message lists all problems. */
export class Misconfigured extends Schema.TaggedError<Misconfigured>()("Misconfigured", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}
