/**
 * The typed errors, with one class for each kind of error. A swap that ends as `failed` or `refunded` is a result, not
 * an error.
 */
import * as Schema from "effect/Schema"
import type { FlowId, SwapId } from "./Id.js"
import { optionalString } from "./codecs/lenient.js"
import type {
  AmountTooLarge,
  AmountTooSmall,
  InsufficientBalance,
  InvalidInput,
  NoRoute,
  ProtocolError,
  RateLimited,
  Rejected,
  Unauthorized,
  Unavailable
} from "./errors/callErrors.js"
import { tagged } from "./errors/tagged.js"

export * from "./errors/callErrors.js"
export { isSwapError } from "./errors/tagged.js"

/**
 * How to recover from an error: repeat the call now or later, or start over with a new quote or authorization. `never`:
 * repeating the call does not help. `resume`: a swap was or may have been accepted. Resume its flow, or call `execute`
 * with the same `idempotencyKey`. A new `execute` call without that key would start a second swap.
 */
export type Retry = SwapError["retry"]

const flowId = Schema.String as Schema.Codec<FlowId, string>
const swapId = Schema.String as Schema.Codec<SwapId, string>

/** The wallet is not delegated on the origin chain and no authorization was attached. */
export class NeedsDelegation extends tagged<NeedsDelegation>()("NeedsDelegation", {}) {
  readonly retry = "reauthorize" as const
}

/** The quote, or the operation built from it, has expired. */
export class Expired extends tagged<Expired>()("Expired", {
  what: Schema.Literals(["quote", "operation"])
}) {
  readonly retry = "requote" as const
}

/** The authorization is stale, because the account's nonce has changed. Nothing was executed. */
export class InvalidAuthorization extends tagged<InvalidAuthorization>()("InvalidAuthorization", {}) {
  readonly retry = "reauthorize" as const
}

/** The wallet is delegated to another provider on this chain. This error is permanent for that wallet and chain. */
export class Unsupported extends tagged<Unsupported>()("Unsupported", {}) {
  readonly retry = "never" as const
}

/**
 * A swap of the wallet is in progress on this chain, so the wallet's delegation cannot be changed. Nothing was sent to
 * the chain.
 */
export class SwapInProgress extends tagged<SwapInProgress>()("SwapInProgress", {
  /** How many milliseconds to wait, if the service specified a delay. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  readonly retry = "later" as const
}

/** A sealed token was modified or sent to the wrong endpoint. */
export class InvalidToken extends tagged<InvalidToken>()("InvalidToken", {}) {
  readonly retry = "requote" as const
}

/** The swap was or may have been accepted, and its outcome is unknown. Its flow stays in the store: call `resume`. */
export class OutcomeUnknown extends tagged<OutcomeUnknown>()("OutcomeUnknown", {
  /** The id of the flow in the store. */
  flowId,
  /** The swap id, set if the service accepted the swap. */
  swapId: Schema.optionalKey(swapId),
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "resume" as const
}

/**
 * An earlier swap of the wallet was signed, and how it ended is not known or only claimed by the service. Nothing was
 * signed, because the new swap could be a second payment. Resume the earlier flow.
 */
export class UnfinishedSwap extends tagged<UnfinishedSwap>()("UnfinishedSwap", {
  /** The id of the earlier flow in the store. */
  flowId,
  /** The earlier swap's id, if the service accepted it. */
  swapId: Schema.optionalKey(swapId)
}) {
  readonly retry = "resume" as const
}

/** The signer refused to sign, failed, or lacks a required capability. */
export class SignerError extends tagged<SignerError>()("SignerError", {
  /**
   * `rejected`: the user declined. `incapable`: this wallet cannot make this kind of signature. `invalid`: the result
   * is not a valid signature.
   */
  reason: Schema.Literals(["missing", "incapable", "rejected", "failed", "invalid"]),
  /** What the wallet or the key service threw, without its message, which may contain a secret. */
  failure: Schema.optionalKey(
    Schema.Struct({
      /** The error's class, for example `AccessDeniedException`. */
      name: optionalString,
      /** The error's code, for example `ENOTFOUND`. */
      code: optionalString,
      /** The HTTP status. */
      status: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 })))
    })
  ),
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "never" as const
}

