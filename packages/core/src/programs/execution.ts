/** The state of one `execute` call, from its first quote until the service accepts a signature. */
import type { SignedState } from "../ChainReader.js"
import type { Authorization } from "../Delegation.js"
import type { FlowId } from "../Id.js"
import type { Flow, Store } from "../Store.js"
import type { Signed } from "../store/flow.js"
import type { Method } from "../Payment.js"
import type { Emit } from "../SwapEvent.js"
import type { Policy } from "../Policy.js"
import type { Signers } from "../Signer.js"
import type { Transport } from "../Transport.js"
import type { AcceptedQuote, QuoteOptions } from "./acceptedQuote.js"
import type { DelegationOptions } from "./authorize.js"
import type { IdempotencyOptions } from "./idempotentExecute.js"
import type { WaitOptions } from "./pollStatus.js"
import type { PreparedRequest } from "./prepareRequest.js"

/** The Effect services that a complete swap requires. */
export type Services = Transport | Signers | Policy | Store

/** Options for one swap. */
export interface ExecuteOptions extends QuoteOptions, DelegationOptions, WaitOptions, IdempotencyOptions {}

/** The state of one `execute` call. */
export interface Execution {
  readonly prepared: PreparedRequest
  readonly options: ExecuteOptions
  readonly flowId: FlowId
  readonly emit: Emit
  /** The authorization to include in build calls, if the wallet needs one. */
  authorization: Authorization | undefined
  /** How many times the service has asked for a delegation. */
  delegations: number
  /** How many times the service has refused an authorization. */
  reauthorizations: number
  /** EVM only: how the wallet pays. Once a signature has been sent, the method stays the same. */
  method: Method
  /** EVM only: the ways to pay for which the service refused to build. */
  unavailable: ReadonlyArray<Method>
  /** How many signatures have been sent. */
  signatures: number
  /** The flow in the store, as long as one of its signatures may still be used. */
  live: (Flow & Signed) | undefined
  /** The flow as it was last stored with a signature that was sent. */
  stored: Flow | undefined
  /** What the caller's own node last reported about the signatures. */
  signedState: SignedState
}

/** The state of one `execute` call once its first quote has been accepted. */
export interface QuotedExecution extends Execution {
  /** The quote to build the next operation from. */
  quote: AcceptedQuote
  /** When the first quote was accepted, on the monotonic clock. */
  readonly acceptedAt: number
}
