/** The state of one `execute`, from its first quote until the service accepts a signature. */
import type * as Effect from "effect/Effect"
import type { SignedState } from "../ChainReader.js"
import type { Authorization } from "../Delegation.js"
import type { Flow, Signed } from "../Journal.js"
import type { Emit } from "../SwapEvent.js"
import type { AcceptedQuote, QuoteOptions } from "./acceptedQuote.js"
import type { DelegationOptions } from "./authorize.js"
import type { IdempotencyOptions, KeyClaim } from "./idempotencyClaim.js"
import type { WaitOptions } from "./pollStatus.js"
import type { PreparedRequest } from "./prepareRequest.js"

/** The options of one swap. */
export interface ExecuteOptions extends QuoteOptions, DelegationOptions, WaitOptions, IdempotencyOptions {}

/** The state of one `execute`. */
export interface Execution {
  readonly prepared: PreparedRequest
  readonly options: ExecuteOptions
  readonly claim: KeyClaim
  readonly emit: Emit
  readonly flowId: string
  /** The authorization to build with, if the wallet needed one. */
  authorization: Authorization | undefined
  /** How often the service asked for a delegation. */
  delegations: number
  /** How often the service refused an authorization. */
  reauthorizations: number
  /** How many signatures were sent. */
  signatures: number
  /** The flow in the journal, while a signature of it may still be executed. */
  live: (Flow & Signed) | undefined
  /** The flow that was last written to the journal. */
  written: Flow | undefined
  /** What the caller's own node last said about the signatures. */
  signedState: SignedState
  /** Set if a signature is being taken back. Returns whether the journal no longer holds it. */
  undo: Effect.Effect<boolean> | undefined
}

/** The state of one `execute` once its first quote is accepted. */
export interface QuotedExecution extends Execution {
  /** The quote to build with. */
  quote: AcceptedQuote
  /** When the first quote was accepted, on the monotonic clock. */
  readonly acceptedAt: number
}
