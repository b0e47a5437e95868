/** What happened to a flow's signatures, according to the caller's own node. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import { ChainReader, type SignedState } from "../ChainReader.js"
import { compact } from "../codecs/compact.js"
import { identitiesOf } from "../store/flow.js"
import type { Flow } from "../Store.js"
import type { Identity } from "../store/flow.js"
import { RetrySettings } from "../RetrySettings.js"
import { OutcomeUnknown, type ReaderError, type SwapError } from "../SwapError.js"
import { monotonicMillis, withTimeout } from "./timeout.js"

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
