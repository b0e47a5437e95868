/** From an accepted swap to its end, and taking up flows of the journal. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Families } from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import { type Flow, Journal } from "../Journal.js"
import { Policy } from "../Policy.js"
import { Settings } from "../Settings.js"
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
import { awaitFate, executed, fateOf, identitiesOf, isReadable, unresolved } from "./afterRefusal.js"
import { keyAccepted, keyEnded, keyFreed, keyResumed } from "./hold.js"
import { monotonicMillis } from "./patience.js"
import { poll, type WaitError, type WaitOptions } from "./poll.js"
import { forget, forgetUnchanged, journalChange, submitAll } from "./submitFlow.js"

/** What waiting for an accepted swap can fail with. */
export type FinishError = WaitTimeout | OutcomeUnknown | Expired

/** What resuming can fail with. */
export type ResumeError = SubmitError | InvalidInput | FinishError | JournalError

/** Whether the policy, if there is one, believes what the service says about something that was signed. */
const trustsService: Effect.Effect<boolean> = Effect.map(
  Effect.serviceOption(Policy),
  (policy) => policy._tag === "Some" && policy.value.afterRefusal === "trust-service"
)

/**
 * Closes a flow, since nothing that was signed for it can be executed any more. The key of a swap that was accepted stands
 * for that swap, which has failed; otherwise the key is free. Returns `false`, and changes nothing, if something else was
 * signed for the flow since it was read, or if that is unknown.
 */
const closed = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<boolean, never, Journal> {
  const { swapId } = flow
  if ((yield* journalChange(flow)) !== "same") return false
  const change = swapId === undefined ? keyFreed(flow) : keyEnded(flow, { swapId, status: "failed" })
  if ((yield* change) !== "done") return false
  yield* forget(flow.id)
  return true
})

/** The error if something else was signed for a flow since it was read. */
const changed = (flowId: string, swapId: string): OutcomeUnknown =>
  new OutcomeUnknown({
    flowId,
    swapId,
    message: `Another process has signed again for flow ${flowId}: resume the flow. Swap ${swapId} may not be its only one.`
  })

/** What is left to say if the status of an accepted swap cannot be read to its end: the caller's own node may know it. */
const unfinished = Effect.fnUntraced(function* (
  flow: Flow,
  swapId: string,
  cause: WaitError
): Effect.fn.Return<never, FinishError, Journal> {
  const { id: flowId } = flow
  const fate = yield* fateOf(flow)
  if (fate === "expired" && (yield* closed(flow))) {
    const message = `Your own node shows that the signed operation expired unused. ${cause.message}`
    return yield* new Expired({ what: "operation", message })
  }
  const seen = fate === "used" ? ` ${executed}` : ""
  const message = `Swap ${swapId} was accepted: resume flow ${flowId}.${seen} ${cause.message}`
  return yield* cause._tag === "WaitTimeout"
    ? new WaitTimeout({ swapId, status: cause.status, flowId, message })
    : new OutcomeUnknown({ swapId, flowId, message, cause })
})

/**
 * Succeeds once the caller's own node shows that nothing that was signed for a failed swap can be executed. Without a node,
 * or if the policy says so, the service is believed.
 */
const confirmed = Effect.fnUntraced(function* (
  flow: Flow,
  { swapId, status }: Swap,
  timeout: number
): Effect.fn.Return<void, FinishError, Journal> {
  const { id: flowId } = flow
  const readers = yield* ChainReader
  const family = (yield* Families)(flow.request.originChain)
  if (readers[family] === undefined || (yield* trustsService)) return
  const failed = `The service says that swap ${swapId} failed`
  if (identitiesOf(flow).length === 0 && flow.signatures !== undefined) {
    const message = `${failed}. What was signed is in the journal of another process: resume flow ${flowId} there.`
    return yield* new OutcomeUnknown({ swapId, flowId, message })
  }
  // What was signed without its fields cannot be found on the chain: the policy allows that, and trusts the service with it.
  if (!(yield* isReadable(flow))) return
  const fate = yield* awaitFate(flow, timeout)
  if (fate === "used") {
    const message = `${failed}, but your own node shows that the signed operation was executed. Resume flow ${flowId}, and ask the operator of the service about the swap.`
    return yield* new OutcomeUnknown({ swapId, flowId, message })
  }
  if (fate === "open") {
    const message = `${failed}. Your own node does not show yet that the signed operation has expired: it may still be executed. Resume flow ${flowId}.`
    return yield* new WaitTimeout({ swapId, status, flowId, message })
  }
  if ((yield* journalChange(flow)) === "changed") return yield* changed(flowId, swapId)
})

