/** Everything that can go wrong, one class each. A swap that ends `failed` or `refunded` is a result, not an error. */
import * as Schema from "effect/Schema"
import { optionalString } from "./codecs/lenient.js"

/**
 * What a caller can do about an error: repeat the call now or later, start from a quote or an authorization, or nothing.
 * `resume`: a swap was or may have been accepted. Resume its flow, or call `execute` with the same `idempotencyKey`; a
 * new `execute` would be a second swap.
 */
export type Retry = SwapError["retry"]

const answer = {
  /** What happened and what to do about it. */
  message: Schema.String,
  /** The code as the service sent it. */
  code: optionalString,
  /** The service's name for the request, to quote when asking its operator. */
  requestId: optionalString
}

/** §7: the wallet is not delegated on the origin chain and no authorization was attached. */
export class NeedsDelegation extends Schema.TaggedError<NeedsDelegation>()("NeedsDelegation", answer) {
  readonly retry = "reauthorize" as const
}

/** §7: the quote, or the operation built from it, is past its time. */
export class Expired extends Schema.TaggedError<Expired>()("Expired", {
  ...answer,
  what: Schema.Literals(["quote", "operation"])
}) {
  readonly retry = "requote" as const
}

/** §7: the authorization is stale, because the account's nonce moved. Nothing was executed. */
export class InvalidAuthorization extends Schema.TaggedError<InvalidAuthorization>()("InvalidAuthorization", answer) {
  readonly retry = "reauthorize" as const
}

/** §7: the wallet is delegated to another provider on this chain; permanent for that wallet and chain. */
export class Unsupported extends Schema.TaggedError<Unsupported>()("Unsupported", answer) {
  readonly retry = "never" as const
}

/** §2.1: a sealed token was changed, or given to the wrong endpoint. */
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("InvalidToken", answer) {
  readonly retry = "requote" as const
}

/** §5: the API key is missing, unknown or revoked. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", answer) {
  readonly retry = "never" as const
}

/** §8: too many requests. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...answer,
  /** Milliseconds to wait, where the service said so. */
  retryAfter: Schema.optionalKey(Schema.Finite)
}) {
  readonly retry = "later" as const
}

/** Any other refusal of the service; `code` says which. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  ...answer,
  /** The HTTP status. */
  status: Schema.Int,
  /** What the service added about the refusal. */
  details: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "never" as const
}

/** The service did not answer, or answered that it cannot now: 5xx, a broken connection, a timeout. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  ...answer,
  reason: Schema.Literals(["network", "timeout", "server"]),
  /** The HTTP status, where there was an answer. */
  status: Schema.optionalKey(Schema.Int),
  /** Milliseconds to wait, where the service said so. */
  retryAfter: Schema.optionalKey(Schema.Finite),
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "later" as const
}

/** The service answered something that is not the protocol. */
export class ProtocolError extends Schema.TaggedError<ProtocolError>()("ProtocolError", {
  ...answer,
  endpoint: Schema.String,
  /** The path of the field that does not fit; empty where the whole answer does not. */
  field: Schema.String
}) {
  readonly retry = "never" as const
}

/** What the caller asked for makes no sense; nothing was sent. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  ...answer,
  field: Schema.String
}) {
  readonly retry = "never" as const
}

/** The swap was or may have been accepted, and its end is not known. The journal keeps it, and `resume` settles it. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  ...answer,
  /** The flow in the journal. */
  flowId: Schema.String,
  /** Known where the service accepted it. */
  swapId: optionalString,
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "resume" as const
}

/** The signer refused, failed, or cannot do what is needed. */
export class SignerError extends Schema.TaggedError<SignerError>()("SignerError", {
  ...answer,
  /** `rejected`: the person said no; `incapable`: this wallet cannot; `invalid`: what came back is no signature. */
  reason: Schema.Literals(["missing", "incapable", "rejected", "failed", "invalid"]),
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "never" as const
}

/** A rule of the caller's own policy says no. */
export class PolicyViolation extends Schema.TaggedError<PolicyViolation>()("PolicyViolation", {
  ...answer,
  rule: Schema.String,
  expected: Schema.String,
  found: Schema.String
}) {
  readonly retry = "never" as const
}

/** What was to be signed is not what was quoted. Nothing was signed. */
export class UnsafeOperation extends Schema.TaggedError<UnsafeOperation>()("UnsafeOperation", {
  ...answer,
  field: Schema.String,
  expected: Schema.String,
  found: Schema.String
}) {
  readonly retry = "never" as const
}

/** A renewed quote gives less than the first accepted minimum, or binds a weaker one, and nobody agreed to that. */
export class QuoteMoved extends Schema.TaggedError<QuoteMoved>()("QuoteMoved", {
  ...answer,
  /** The least that was agreed to. */
  accepted: Schema.BigInt,
  /** What the new quote gives. */
  offered: Schema.BigInt
}) {
  readonly retry = "requote" as const

  /** As JSON has it, which knows no bigint. */
  override toJSON(): object {
    const { _tag, message, retry, accepted, offered } = this
    return { _tag, message, retry, accepted: `${accepted}`, offered: `${offered}` }
  }
}

/** The caller said no to the first quote or to the delegation, or the gate that was asked failed. */
export class Declined extends Schema.TaggedError<Declined>()("Declined", {
  ...answer,
  what: Schema.Literals(["quote", "delegation"])
}) {
  readonly retry = "never" as const
}

/** The swap is not terminal yet; it goes on without the caller. */
export class WaitTimeout extends Schema.TaggedError<WaitTimeout>()("WaitTimeout", {
  ...answer,
  swapId: Schema.String,
  /** The last status seen. */
  status: Schema.String,
  /** The flow in the journal to resume, where the swap was executed from here. */
  flowId: optionalString
}) {
  readonly retry = "resume" as const
}

/** The journal could not be read or written. Before submit, nothing was submitted. */
export class JournalError extends Schema.TaggedError<JournalError>()("JournalError", {
  ...answer,
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "now" as const
}

/** The ledger could not be read or written. Before submit, nothing was submitted. */
export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", {
  ...answer,
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "now" as const
}

/** The idempotency key belongs to another request. Nothing was sent. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  ...answer,
  key: Schema.String
}) {
  readonly retry = "never" as const
}

/** The caller's own node did not answer, or answered something unusable. The message never holds its URL. */
export class ReaderError extends Schema.TaggedError<ReaderError>()("ReaderError", {
  ...answer,
  cause: Schema.optionalKey(Schema.Unknown)
}) {
  readonly retry = "later" as const
}

/** What any call to the service can fail with. */
export type CallError = Unauthorized | RateLimited | Rejected | Unavailable | ProtocolError

/** What a build call can fail with. */
export type BuildError = CallError | NeedsDelegation | InvalidAuthorization | Unsupported | Expired | InvalidToken

/** What a submit call can fail with. */
export type SubmitError = BuildError

/** What a signer can fail with. */
export type SignError = SignerError | UnsafeOperation

/** Every error of this package. */
export type SwapError =
  | BuildError
  | SignError
  | InvalidInput
  | OutcomeUnknown
  | PolicyViolation
  | QuoteMoved
  | Declined
  | WaitTimeout
  | JournalError
  | LedgerError
  | IdempotencyConflict
  | ReaderError

/** Tells our errors from anything else that was thrown, also across two copies of this package. */
export const isSwapError = (error: unknown): error is SwapError =>
  error instanceof Error && "_tag" in error && "retry" in error && typeof error.retry === "string"
