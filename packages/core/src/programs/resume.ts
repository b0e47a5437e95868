/** Resumes a flow from the store after a crash, an abort or an `OutcomeUnknown` error. */
import * as Effect from "effect/Effect"
import type { FlowId } from "../Id.js"
import type { Flow, Store } from "../Store.js"
import type { Swap } from "../Swap.js"
import {
  Expired,
  InvalidInput,
  OutcomeUnknown,
  type StoreError,
  type BuildError,
  type SwapError
} from "../SwapError.js"
import type { Emit } from "../SwapEvent.js"
import { Transport } from "../Transport.js"
import { closeExpired, finish, type FinishError, trustsService } from "./finish.js"
import { thenRelease } from "./openFlows.js"
import { findFlow, takeFlow } from "./flows.js"
import type { WaitOptions } from "./pollStatus.js"
import { executedMessage, outcomeUnknown, readSignedState } from "./signedState.js"
import { type Accepted, submitAll } from "./submitFlow.js"

/** The errors that can occur while resuming a flow. */
export type ResumeError = BuildError | InvalidInput | FinishError | StoreError

/**
 * Whether an error means that the service would also refuse every further attempt. If the service had accepted the
 * submission, it would have returned the swap.
 */
const isFinal = (error: SwapError): boolean =>
  error._tag === "Rejected"
    ? [400, 422].includes(error.status) &&
      ["INVALID_SIGNATURE", "TRANSACTION_MODIFIED", "VALIDATION"].includes(error.code ?? "")
    : ["Expired", "InvalidAuthorization", "NeedsDelegation", "Unsupported"].includes(error._tag)

/** Closes a flow whose signatures are no longer stored, if the caller's own node shows that they expired unused. */
const closeUnsubmittable = Effect.fnUntraced(function* (
  flow: Flow
): Effect.fn.Return<never, OutcomeUnknown | Expired, Store> {
  const state = yield* readSignedState(flow)
  if (state === "expired" && (yield* closeExpired(flow))) {
    const message = `Your own node shows that the signed operation of flow ${flow.id} expired unused.`
    return yield* new Expired({ what: "operation", message })
  }
  const executed = state === "used" ? ` ${executedMessage}` : ""
  const message = `The signatures of flow ${flow.id} were stored for too long, so they cannot be submitted again.${executed} Ask the service's operator about the swap, and forget the flow once you know how it ended.`
  return yield* new OutcomeUnknown({ flowId: flow.id, message })
})

/**
 * Submits a flow's signatures again. A refusal closes the flow only if none of the signatures can be used anymore.
 */
const resubmit = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Accepted, ResumeError, Transport | Store> {
  if (flow.submission === undefined) return yield* closeUnsubmittable(flow)
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

/** Fails if a flow was signed for another service than the transport's. */
const ensureOwnService = ({ id, service }: Flow): Effect.Effect<void, InvalidInput, Transport> =>
  Effect.flatMap(Transport, (transport) => {
    if (service === undefined || service === transport.service) return Effect.void
    const message = `flowId: flow ${id} belongs to the service ${service}. Resume it with a client of that service.`
    return Effect.fail(new InvalidInput({ field: "flowId", message }))
  })

/**
 * Resumes a flow. First takes its signatures, after which its `execute` call can no longer withdraw them or sign again.
 * Returns `undefined` if the flow has ended in the meantime.
 */
export const resumeFlow = Effect.fnUntraced(function* (
  found: Flow,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap | undefined, ResumeError, Transport | Store> {
  yield* ensureOwnService(found)
  const flow = yield* Effect.catchTag(takeFlow(found), "StoreError", (cause) => {
    const message = `The store could not be read for flow ${found.id}. Resume the flow again. ${cause.message}`
    return Effect.fail(new OutcomeUnknown({ flowId: found.id, message, cause }))
  })
  if (flow === undefined) return undefined
  const { swapId } = flow
  const following: Effect.Effect<Accepted, ResumeError, Transport | Store> =
    swapId === undefined ? resubmit(flow, emit) : Effect.succeed({ flow, swap: { swapId, status: "pending" } })
  return yield* thenRelease(
    flow.id,
    Effect.flatMap(following, (accepted) => finish(accepted.flow, accepted.swap, emit, options))
  )
})

/** Resumes the flow with this id: submits the same bytes again, and never starts a second swap. */
export const resume = Effect.fn("geoswap.resume")(function* (
  flowId: FlowId,
  options: WaitOptions,
  emit: Emit
): Effect.fn.Return<Swap, ResumeError, Transport | Store> {
  const found = yield* findFlow(flowId)
  const swap = found && (yield* resumeFlow(found, options, emit))
  if (swap) return swap
  return yield* new InvalidInput({ field: "flowId", message: `flowId: there is no flow ${flowId} in the store.` })
})
