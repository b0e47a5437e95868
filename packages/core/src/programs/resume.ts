/** Resumes a flow from the journal after a crash, an abort or an `OutcomeUnknown` error. */
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import { type Flow, Journal } from "../Journal.js"
import type { Swap } from "../Swap.js"
import {
  Expired,
  InvalidInput,
  JournalError,
  type LedgerError,
  OutcomeUnknown,
  type SubmitError,
  type SwapError
} from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { closeExpired, finish, type FinishError, trustsService } from "./finish.js"
import { thenRelease } from "./openFlows.js"
import { markResumed, type Unresumable } from "./flowEntry.js"
import type { WaitOptions } from "./pollStatus.js"
import { outcomeUnknown, readSignedState } from "./signedState.js"
import { type Accepted, submitAll } from "./submitFlow.js"

/** The errors that can occur while resuming a flow. */
export type ResumeError = SubmitError | InvalidInput | FinishError | JournalError

/**
 * Whether an error means that the service would also refuse every further attempt. If the service had accepted the
 * submission, it would have returned the swap.
 */
const isFinal = (error: SwapError): boolean =>
  error._tag === "Rejected"
    ? [400, 422].includes(error.status) &&
      ["INVALID_SIGNATURE", "TRANSACTION_MODIFIED", "VALIDATION"].includes(error.code ?? "")
    : ["Expired", "InvalidAuthorization", "NeedsDelegation", "Unsupported"].includes(error._tag)

/**
 * Submits a flow's signatures again. A refusal closes the flow only if none of the signatures can be used anymore.
 */
const resubmit = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Accepted, ResumeError, Transport | Journal> {
  const answer = yield* Effect.result(submitAll(flow, emit))
  if (answer._tag === "Success") return answer.success
  const { error, clear } = answer.failure
  const believed = isFinal(error) && flow.idempotencyKey === undefined && (yield* trustsService)
  const state = believed ? "expired" : yield* readSignedState(flow)
  if (state !== "expired" || !(yield* closeExpired(flow))) return yield* outcomeUnknown(flow.id, error, state)
  // Not `yield* error`, because the transport's error may come from another copy of Effect.
  return yield* Effect.fail(
    clear || believed
      ? error
      : new Expired({
          what: "operation",
          message: `Your own node shows that the signed operation expired unused. ${error.message}`
        })
  )
})

/** Returns the flow to resume, or why the flow cannot be resumed. A flow with a swap id can always be resumed. */
export const flowToResume = (
  flow: Flow
): Effect.Effect<Flow | Unresumable, JournalError | LedgerError | OutcomeUnknown, Journal> =>
  flow.swapId !== undefined
    ? Effect.succeed(flow)
    : Effect.catchTag(markResumed(flow), "PolicyViolation", (cause) => {
        const message = `Flow ${flow.id} has no budget reservation, and the remaining budget is too small for one. Resume the flow later. ${cause.message}`
        return Effect.fail(new OutcomeUnknown({ flowId: flow.id, message, cause }))
      })

/** Resumes a flow that `flowToResume` returned. */
export const resumeFlow = Effect.fnUntraced(function* (
  flow: Flow,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const { id, swapId, submission } = flow
  if (swapId === undefined && submission === undefined) {
    return yield* new JournalError({
      message: `Flow ${id} in the journal has neither a swap id nor a submission, so it cannot be resumed.`
    })
  }
  const accepted: Accepted =
    swapId === undefined ? yield* resubmit(flow, emit) : { flow, swap: { swapId, status: "pending" } }
  return yield* finish(accepted.flow, accepted.swap, emit, options)
})

/** Resumes the flow with this id: submits the same bytes again, and never starts a second swap. */
export const resume = Effect.fn("geoswap.resume")(function* (
  flowId: FlowId,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const journal = yield* Journal
  const read = yield* journal.get(flowId)
  const found = read
    ? yield* Effect.catchTag(flowToResume(read), "LedgerError", (cause) => {
        const message = `The ledger could not be read for flow ${flowId}. Resume the flow again. ${cause.message}`
        return Effect.fail(new OutcomeUnknown({ flowId, message, cause }))
      })
    : "gone"
  if (found === "gone") {
    return yield* new InvalidInput({ field: "flowId", message: `flowId: there is no flow ${flowId} in the journal.` })
  }
  if (found === "changed") {
    const message = `Another process is changing flow ${flowId}. Resume the flow again.`
    return yield* new OutcomeUnknown({ flowId, message })
  }
  if (found === "abandoned" || found === "closed") {
    const message =
      found === "closed"
        ? `Flow ${flowId} was closed after its signatures had expired or been refused.`
        : `Flow ${flowId} was abandoned before it was submitted.`
    return yield* new Expired({ what: "operation", message })
  }
  return yield* thenRelease(flowId, resumeFlow(found, options, emit))
})
