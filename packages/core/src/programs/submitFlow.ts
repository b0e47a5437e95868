/** Submits signatures until the service accepts or refuses them. Every attempt sends the same bytes. */
import * as Effect from "effect/Effect"
import type { Flow, Store } from "../Store.js"
import type { Signed } from "../store/flow.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Swap } from "../Swap.js"
import { type InvalidInput, ProtocolError, type BuildError } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { submit } from "./endpoints.js"
import { recordAccepted } from "./flows.js"
import { flowOfSwap } from "./openFlows.js"
import { retryDelay } from "./retry.js"
import { signaturesOf, withTermsOf } from "../store/flow.js"

/** A flow that the service has accepted. */
export interface Accepted {
  readonly flow: Flow
  readonly swap: Swap
}

/** A submission that did not result in a swap. */
export interface Refused {
  readonly _tag: "Refused"
  readonly error: BuildError | InvalidInput
  /** Whether the service clearly refused every attempt. */
  readonly clear: boolean
}

/**
 * Submits one of a flow's signatures until the service accepts or refuses it. After an inconclusive attempt, a refusal
 * is inconclusive as well, because the service may have accepted the inconclusive attempt.
 */
export const submitFlow = Effect.fnUntraced(function* (
  flow: Flow,
  { submission }: Signed,
  emit: Emit
): Effect.fn.Return<Swap, Refused, Transport | Store> {
  const { submitAttempts, rateLimitWaits } = yield* RetrySettings
  let clear = true
  for (let attempt = 1, rateLimited = 0; ;) {
    const result = yield* Effect.result(submit(submission))
    if (result._tag === "Success") {
      const swap = result.success
      const other = yield* flowOfSwap(flow.id, swap.swapId)
      if (other !== undefined) {
        const message = `The service answered with swap ${swap.swapId}, which belongs to flow ${other}.`
        const error = new ProtocolError({ endpoint: "submit", field: "swapId", message })
        return yield* Effect.fail({ _tag: "Refused", error, clear: false } as const)
      }
      // If the store cannot be updated, resuming the flow submits the same bytes again.
      yield* recordAccepted(flow, swap)
      return swap
    }
    const error = result.failure
    const unclear = error._tag === "Unavailable" || error._tag === "ProtocolError"
    if (unclear) clear = false
    const delay = unclear
      ? yield* retryDelay(error, attempt - 1, submitAttempts - 1)
      : error._tag === "RateLimited"
        ? yield* retryDelay(error, rateLimited++, rateLimitWaits)
        : undefined
    if (delay === undefined) return yield* Effect.fail({ _tag: "Refused", error, clear } as const)
    yield* Effect.sleep(delay)
    if (unclear) yield* emit({ type: "resubmitted", flowId: flow.id, attempt: ++attempt, after: error._tag })
  }
})

/**
 * Resubmits a flow's signatures, latest first, until the service accepts one. Returns the flow with the terms of the
 * accepted signature.
 */
export const submitAll = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Accepted, Refused, Transport | Store> {
  const [last, ...earlier] = signaturesOf(flow)
  const answer = yield* Effect.result(submitFlow(flow, last as Signed, emit))
  if (answer._tag === "Success") return { flow, swap: answer.success }
  if (answer.failure.clear) {
    for (const signed of earlier) {
      const signedFlow = withTermsOf(flow, signed)
      const other = yield* Effect.result(submitFlow(signedFlow, signed, emit))
      if (other._tag === "Success") return { flow: signedFlow, swap: other.success }
      if (!other.failure.clear) return yield* Effect.fail(other.failure)
    }
  }
  return yield* Effect.fail(answer.failure)
})
