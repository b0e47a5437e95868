/** From an accepted swap to its end, and taking up flows of the journal. */
import * as Effect from "effect/Effect"
import { type Flow, Journal } from "../Journal.js"
import { Policy } from "../Policy.js"
import { isTerminal, type Swap } from "../Swap.js"
import {
  Expired,
  InvalidInput,
  JournalError,
  OutcomeUnknown,
  type SubmitError,
  type SwapError,
  WaitTimeout
} from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { fateOf, unresolved } from "./afterRefusal.js"
import { keyAccepted, keyEnded, keyFreed } from "./hold.js"
import { poll, type WaitOptions } from "./poll.js"
import { forget, submitAll } from "./submitFlow.js"

/** What waiting for an accepted swap can fail with. */
export type FinishError = WaitTimeout | OutcomeUnknown

/** What resuming can fail with. */
export type ResumeError = SubmitError | InvalidInput | FinishError | JournalError

/** Watches an accepted flow to its end, and closes it in journal and ledger. Its errors say what to resume. */
export const finish = Effect.fnUntraced(function* (
  flow: Flow,
  accepted: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, FinishError, Transport | Journal> {
  const { id: flowId } = flow
  const { swapId } = accepted
  yield* keyAccepted(flow, accepted)
  yield* emit({ type: "submitted", flowId, swap: accepted })
  const swap = isTerminal(accepted)
    ? accepted
    : yield* Effect.mapError(
        poll(swapId, (seen) => emit({ type: "status", swap: seen }), options),
        (cause): FinishError => {
          const message = `Swap ${swapId} was accepted: resume flow ${flowId}. ${cause.message}`
          return cause._tag === "WaitTimeout"
            ? new WaitTimeout({ swapId, status: cause.status, flowId, message })
            : new OutcomeUnknown({ swapId, flowId, message, cause })
        }
      )
  yield* keyEnded(flow, swap)
  yield* forget(flowId)
  yield* emit({ type: "done", swap })
  return swap
})

/** Whether a refusal would have met an earlier attempt as well, since a service answers a replay with its swap (§8). */
const isFinal = (error: SwapError): boolean =>
  error._tag === "Rejected"
    ? [400, 422].includes(error.status) &&
      ["INVALID_SIGNATURE", "TRANSACTION_MODIFIED", "VALIDATION"].includes(error.code ?? "")
    : ["Expired", "InvalidAuthorization", "NeedsDelegation", "Unsupported"].includes(error._tag)

/** Whether the policy, where there is one, believes that refusal. */
const isBelieved = (error: SwapError): Effect.Effect<boolean> =>
  Effect.map(
    Effect.serviceOption(Policy),
    (policy) => policy._tag === "Some" && policy.value.afterRefusal === "trust-service" && isFinal(error)
  )

/** Submits what a flow holds again. A refusal ends the flow only if nothing that was signed can be executed any more. */
const resubmitted = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const answer = yield* Effect.result(submitAll(flow, emit))
  if (answer._tag === "Success") return answer.success
  const { error, clear } = answer.failure
  const believed = yield* isBelieved(error)
  const fate = believed ? "expired" : yield* fateOf(flow)
  if (fate !== "expired") return yield* unresolved(flow.id, error)
  yield* keyFreed(flow)
  yield* forget(flow.id)
  return yield* clear || believed
    ? error
    : new Expired({ what: "operation", message: `Your own node shows that it expired unused. ${error.message}` })
})

/** Takes up a flow where it was left. */
export const resumed = Effect.fnUntraced(function* (
  flow: Flow,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const { id, swapId, submission } = flow
  if (swapId === undefined && submission === undefined) {
    return yield* new JournalError({ message: `The journal's flow ${id} has neither a swap nor a submission.` })
  }
  const swap: Swap = swapId === undefined ? yield* resubmitted(flow, emit) : { swapId, status: "pending" }
  return yield* finish(flow, swap, emit, options)
})

/** Takes up a flow of the journal where it was left: the very same bytes, never a second swap. */
export const resume = Effect.fn("geoswap.resume")(function* (
  flowId: string,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const journal = yield* Journal
  const flow = yield* journal.get(flowId)
  if (!flow) {
    return yield* new InvalidInput({ field: "flowId", message: `flowId: the journal holds no flow ${flowId}.` })
  }
  return yield* resumed(flow, options, emit)
})
