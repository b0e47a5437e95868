/** Updates to a flow in the journal after the flow has been submitted. */
import * as Effect from "effect/Effect"
import type { FlowId, SwapId } from "../Id.js"
import { compact } from "../codecs/compact.js"
import type { Flow, Store } from "../Store.js"
import { Journal } from "./journal.js"
import type { Swap } from "../Swap.js"
import { Transport } from "../Transport.js"
import { bestEffort } from "./bestEffort.js"
import { markAccepted } from "./flowEntry.js"
import { unsubmittableOf } from "../store/flow.js"
import { withTimeout } from "./timeout.js"

/**
 * Removes a finished flow, and returns whether it was removed. A failure is ignored, because a leftover flow only
 * causes an unnecessary `resume` call.
 */
export const removeFlow = (flowId: FlowId): Effect.Effect<boolean, never, Store> =>
  Effect.flatMap(Journal, (journal) => bestEffort(journal.remove(flowId)))

/**
 * Whether the journal contains a newer signature or another swap under the flow's id. `unknown`: the journal could not
 * be read.
 */
export const journalChange = Effect.fnUntraced(function* (
  flow: Flow
): Effect.fn.Return<"same" | "changed" | "unknown", never, Store> {
  const journal = yield* Journal
  const reading = yield* Effect.result(withTimeout(journal.get(flow.id)))
  if (reading._tag === "Failure") return "unknown"
  const now = reading.success
  const isSame =
    now === undefined ||
    (now.signatures === flow.signatures &&
      (now.swapId ?? flow.swapId) === flow.swapId &&
      (now.submission ?? flow.submission)?.geoOpToken === (flow.submission ?? now.submission)?.geoOpToken)
  return isSame ? "same" : "changed"
})

/** Removes a finished flow, unless the flow in the journal has changed. Returns whether the flow was removed. */
export const removeUnchanged = (flow: Flow): Effect.Effect<boolean, never, Store> =>
  Effect.flatMap(journalChange(flow), (change) => (change === "changed" ? Effect.succeed(false) : removeFlow(flow.id)))

/**
 * Records the id of an accepted swap. Replaces the submission with the data that the caller's own node needs to find
 * the signatures.
 */
export const recordAccepted = Effect.fnUntraced(function* (flow: Flow, swap: Swap) {
  const journal = yield* Journal
  const { swapId } = swap
  const {
    id,
    createdAt,
    service,
    request,
    output,
    minOutput,
    feeBps,
    networkCost,
    signatures,
    idempotencyKey,
    vaults
  } = flow
  // After this update, no other process signs for the flow again, so that the journal cannot contain a newer signature.
  if ((yield* markAccepted(flow, swap)) !== "done") return
  // If the journal cannot be read, it may contain a newer signature, so do not overwrite it. Resuming the flow then
  // submits the same bytes again.
  if ((yield* journalChange({ ...flow, swapId })) !== "same") return
  const signed = unsubmittableOf(flow)
  const terms = { request, output, minOutput, feeBps, networkCost }
  const accepted = { id, createdAt, service, ...terms, signatures, idempotencyKey, swapId, vaults, signed }
  yield* bestEffort(journal.put(compact(accepted)))
})

/** Returns the other flow that a swap belongs to, if there is one. Each swap belongs to one flow. */
export const flowOfSwap = Effect.fnUntraced(function* (
  flowId: FlowId,
  swapId: SwapId
): Effect.fn.Return<FlowId | undefined, never, Store | Transport> {
  const journal = yield* Journal
  const reading = yield* Effect.result(withTimeout(journal.list))
  if (reading._tag === "Failure") return undefined
  const { service } = yield* Transport
  return reading.success.find((flow) => flow.id !== flowId && flow.swapId === swapId && flow.service === service)?.id
})

/** Records how the service claims that a flow's swap ended, as long as the flow in the journal is the same. */
export const recordClaim = Effect.fnUntraced(function* (flow: Flow, claimed: NonNullable<Flow["claimed"]>) {
  const journal = yield* Journal
  const reading = yield* Effect.result(withTimeout(journal.get(flow.id)))
  const now = reading._tag === "Success" ? reading.success : undefined
  if (now === undefined || now.swapId !== flow.swapId || now.signatures !== flow.signatures) return
  if (now.claimed === claimed) return
  yield* bestEffort(journal.put({ ...now, claimed }))
})
