/** What happened to a flow's signatures, according to the caller's own node. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import { ChainReader, type SignedState } from "../ChainReader.js"
import { compact } from "../codecs/compact.js"
import type { Flow, Identity, Signed } from "../Journal.js"
import { RetrySettings } from "../RetrySettings.js"
import { OutcomeUnknown, type ReaderError, type SwapError } from "../SwapError.js"
import { monotonicMillis, withTimeout } from "./timeout.js"

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

/** Returns the flow without its latest signature, or `undefined` if the flow has no earlier signature. */
export const withoutLatest = (flow: Flow): Flow | undefined => {
  const [, latest, ...earlier] = signaturesOf(flow)
  if (latest === undefined) return undefined
  const { submission, operation, payment, order, signedAt } = latest
  const signatures = (flow.signatures ?? 0) - 1
  return compact({
    ...withTermsOf(flow, latest),
    submission,
    operation,
    payment,
    order,
    signedAt,
    signatures,
    earlier: earlier.length > 0 ? earlier : undefined
  })
}

/** Returns the data that identifies a flow's signatures on the chain. */
export const identitiesOf = (flow: Flow): ReadonlyArray<Identity> =>
  flow.submission === undefined
    ? (flow.signed ?? [])
    : signaturesOf(flow).map(({ submission, operation, payment, order, signedAt }) =>
        compact({
          operation,
          payment,
          order,
          transaction: submission.kind === "solana" ? submission.signedTransaction : undefined,
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
export const unsubmittableOf = (flow: Flow): ReadonlyArray<Identity> =>
  identitiesOf(flow).map(({ transaction, ...rest }) =>
    transaction === undefined ? rest : { ...rest, transaction: unsigned(transaction) }
  )

/** The sentence that error messages contain if the caller's own node shows that the operation was executed. */
export const executedMessage = "Your own node shows that the signed operation was executed."

/** Creates the error for a swap that was or may still be executed, even if the service refused it. */
export const outcomeUnknown = (flowId: FlowId, cause: SwapError, state: SignedState = "open"): OutcomeUnknown =>
  cause._tag === "OutcomeUnknown"
    ? cause
    : new OutcomeUnknown(
        compact({
          flowId,
          code: cause.code,
          requestId: cause.requestId,
          message: `${state === "used" ? executedMessage : "The signed operation was sent to the service and may still be executed."} Resume flow ${flowId}. ${cause.message}`,
          cause
        })
      )

/** Returns a function that reads a signature's state, if the caller's own node can read it. */
const readerFor = (
  { evm, solana }: ChainReader,
  { request }: Flow,
  { operation, payment, transaction, signedAt }: Identity
): (() => Effect.Effect<SignedState, ReaderError>) | undefined => {
  const { originChain: chainId, walletAddress: wallet } = request
  if (transaction !== undefined) {
    return solana && (() => solana.transactionState(compact({ chainId, signedTransaction: transaction, signedAt })))
  }
  if (payment) {
    const { method, token, nonce, deadline } = payment
    const paymentState = evm?.paymentState
    return paymentState && (() => paymentState({ chainId, wallet, method, token, nonce, deadline }))
  }
  return operation && evm && (() => evm.operationState({ chainId, wallet, ...operation }))
}

/**
 * Reads the state of one signature. Returns `open` if there is no node or the node fails. A node may lie, so a
 * signature has expired only if its deadline has also passed on the local clock.
 */
const readOne = Effect.fnUntraced(function* (flow: Flow, identity: Identity): Effect.fn.Return<SignedState> {
  const read = readerFor(yield* ChainReader, flow, identity)
  if (read === undefined) return "open"
  const state = yield* Effect.catch(withTimeout(Effect.suspend(read)), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "reader.error": message }), "open" as const)
  )
  const { deadline = 0 } = identity.payment ?? identity.operation ?? {}
  return state === "expired" && (yield* Clock.currentTimeMillis) < (deadline + 1) * 1000 ? "open" : state
})

/** Reads the state of a flow's signatures: `used` if one was executed, `expired` if all have expired unused. */
export const readSignedState = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<SignedState> {
  const states = yield* Effect.forEach(identitiesOf(flow), (identity) => readOne(flow, identity))
  if (states.includes("used")) return "used"
  return states.length > 0 && states.every((state) => state === "expired") ? "expired" : "open"
})

/** Whether the caller's own nodes can read the state of all of a flow's signatures. */
const canReadSignedState = (flow: Flow): Effect.Effect<boolean> =>
  Effect.map(ChainReader, (readers) => {
    const identities = identitiesOf(flow)
    return identities.length > 0 && identities.every((identity) => readerFor(readers, flow, identity) !== undefined)
  })

const readInterval = 2_000

/**
 * Reads the state of a flow's signatures repeatedly, until the state is `used` or `expired`, or until the timeout
 * (default: `RetrySettings.proofTimeout`). Repeated reads are necessary because finalized blocks lag behind the clock.
 */
export const awaitSignedState = Effect.fnUntraced(function* (
  flow: Flow,
  timeout?: number
): Effect.fn.Return<SignedState> {
  const { proofTimeout } = yield* RetrySettings
  const until = (yield* monotonicMillis) + ((yield* canReadSignedState(flow)) ? (timeout ?? proofTimeout) : 0)
  for (;;) {
    const state = yield* readSignedState(flow)
    if (state !== "open" || (yield* monotonicMillis) + readInterval > until) return state
    yield* Effect.sleep(readInterval)
  }
})
