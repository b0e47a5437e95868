/** What an execution does about a refusal: it signs another authorization, or gets another quote. */
import * as Effect from "effect/Effect"
import { RetrySettings } from "../RetrySettings.js"
import { Expired, type InvalidAuthorization, type NeedsDelegation, type SwapError } from "../SwapError.js"
import { isStale } from "./acceptedQuote.js"
import { authorize } from "./authorize.js"
import { checkBudgets } from "./budget.js"
import type { Execution, QuotedExecution, Services } from "./execution.js"
import { requote } from "./requote.js"
import { monotonicMillis } from "./timeout.js"

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
export const recover = Effect.fnUntraced(function* (
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
export const requoteIfStale = Effect.fnUntraced(function* (
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