/** Watches an accepted flow to its end, and closes it in journal and ledger. Its errors say what to resume. */
export const finish = Effect.fnUntraced(function* (
  accepted: Flow,
  submitted: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, FinishError, Transport | Journal> {
  const { swapId } = submitted
  const flow = { ...accepted, swapId }
  const { waitTimeout } = yield* Settings
  const until = (yield* monotonicMillis) + Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? waitTimeout))
  if ((yield* keyAccepted(flow, submitted)) === "changed") return yield* changed(flow.id, swapId)
  yield* emit({ type: "submitted", flowId: flow.id, swap: submitted })
  const tell = (swap: Swap) => emit({ type: "status", swap })
  const swap = isTerminal(submitted)
    ? submitted
    : yield* Effect.catch(poll(swapId, tell, options), (cause) => unfinished(flow, swapId, cause))
  if (swap.status === "failed") {
    if (swap === submitted) yield* tell(swap)
    yield* confirmed(flow, swap, Math.max(0, until - (yield* monotonicMillis)))
  }
  const ending = yield* keyEnded(flow, swap)
  if (ending === "changed") return yield* changed(flow.id, swapId)
  // If the ledger could not be told, the flow stays: whoever resumes it tells the ledger then.
  if (ending === "done") yield* forgetUnchanged(flow)
  yield* emit({ type: "done", swap })
  return swap
})

/** Whether a refusal would have met an earlier attempt as well, since a service answers a replay with its swap (§8). */
const isFinal = (error: SwapError): boolean =>
  error._tag === "Rejected"
    ? [400, 422].includes(error.status) &&
      ["INVALID_SIGNATURE", "TRANSACTION_MODIFIED", "VALIDATION"].includes(error.code ?? "")
    : ["Expired", "InvalidAuthorization", "NeedsDelegation", "Unsupported"].includes(error._tag)

/** Submits what a flow holds again. A refusal ends the flow only if nothing that was signed can be executed any more. */
const resubmitted = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Journal> {
  const answer = yield* Effect.result(submitAll(flow, emit))
  if (answer._tag === "Success") return answer.success
  const { error, clear } = answer.failure
  const believed = isFinal(error) && (yield* trustsService)
  const fate = believed ? "expired" : yield* fateOf(flow)
  if (fate !== "expired" || !(yield* closed(flow))) return yield* unresolved(flow.id, error, fate)
  return yield* clear || believed
    ? error
    : new Expired({ what: "operation", message: `Your own node shows that it expired unused. ${error.message}` })
})

/** Whether a flow of the journal may be taken up. One that has its swap's id always may. */
export const isResumable = (flow: Flow) => (flow.swapId === undefined ? keyResumed(flow) : Effect.succeed(true))

/** Takes up a flow where it was left. Call it only if `isResumable`. */
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
  const resumable = yield* Effect.catchTag(isResumable(flow), "LedgerError", (cause) => {
    const message = `The ledger could not be asked about flow ${flowId}: resume the flow. ${cause.message}`
    return Effect.fail(new OutcomeUnknown({ flowId, message, cause }))
  })
  if (!resumable) {
    const message = `Flow ${flowId} was given up before it was submitted, and its idempotency key stands for something else.`
    return yield* new Expired({ what: "operation", message })
  }
  return yield* resumed(flow, options, emit)
})
