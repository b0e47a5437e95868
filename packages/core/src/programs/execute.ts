/** A complete swap: quote, build, verify, sign, submit and wait, with recovery from every recoverable refusal. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import type { Swap } from "../Swap.js"
import { OutcomeUnknown, type SwapError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { firstQuote } from "./acceptedQuote.js"
import { attempt } from "./attempt.js"
import { bestEffort } from "./bestEffort.js"
import type { ExecuteOptions, Execution, Services } from "./execution.js"
import { finish } from "./finish.js"
import { abandonFlow, type ClaimLost } from "./flows.js"
import { idempotentExecute } from "./idempotentExecute.js"
import { newId } from "./newId.js"
import { ensureNoneBlocks, whileRunning } from "./openFlows.js"
import { ensureCapable, ensurePayable } from "./paymentMethod.js"
import { type ExecuteInput, prepareRequest, type PreparedRequest } from "./prepareRequest.js"
import { outcomeUnknown } from "./signedState.js"
import type { Accepted } from "./submitFlow.js"
import { monotonicMillis } from "./timeout.js"

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
