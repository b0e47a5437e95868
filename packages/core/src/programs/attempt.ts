/** One attempt at a swap: an operation is built, verified, signed and submitted, or prepared for another attempt. */
import * as Effect from "effect/Effect"
import { compact } from "../codecs/compact.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import type { Flow, Store } from "../Store.js"
import { type BuildError, Expired, type InvalidInput, type SwapError } from "../SwapError.js"
import { previewOf } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { build, type Built } from "./endpoints.js"
import type { Execution, QuotedExecution, Services } from "./execution.js"
import { type ClaimLost, readFlow, restoreFlow } from "./flows.js"
import { ensureNewOrder } from "./openFlows.js"
import { chooseMethod, isUnavailable, usableMethods } from "./paymentMethod.js"
import { recover, requoteIfStale } from "./recover.js"
import { retry } from "./retry.js"
import { ensureSafeToSignAgain, haveExpired } from "./signAgain.js"
import { signAndSubmit } from "./signAndSubmit.js"
import { hasReusableNonce, orderIdOf } from "./signatureIdentity.js"
import { type Accepted, type Refused, submitAll } from "./submitFlow.js"
import { previewPayment, verify } from "./verifyAndSign.js"

/**
 * Builds the operation or payment for the current quote. If an EVM operation has already been signed, the new operation
 * reuses the signed operation's nonce, if its method allows that.
 */
const buildOperation = ({
  prepared: { family, request },
  quote: { quote },
  authorization,
  method,
  live
}: QuotedExecution): Effect.Effect<Built, BuildError | InvalidInput, Transport> => {
  const isDelegated = method === "delegation"
  const reusesNonce = family === "evm" && live !== undefined && (isDelegated || hasReusableNonce(live))
  return retry(
    build(
      compact({
        originChain: request.originChain,
        geoQuoteToken: quote.geoQuoteToken,
        authorization: isDelegated ? authorization : undefined,
        previousGeoOpToken: reusesNonce ? live.submission.geoOpToken : undefined,
        // A service that knows only delegations does not know this field.
        paymentMethod: isDelegated ? undefined : method
      })
    )
  )
}

/** Chooses how the wallet pays, unless a signature has been sent: only one method is ever signed for a swap. */
const selectMethod = Effect.fnUntraced(function* (
  execution: QuotedExecution
): Effect.fn.Return<void, SwapError, Services> {
  const { prepared, quote, signatures, unavailable } = execution
  if (prepared.family !== "evm" || signatures > 0) return
  execution.method = yield* chooseMethod(prepared, quote.quote, unavailable)
})

/**
 * Prepares for a build call with another payment method and the same quote, if the wallet cannot pay with the current
 * one. Returns whether there is another method.
 */
const tryAnotherMethod = Effect.fnUntraced(function* (
  execution: QuotedExecution,
  error: SwapError
): Effect.fn.Return<boolean, never, Services> {
  const { prepared, quote, method, signatures } = execution
  if (prepared.family !== "evm" || signatures > 0 || !(yield* isUnavailable(method, error))) return false
  const unavailable = [...execution.unavailable, method]
  const usable = yield* usableMethods(prepared, quote.quote)
  if (usable.every((other) => unavailable.includes(other))) return false
  execution.unavailable = unavailable
  return true
})

/** Whether a refusal means that the service has accepted another operation with the same nonce. */
const isNonceUsed = (error: SwapError): boolean => error._tag === "Rejected" && error.code === "NONCE_USED"

/**
 * Resubmits all signatures, because the service has accepted one of them and will return the swap for that signature.
 */
const findAccepted = ({ emit }: Execution, flow: Flow): Effect.Effect<Accepted, SwapError, Transport | Store> =>
  Effect.mapError(submitAll(flow, emit), ({ error }) => error)

/** Recovers from a failed build call. Returns the swap if the service had accepted an earlier signature. */
const afterBuildError = Effect.fnUntraced(function* (
  execution: QuotedExecution,
  error: SwapError
): Effect.fn.Return<Accepted | undefined, SwapError, Services> {
  if (execution.live && isNonceUsed(error)) return yield* findAccepted(execution, execution.live)
  if (yield* tryAnotherMethod(execution, error)) return undefined
  if (error._tag === "Rejected") return yield* Effect.fail(error)
  yield* recover(execution, error)
  return undefined
})

/**
 * Returns this flow's swap if another process has taken the flow and the service has accepted it. Fails if that process
 * has closed the flow, or is still at work on it. With an idempotency key, the key leads to the swap.
 */
