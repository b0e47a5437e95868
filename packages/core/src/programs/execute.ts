/** A complete swap: quote, build, verify, sign, submit and wait, with recovery from every recoverable refusal. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { compact } from "../codecs/compact.js"
import type { FlowId } from "../Id.js"
import type { Flow, Store } from "../Store.js"
import type { Agreement } from "../Operation.js"
import { Policy } from "../Policy.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Signers } from "../Signer.js"
import type { Swap } from "../Swap.js"
import {
  type BuildError,
  Expired,
  type InvalidAuthorization,
  type InvalidInput,
  type NeedsDelegation,
  OutcomeUnknown,
  type SwapError
} from "../SwapError.js"
import { type Emit, previewOf } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { firstQuote, isStale } from "./acceptedQuote.js"
import { authorize } from "./authorize.js"
import { build, type Built } from "./endpoints.js"
import type { ExecuteOptions, Execution, QuotedExecution } from "./execution.js"
import { finish } from "./finish.js"
import { bestEffort } from "./bestEffort.js"
import { checkBudgets } from "./budget.js"
import { abandonFlow, type ClaimLost, readFlow, restoreFlow } from "./flows.js"
import { idempotentExecute } from "./idempotentExecute.js"
import { newId } from "./newId.js"
import { ensureNewOrder, ensureNoneBlocks, whileRunning } from "./openFlows.js"
import { chooseMethod, ensureCapable, ensurePayable, isUnavailable, usableMethods } from "./paymentMethod.js"
import { type ExecuteInput, prepareRequest, type PreparedRequest } from "./prepareRequest.js"
import { requote } from "./requote.js"
import { retry } from "./retry.js"
import { ensureSafeToSignAgain, haveExpired } from "./signAgain.js"
import { signAndSubmit } from "./signAndSubmit.js"
import { hasReusableNonce, orderIdOf } from "./signatureIdentity.js"
import { outcomeUnknown } from "./signedState.js"
import { type Accepted, type Refused, submitAll } from "./submitFlow.js"
import { monotonicMillis } from "./timeout.js"
import { previewPayment, verify } from "./verifyAndSign.js"

type Services = Transport | Signers | Policy | Store

const maxDelegations = 1
const maxReauthorizations = 2

/** Signs an authorization because the service asked for one. Fails if the service has asked too many times. */
const reauthorize = Effect.fnUntraced(function* (
  execution: Execution,
  error: NeedsDelegation | InvalidAuthorization
): Effect.fn.Return<void, SwapError, Services> {
  const { prepared, options, emit } = execution
  const isExhausted =
    error._tag === "NeedsDelegation"
      ? execution.delegations++ >= maxDelegations
      : execution.reauthorizations++ >= maxReauthorizations
  if (isExhausted || prepared.family !== "evm" || execution.method !== "delegation") return yield* Effect.fail(error)
  // A wallet is not delegated for a swap that the budget then refuses.
  if (execution.signatures === 0) yield* checkBudgets(prepared.request)
  execution.authorization = yield* authorize(prepared.request, prepared.deployment, options, emit)
})

/**
 * Prepares for another build call after a refusal, by getting a new authorization or a new quote. Fails if neither
 * would help.
 */
const recover = Effect.fnUntraced(function* (
  execution: QuotedExecution,
  error: SwapError
): Effect.fn.Return<void, SwapError, Services> {
  if (error._tag === "NeedsDelegation" || error._tag === "InvalidAuthorization") {
    return yield* reauthorize(execution, error)
  }
  if (error._tag === "Expired" || (error._tag === "Rejected" && error.code === "SLIPPAGE")) {
    const { prepared, quote, options, emit } = execution
    execution.quote = yield* requote(prepared.request, quote, options, emit, error)
    return
  }
  return yield* Effect.fail(error)
})

/**
 * Replaces a quote that is about to expire, and returns whether the quote was replaced. Fails if the first quote was
 * accepted too long ago.
 */
const requoteIfStale = Effect.fnUntraced(function* (
  execution: QuotedExecution
): Effect.fn.Return<boolean, SwapError, Services> {
  const { agreementTimeout } = yield* RetrySettings
  if ((yield* monotonicMillis) - execution.acceptedAt > agreementTimeout) {
    const message = `The quote was accepted more than ${agreementTimeout / 1000} s ago, so nothing more will be signed for it.`
    return yield* new Expired({ what: "quote", message })
  }
  if (!(yield* isStale(execution.quote))) return false
  yield* recover(execution, new Expired({ what: "quote", message: "The quote has expired." }))
  return true
})

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
const attempt = Effect.fnUntraced(function* (
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

/** Gets the first quote, asks the caller to accept it, and retries until the service accepts a signature. */
const submitWithRecovery = Effect.fnUntraced(function* (
  execution: Execution
): Effect.fn.Return<Accepted, SwapError | ClaimLost, Services> {
  const { prepared, options, emit } = execution
  const isEvm = prepared.family === "evm"
  if (isEvm) yield* ensureCapable(prepared)
  const quote = yield* firstQuote(prepared.request, options, emit, (offered) =>
    isEvm ? ensurePayable(prepared, offered) : Effect.void
  )
  const quoted = Object.assign(execution, { quote, acceptedAt: yield* monotonicMillis })
  for (;;) {
    const accepted = yield* attempt(quoted)
    if (accepted) return accepted
  }
})

/**
 * Runs a request until the service has accepted its swap. While a signature may still be used, every error except
 * `ClaimLost` becomes `OutcomeUnknown`. Otherwise, an error removes the flow.
 */
const submitted = Effect.fnUntraced(function* (
  prepared: PreparedRequest,
  options: ExecuteOptions,
  flowId: FlowId,
  emit: Emit
): Effect.fn.Return<Accepted, SwapError | ClaimLost, Services> {
  const execution: Execution = {
    prepared,
    options,
    flowId,
    emit,
    authorization: undefined,
    delegations: 0,
    reauthorizations: 0,
    method: "delegation",
    unavailable: [],
    signatures: 0,
    live: undefined,
    stored: undefined,
    signedState: "open"
  }
  const { request } = prepared
  const own = { id: flowId, request }
  return yield* Effect.andThen(ensureNoneBlocks(own), submitWithRecovery(execution)).pipe(
    Effect.mapError((error) =>
      execution.live && error._tag !== "ClaimLost" ? outcomeUnknown(flowId, error, execution.signedState) : error
    ),
    Effect.onError(() => (execution.live || !execution.stored ? Effect.void : bestEffort(abandonFlow(own))))
  )
})

/** Runs a swap and reports every step. */
export const run = Effect.fn("geoswap.execute")(function* (
  input: ExecuteInput,
  options: ExecuteOptions,
  emit: Emit
): Effect.fn.Return<Swap, SwapError, Services> {
  // If the timeout is invalid, this throws before anything is sent.
  Duration.fromInputUnsafe(options.timeout ?? 0)
  const prepared = yield* prepareRequest(input)
  const execute = (flowId: FlowId) =>
    Effect.flatMap(submitted(prepared, options, flowId, emit), ({ flow, swap }) => finish(flow, swap, emit, options))
  const { idempotencyKey } = options
  if (idempotencyKey !== undefined) {
    return yield* idempotentExecute(idempotencyKey, prepared.request, options, emit, execute)
  }
  const flowId = yield* newId
  return yield* Effect.catchTag(whileRunning(flowId, execute(flowId)), "ClaimLost", () => {
    const message = `Another process is resuming flow ${flowId}. Once that process has finished, resume the flow to get its result.`
    return new OutcomeUnknown({ flowId, message })
  })
})
