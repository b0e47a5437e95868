/** Follows an accepted swap to its end. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FlowId, SwapId } from "../Id.js"
import { Families } from "../Chain.js"
import { ChainReader } from "../ChainReader.js"
import type { Flow, Journal } from "../Journal.js"
import { Policy } from "../Policy.js"
import { RetrySettings } from "../RetrySettings.js"
import { isTerminal, type Swap } from "../Swap.js"
import { Expired, OutcomeUnknown, WaitTimeout } from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import type { Transport } from "../Transport.js"
import { agreedSwap } from "./agreedSwap.js"
import { journalChange, removeFlow, removeUnchanged } from "./flowJournal.js"
import { closeEntry, markAccepted, markEnded } from "./flowEntry.js"
import { pollStatus, type WaitError, type WaitOptions } from "./pollStatus.js"
import { awaitSignedState, executedMessage, identitiesOf, readSignedState } from "./signedState.js"
import { monotonicMillis } from "./timeout.js"

/** The errors that can occur while waiting for an accepted swap to end. */
export type FinishError = WaitTimeout | OutcomeUnknown | Expired

/** Whether there is a policy that trusts what the service says about signatures. */
export const trustsService: Effect.Effect<boolean> = Effect.map(
  Effect.serviceOption(Policy),
  (policy) => policy._tag === "Some" && policy.value.afterRefusal === "trust-service"
)

/**
 * Closes a flow whose signatures can no longer be used. If the swap was accepted, the flow's ledger entry records
 * the swap as `failed`; otherwise, the entry is closed. Returns `false` and changes nothing if another signature has
 * been made for the flow since the flow was read, or if it is unknown whether one has been made.
 */
export const closeExpired = Effect.fnUntraced(function* (flow: Flow): Effect.fn.Return<boolean, never, Journal> {
  const { swapId } = flow
  if ((yield* journalChange(flow)) !== "same") return false
  const update = swapId === undefined ? closeEntry(flow) : markEnded(flow, { swapId, status: "failed" })
  if ((yield* update) !== "done") return false
  yield* removeFlow(flow.id)
  return true
})

/** Creates the error to use if another signature has been made for a flow since the flow was read. */
const signedAgain = (flowId: FlowId, swapId: SwapId): OutcomeUnknown =>
  new OutcomeUnknown({
    flowId,
    swapId,
    message: `Another process has signed again for flow ${flowId}, so swap ${swapId} may not be the flow's only swap. Resume the flow.`
  })

/** Creates the error to use if it is unknown whether another signature has been made for a failed swap's flow. */
const unconfirmed = (flowId: FlowId, swapId: SwapId): OutcomeUnknown =>
  new OutcomeUnknown({
    flowId,
    swapId,
    message: `The service says that swap ${swapId} failed, but the journal or the ledger could not be read to check that no other process has signed again. Resume flow ${flowId}.`
  })

/**
 * Fails with the error for an accepted swap whose final status could not be read. The error depends on whether the
 * caller's own node shows the outcome.
 */
const failUnfinished = Effect.fnUntraced(function* (
  flow: Flow,
  swapId: SwapId,
  cause: WaitError
): Effect.fn.Return<never, FinishError, Journal> {
  const { id: flowId } = flow
  const state = yield* readSignedState(flow)
  if (state === "expired" && (yield* closeExpired(flow))) {
    const message = `Your own node shows that the signed operation expired unused. ${cause.message}`
    return yield* new Expired({ what: "operation", message })
  }
  const executed = state === "used" ? ` ${executedMessage}` : ""
  const message = `Swap ${swapId} was accepted. Resume flow ${flowId}.${executed} ${cause.message}`
  return yield* cause._tag === "WaitTimeout"
    ? new WaitTimeout({ swapId, status: cause.status, flowId, message })
    : new OutcomeUnknown({ swapId, flowId, message, cause })
})

/**
 * Succeeds once the caller's own node shows that none of a failed swap's signatures can be used. Without a node, or
 * if the policy trusts the service, no proof is required.
 */
const confirmFailed = Effect.fnUntraced(function* (
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
    const message = `${failed}. The swap's signatures are in another process's journal: resume flow ${flowId} in that process.`
    return yield* new OutcomeUnknown({ swapId, flowId, message })
  }
  // A signature over a bare hash cannot be found on the chain. A policy that allows such signatures trusts the service.
  if (!identitiesOf(flow).some(({ operation, payment, transaction }) => operation ?? payment ?? transaction)) return
  const state = yield* awaitSignedState(flow, timeout)
  if (state === "used") {
    const message = `${failed}, but your own node shows that the signed operation was executed. Resume flow ${flowId}, and ask the service's operator about the swap.`
    return yield* new OutcomeUnknown({ swapId, flowId, message })
  }
  if (state === "open") {
    const message = `${failed}. Your own node does not yet show that the signed operation has expired, so it may still be executed. Resume flow ${flowId}.`
    return yield* new WaitTimeout({ swapId, status, flowId, message })
  }
  const change = yield* journalChange(flow)
  if (change !== "same") return yield* change === "changed" ? signedAgain(flowId, swapId) : unconfirmed(flowId, swapId)
})

/**
 * Waits until an accepted swap ends, and closes its flow in the journal and the ledger. The terms in the result are the
 * flow's.
 */
export const finish = Effect.fnUntraced(function* (
  accepted: Flow,
  answer: Swap,
  emit: Emit,
  options: WaitOptions
): Effect.fn.Return<Swap, FinishError, Transport | Journal> {
  const { swapId } = answer
  const flow = { ...accepted, swapId }
  const agreed = yield* agreedSwap(flow)
  const submitted = agreed(answer)
  const { waitTimeout } = yield* RetrySettings
  const until = (yield* monotonicMillis) + Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? waitTimeout))
  if ((yield* markAccepted(flow, submitted)) === "changed") return yield* signedAgain(flow.id, swapId)
  yield* emit({ type: "submitted", flowId: flow.id, swap: submitted })
  const emitStatus = (swap: Swap) => emit({ type: "status", swap: agreed(swap) })
  const swap = isTerminal(submitted)
    ? submitted
    : agreed(
        yield* Effect.catch(pollStatus(swapId, emitStatus, options), (cause) => failUnfinished(flow, swapId, cause))
      )
  if (swap.status === "failed") {
    if (swap === submitted) yield* emitStatus(swap)
    yield* confirmFailed(flow, swap, Math.max(0, until - (yield* monotonicMillis)))
  }
  const ending = yield* markEnded(flow, swap)
  if (ending === "changed") return yield* signedAgain(flow.id, swapId)
  if (ending === "unknown" && swap.status === "failed") return yield* unconfirmed(flow.id, swapId)
  // If the ledger could not be updated, the flow stays in the journal so that resuming the flow updates the ledger.
  if (ending === "done") yield* removeUnchanged(flow)
  yield* emit({ type: "done", swap })
  return swap
})