const findResumed = Effect.fnUntraced(function* (
  execution: Execution,
  lost: ClaimLost
): Effect.fn.Return<Accepted, SwapError | ClaimLost, Transport | Store> {
  const { flowId, live, options, prepared } = execution
  const flow = yield* readFlow({ id: flowId, request: prepared.request })
  if (flow?.swapId !== undefined) return { flow, swap: { swapId: flow.swapId, status: "pending" } }
  if (flow || options.idempotencyKey !== undefined) return yield* Effect.fail(lost)
  // The other process may have seen the swap end, or may have trusted a refusal.
  if (live && !(yield* haveExpired(execution, live))) {
    return yield* Effect.tapError(findAccepted(execution, live), () => restoreFlow(live))
  }
  return yield* new Expired({ what: "operation", message: `Another process has closed flow ${flowId}.` })
})

/**
 * Whether a refusal is trusted. With an idempotency key, a refusal is never trusted, because another process may
 * resubmit the refused signature.
 */
const trustsRefusals = ({ options }: Execution): Effect.Effect<boolean, never, Policy> =>
  Effect.map(Policy, ({ afterRefusal }) => afterRefusal === "trust-service" && options.idempotencyKey === undefined)

/** Signs the verified operation, stores the signature and submits it. */
const signOperation = Effect.fnUntraced(function* (
  execution: Execution,
  operation: Built,
  agreement: Agreement,
  checked: boolean
): Effect.fn.Return<Accepted, SwapError | Refused | ClaimLost, Services> {
  const { emit, flowId: id, live: previous, options, signatures, stored } = execution
  const trusts = yield* trustsRefusals(execution)
  const signing = signAndSubmit({
    operation,
    agreement,
    checked,
    previous,
    stored,
    id,
    idempotencyKey: options.idempotencyKey,
    number: signatures + 1,
    // If the chain can execute at most one of several signatures, they share a reservation.
    reservation: trusts ? `${id}.${signatures}` : id,
    isReserved: !trusts && signatures > 0,
    emit,
    onSubmit: (flow) => {
      execution.live = execution.stored = flow
      execution.signatures++
    }
  })
  return yield* Effect.catchTag(signing, "ClaimLost", (lost) => findResumed(execution, lost))
})

/** Recovers from a refused signature. Returns the swap if the service had accepted an earlier signature. */
const afterSubmitError = Effect.fnUntraced(function* (
  execution: QuotedExecution,
  refused: SwapError | Refused | ClaimLost
): Effect.fn.Return<Accepted | undefined, SwapError | ClaimLost, Services> {
  if (refused._tag !== "Refused") return yield* Effect.fail(refused)
  const { error, clear } = refused
  const { live } = execution
  if (!clear || !live) return yield* Effect.fail(error)
  if (yield* trustsRefusals(execution)) execution.live = undefined
  else if (isNonceUsed(error)) return yield* findAccepted(execution, live)
  else if (!hasReusableNonce(live) && !(yield* haveExpired(execution, live))) return yield* Effect.fail(error)
  yield* recover(execution, error)
  return undefined
})

/** Builds, verifies, signs and submits an operation once. Returns `undefined` if another attempt is needed. */
export const attempt = Effect.fnUntraced(function* (
  execution: QuotedExecution
): Effect.fn.Return<Accepted | undefined, SwapError | ClaimLost, Services> {
  const { emit, flowId, prepared } = execution
  const { family, request, deployment } = prepared
  const { maxLifetimeSeconds } = yield* Policy

  if (yield* requoteIfStale(execution)) return undefined
  yield* selectMethod(execution)
  const building = yield* Effect.result(buildOperation(execution))
  if (building._tag === "Failure") return yield* afterBuildError(execution, building.failure)
  const operation = building.success
  const { method } = execution
  const deadline = operation.family === "evm" ? (operation.geoOp ?? operation.payment)?.deadline : undefined
  const paymentMethod = family === "evm" ? method : undefined
  yield* emit(compact({ type: "built", family, deadline, paymentMethod } as const))

  // The quote may expire during a slow build, while a listener asks the user, or while a node is slow. Check the quote
  // again after each of these steps.
  if (yield* requoteIfStale(execution)) return undefined
  const agreement: Agreement = compact({
    request,
    quote: previewOf(execution.quote.quote),
    deployment,
    maxLifetimeSeconds
  })
  const checked = yield* verify(operation, agreement)
  const payment = family === "evm" ? yield* previewPayment(method, operation, agreement) : undefined
  yield* emit(compact({ type: "verified", checked, payment } as const))

  yield* ensureSafeToSignAgain(execution, operation, checked)
  yield* ensureNewOrder(orderIdOf(operation), flowId)
  if (yield* requoteIfStale(execution)) return undefined
  const submitting = yield* Effect.result(signOperation(execution, operation, agreement, checked))
  return submitting._tag === "Success" ? submitting.success : yield* afterSubmitError(execution, submitting.failure)
})
