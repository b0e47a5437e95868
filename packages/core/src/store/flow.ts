/** A flow, as it is stored from just before it is signed until its outcome is known. */
import * as Schema from "effect/Schema"
import { Amount } from "../Amount.js"
import { compact } from "../codecs/compact.js"
import { FlowId, OrderId, type SwapId } from "../Id.js"
import { methods } from "../Payment.js"
import { QuoteRequest } from "../Quote.js"

/** The exact bytes to submit. Resuming a flow submits the same bytes again. */
const Submission = /* @__PURE__ */ Schema.Union([
  /* @__PURE__ */ Schema.Struct({
    family: /* @__PURE__ */ Schema.Literal("evm"),
    geoOpToken: Schema.NonEmptyString,
    signature: Schema.NonEmptyString,
    /** Only with `erc2612`: the signature of the permit. */
    permitSignature: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
  }),
  /* @__PURE__ */ Schema.Struct({
    family: /* @__PURE__ */ Schema.Literal("solana"),
    geoOpToken: Schema.NonEmptyString,
    signedTransaction: Schema.NonEmptyString
  })
])

const identity = {
  /** EVM only: identifies the signed operation on its chain. Present if the service sent the operation's fields. */
  operation: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({ delegate: Schema.String, nonce: Amount, deadline: Schema.Finite })
  ),
  /**
   * EVM only: identifies the signed payment on its chain, if the wallet paid without a delegation. `nonce`: the nonce
   * that the token or Permit2 records as used. With EIP-3009, the hash of the order.
   */
  payment: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({
      method: /* @__PURE__ */ Schema.Literals(methods),
      token: Schema.String,
      vault: Schema.String,
      nonce: Amount,
      deadline: Schema.Finite
    })
  ),
  /** The order that was signed, and the minimum output that it guarantees. Present if the signer verified it. */
  order: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Struct({ id: OrderId, minOutput: Amount })),
  /** When the signature was made, in Unix milliseconds. */
  signedAt: /* @__PURE__ */ Schema.optionalKey(Schema.Finite)
}

/** The data that identifies a signature on its chain. It contains nothing that can be submitted. */
export const Identity = /* @__PURE__ */ Schema.Struct({
  ...identity,
  /** Solana only: the transaction in base64, with empty signatures. */
  transaction: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
})
export type Identity = typeof Identity.Type

/** The terms of an accepted quote, next to its output. */
const price = {
  /** The minimum output that the caller accepted. */
  minOutput: /* @__PURE__ */ Schema.optionalKey(Amount),
  /** The fee of the accepted quote, in basis points. */
  feeBps: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /** The network cost of the accepted quote, in the input token's smallest unit, if the quote had one. */
  networkCost: /* @__PURE__ */ Schema.optionalKey(Amount)
}

const signed = { submission: Submission, ...identity }

/** A signature that has been sent. */
export const Signed = /* @__PURE__ */ Schema.Struct({
  ...signed,
  /** The output of the quote that was signed. */
  output: /* @__PURE__ */ Schema.optionalKey(Amount),
  ...price
})
export type Signed = typeof Signed.Type

/**
 * The states of a flow. A flow may be removed from every state.
 *
 * - `signing`: its `execute` call has signed nothing yet. The flow can be discarded, with what it reserved.
 * - `signed`: its latest signature may have been sent. Only its `execute` call signs again or withdraws the signature.
 * - `resumed`: another call has taken the signatures to send them again. Nothing more is signed for the flow.
 * - `accepted`: the service has assigned a swap id. The bytes to submit are gone.
 * - `unproved`: the service says that the tokens stayed with the wallet, or went back to it. That is not proved.
 */
const FlowState = /* @__PURE__ */ Schema.Literals(["signing", "signed", "resumed", "accepted", "unproved"])
export type FlowState = typeof FlowState.Type

/** The states that may follow each state. */
export const nextStates: Readonly<Record<FlowState, ReadonlyArray<FlowState>>> = {
  signing: ["signing", "signed"],
  signed: ["signed", "resumed", "accepted"],
  resumed: ["resumed", "accepted"],
  accepted: ["accepted", "unproved"],
  unproved: ["unproved"]
}

