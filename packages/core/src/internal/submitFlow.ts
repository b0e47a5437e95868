/** Submitting what was signed until there is a clear answer, always the same bytes. */
import * as Effect from "effect/Effect"
import { type Flow, Journal, type Signed } from "../Journal.js"
import { Settings } from "../Settings.js"
import type { Emit } from "../SwapEvent.js"
import type { Swap } from "../Swap.js"
import type { InvalidInput, SubmitError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { keptOf, signedOf } from "./afterRefusal.js"
import { compact } from "./compact.js"
import { bounded, noted, pauseAfter } from "./patience.js"
import { submit } from "./verbs.js"

/** Forgets a flow that has ended. What is left behind only costs a needless resume, so a failure here stops nothing. */
export const forget = (flowId: string): Effect.Effect<void, never, Journal> =>
  Effect.flatMap(Journal, (journal) => noted(journal.remove(flowId)))

/**
 * Whether the journal has something else under a flow's id than was read: a newer signature, or another swap. `unknown` if
 * it does not answer.
 */
export const journalChange = Effect.fnUntraced(function* (
  flow: Flow
): Effect.fn.Return<"same" | "changed" | "unknown", never, Journal> {
  const journal = yield* Journal
  const reading = yield* Effect.result(bounded(journal.get(flow.id)))
  if (reading._tag === "Failure") return "unknown"
  const now = reading.success
  const isSame =
    now === undefined ||
    (now.signatures === flow.signatures &&
      (now.swapId ?? flow.swapId) === flow.swapId &&
      (now.submission ?? flow.submission)?.geoOpToken === (flow.submission ?? now.submission)?.geoOpToken)
  return isSame ? "same" : "changed"
})

/** Forgets a flow that has ended, unless the journal has something else under its id by now. */
export const forgetUnchanged = (flow: Flow): Effect.Effect<void, never, Journal> =>
  Effect.flatMap(journalChange(flow), (change) => (change === "changed" ? Effect.void : forget(flow.id)))

/** Notes the id of an accepted swap. What can be submitted goes; what the caller's own node can be asked about stays. */
const noteAccepted = Effect.fnUntraced(function* (flow: Flow, { swapId }: Swap) {
  const journal = yield* Journal
  const { id, createdAt, request, output, minOutput, signatures, idempotencyKey } = flow
  if ((yield* journalChange({ ...flow, swapId })) === "changed") return
  const kept = { id, createdAt, request, output, minOutput, signatures, idempotencyKey, swapId, signed: keptOf(flow) }
  yield* noted(journal.put(compact(kept)))
})

/** A submission that became no swap. */
export interface Refused {
  readonly _tag: "Refused"
  readonly error: SubmitError | InvalidInput
  /** Whether the service clearly refused every attempt. */
  readonly clear: boolean
}

/**
 * Submits one signature of a flow until the service accepts or refuses. After an attempt without a clear answer no refusal
 * is clear either: the service may have accepted that attempt.
 */
export const submitFlow = Effect.fnUntraced(function* (
  flow: Flow,
  { submission }: Signed,
  emit: Emit
): Effect.fn.Return<Swap, Refused, Transport | Journal> {
  const { submitAttempts, rateLimitWaits } = yield* Settings
  let clear = true
  for (let attempt = 1, busy = 0; ;) {
    const result = yield* Effect.result(submit(submission))
    if (result._tag === "Success") {
      const swap = result.success
      // If this fails, a resume submits the same bytes again.
      yield* noteAccepted(flow, swap)
      return swap
    }
    const error = result.failure
    const unclear = error._tag === "Unavailable" || error._tag === "ProtocolError"
    if (unclear) clear = false
    const pause = unclear
      ? yield* pauseAfter(error, attempt - 1, submitAttempts - 1)
      : error._tag === "RateLimited"
        ? yield* pauseAfter(error, busy++, rateLimitWaits)
        : undefined
    if (pause === undefined) return yield* Effect.fail({ _tag: "Refused", error, clear } as const)
    yield* Effect.sleep(pause)
    if (unclear) yield* emit({ type: "resubmitted", flowId: flow.id, attempt: ++attempt, after: error._tag })
  }
})

/** Submits everything that was signed for a flow again, the last first, until the service accepts one. */
export const submitAll = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit
): Effect.fn.Return<Swap, Refused, Transport | Journal> {
  const [last, ...earlier] = signedOf(flow)
  const answer = yield* Effect.result(submitFlow(flow, last as Signed, emit))
  if (answer._tag === "Success") return answer.success
  if (answer.failure.clear) {
    for (const signed of earlier) {
      const other = yield* Effect.result(submitFlow(flow, signed, emit))
      if (other._tag === "Success") return other.success
      if (!other.failure.clear) return yield* Effect.fail(other.failure)
    }
  }
  return yield* Effect.fail(answer.failure)
})