/** A rule in the caller's policy forbids the swap. */
export class PolicyViolation extends tagged<PolicyViolation>()("PolicyViolation", {
  rule: Schema.String,
  expected: Schema.String,
  found: Schema.String,
  /**
   * The amount that the rule allows and the one that was found, in the token's smallest unit: for `budgets`, at most this
   * much more of the input token; otherwise, at least this much of the output token. Absent if the rule sets no amount.
   */
  limit: Schema.optionalKey(
    Schema.Struct({
      amount: Schema.BigInt,
      found: Schema.BigInt,
      /** The time window of a budget. */
      window: Schema.optionalKey(Schema.String)
    })
  ),
  /** The id that the policy's `approve` returned: the swap is possible once a person has given this approval. */
  approvalId: optionalString
}) {
  readonly retry = "never" as const
}

/** The operation to sign does not match the quote. Nothing was signed. */
export class UnsafeOperation extends tagged<UnsafeOperation>()("UnsafeOperation", {
  field: Schema.String,
  expected: Schema.String,
  found: Schema.String
}) {
  readonly retry = "never" as const
}

/**
 * A new quote's minimum is lower than the accepted minimum, or is a smaller share of the output. The caller did not
 * accept the new quote.
 */
export class QuoteMoved extends tagged<QuoteMoved>()("QuoteMoved", {
  /** The accepted minimum. */
  accepted: Schema.BigInt,
  /** The new quote's output. */
  offered: Schema.BigInt
}) {
  readonly retry = "requote" as const
}

/** The caller declined the first quote or the delegation, or the consent callback failed. */
export class Declined extends tagged<Declined>()("Declined", {
  what: Schema.Literals(["quote", "delegation"])
}) {
  readonly retry = "never" as const
}

/**
 * The swap did not reach a terminal status before the timeout. The swap continues even though the caller is no longer
 * waiting.
 */
export class WaitTimeout extends tagged<WaitTimeout>()("WaitTimeout", {
  swapId,
  /** The last status that was read. */
  status: Schema.String,
  /** The id of the flow to resume, if this client executed the swap. */
  flowId: Schema.optionalKey(flowId)
}) {
  readonly retry = "resume" as const
}

/** The store could not be read or written. If this happens before the submit call, nothing was submitted. */
export class StoreError extends tagged<StoreError>()("StoreError", {
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "now" as const
}

/** The idempotency key belongs to another request. Nothing was sent. */
export class IdempotencyConflict extends tagged<IdempotencyConflict>()("IdempotencyConflict", {
  key: Schema.String
}) {
  readonly retry = "never" as const
}

/** The caller's own node failed or returned an unusable response. The message never contains the node's URL. */
export class ReaderError extends tagged<ReaderError>()("ReaderError", {
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "later" as const
}

/** The errors that any call to the service can fail with. */
export type CallError = Unauthorized | RateLimited | Rejected | Unavailable | ProtocolError

/** The errors that a quote call can fail with. */
export type QuoteError = CallError | NoRoute | InsufficientBalance | AmountTooSmall | AmountTooLarge

/** The errors that a build call can fail with. */
export type BuildError = QuoteError | NeedsDelegation | InvalidAuthorization | Unsupported | Expired | InvalidToken

/** The errors that a call that changes a delegation can fail with. */
export type ChangeError = CallError | InvalidAuthorization | Unsupported | SwapInProgress

/** The errors that a signer can fail with. */
export type SignError = SignerError | UnsafeOperation

/** Any error from this package. */
export type SwapError =
  | BuildError
  | ChangeError
  | SignError
  | InvalidInput
  | OutcomeUnknown
  | UnfinishedSwap
  | PolicyViolation
  | QuoteMoved
  | Declined
  | WaitTimeout
  | StoreError
  | IdempotencyConflict
  | ReaderError