/** A flow: one `execute` call with its request and, once it is signed, the bytes to submit. */
export const Flow = /* @__PURE__ */ Schema.Struct({
  id: FlowId,
  state: FlowState,
  /** When the flow was created, in Unix milliseconds. */
  createdAt: Schema.Finite,
  /** The service that the flow was signed for, if its transport names the service. The flow is sent nowhere else. */
  service: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  request: QuoteRequest,
  /** The output of the accepted quote, or 0 if nothing has been signed. */
  output: Amount,
  ...price,
  /** The time, in Unix milliseconds, after which another call with the same idempotency key may discard the unsigned flow. */
  until: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /**
   * How many signatures have been made for this flow. If this number differs from the number in an earlier read, the
   * flow has changed since that read.
   */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  ...signed,
  /**
   * The bytes to submit. Absent once the swap id is known, because nothing needs to be resubmitted after that, and once
   * they have been stored for longer than `RetrySettings.submissionLifetime`.
   */
  submission: /* @__PURE__ */ Schema.optionalKey(Submission),
  /** Earlier signatures for the same swap, which the service refused. */
  earlier: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Signed)),
  /** The data that your own node needs to find every signed operation on its chain. Set once `submission` is dropped. */
  signed: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Identity)),
  /** The vaults that were pinned when the flow was signed. Only their payments prove an outcome. */
  vaults: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({
      origin: /* @__PURE__ */ Schema.Array(Schema.String),
      destination: /* @__PURE__ */ Schema.Array(Schema.String)
    })
  ),
  /** How the swap ended according to the service, as long as that is not proved. */
  claimed: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Literals(["failed", "refunded"])),
  /** The idempotency key that was passed to `execute`. */
  idempotencyKey: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  /** The swap id, set once the service has accepted the submission. */
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString as Schema.Codec<SwapId, string>)
})
export type Flow = typeof Flow.Type

/** Returns a flow's signatures that may still be used, latest first. */
export const signaturesOf = (flow: Flow): ReadonlyArray<Signed> => {
  const { submission, operation, payment, order, signedAt, output, minOutput, feeBps, networkCost, earlier = [] } = flow
  return submission
    ? [compact({ submission, operation, payment, order, signedAt, output, minOutput, feeBps, networkCost }), ...earlier]
    : []
}

/** Returns the flow with the terms of the quote that a signature was made for. */
export const withTermsOf = (flow: Flow, { output, minOutput, feeBps, networkCost }: Signed): Flow =>
  output === undefined ? flow : compact({ ...flow, output, minOutput, feeBps, networkCost })

/** Returns the data that identifies a flow's signatures on the chain. */
export const identitiesOf = (flow: Flow): ReadonlyArray<Identity> =>
  flow.submission === undefined
    ? (flow.signed ?? [])
    : signaturesOf(flow).map(({ submission, operation, payment, order, signedAt }) =>
        compact({
          operation,
          payment,
          order,
          transaction: submission.family === "solana" ? submission.signedTransaction : undefined,
          signedAt
        })
      )

/** Returns the Solana transaction with empty signatures, so that it cannot be submitted. */
const unsigned = (transaction: string): string => {
  const bytes = atob(transaction)
  const length = 64 * bytes.charCodeAt(0)
  return btoa(`${bytes[0]}${"\0".repeat(length)}${bytes.slice(1 + length)}`)
}

/** Returns the data that identifies a flow's signatures, without anything that can be submitted. */
const unsubmittableOf = (flow: Flow): ReadonlyArray<Identity> =>
  identitiesOf(flow).map(({ transaction, ...rest }) =>
    transaction === undefined ? rest : { ...rest, transaction: unsigned(transaction) }
  )

/** Returns the flow without anything that can be submitted. What identifies its signatures on the chain stays. */
export const withoutSubmission = (flow: Flow): Flow =>
  flow.submission === undefined
    ? flow
    : compact({
        ...flow,
        submission: undefined,
        earlier: undefined,
        operation: undefined,
        payment: undefined,
        order: undefined,
        signed: unsubmittableOf(flow)
      })
