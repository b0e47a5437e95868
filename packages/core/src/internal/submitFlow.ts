/** Submitting a journaled flow until there is a clear answer, always the same bytes. */
import * as Effect from "effect/Effect"
import { type Flow, Journal, type Signed } from "../Journal.js"
import { Settings } from "../Settings.js"
import type { Emit } from "../SwapEvent.js"
import type { Swap } from "../Swap.js"
import { type InvalidInput, type JournalError, OutcomeUnknown, type SubmitError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { bounded, pauseAfter } from "./patience.js"
import { submit } from "./verbs.js"

/** The swap goes on whatever the journal says from here, or does not say; the trace keeps the word. */
const noted = (writing: Effect.Effect<void, JournalError>): Effect.Effect<void> =>
  Effect.catch(bounded(writing), ({ message }) => Effect.annotateCurrentSpan({ "journal.error": message }))

/** Forgets a flow that has ended. What is left behind only costs a needless resume, so a failure here stops nothing. */
export const forget = (flowId: string): Effect.Effect<void, never, Journal> =>
  Effect.flatMap(Journal, (journal) => noted(journal.remove(flowId)))

/** Whether a refusal would have met an earlier attempt as well, since a service answers a replay with its swap (§8). */
const isFinal = (error: SubmitError | InvalidInput): boolean =>
  error._tag === "Rejected"
    ? [400, 422].includes(error.status) &&
      ["INVALID_SIGNATURE", "TRANSACTION_MODIFIED", "VALIDATION"].includes(error.code ?? "")
    : ["Expired", "InvalidAuthorization", "Unsupported"].includes(error._tag)

/**
 * Submits until the service accepts or clearly refuses. After an attempt without a clear answer no refusal is clear
 * either: the next signature could be the second. Only when `resumed`, where nothing is signed any more, may a refusal
 * end the flow.
 */
export const submitFlow = Effect.fnUntraced(function* (
  flow: Flow & Signed,
  emit: Emit,
  resumed: boolean
): Effect.fn.Return<Swap, SubmitError | InvalidInput | OutcomeUnknown, Transport | Journal> {
  const { submitAttempts, rateLimitWaits } = yield* Settings
  const journal = yield* Journal
  let unknown = resumed
  for (let attempt = 1, busy = 0; ;) {
    const result = yield* Effect.result(submit(flow.submission))
    if (result._tag === "Success") {
      const swap = result.success
      // From here on the swap id would be enough; without it, resuming submits the same bytes and gets it back.
      const { submission: _, operation: __, earlier: ___, ...rest } = flow
      yield* noted(journal.put({ ...rest, swapId: swap.swapId }))
      return swap
    }
    const error = result.failure
    const unclear = error._tag === "Unavailable" || error._tag === "ProtocolError"
    if (unclear) unknown = true
    const pause = unclear
      ? yield* pauseAfter(error, attempt - 1, submitAttempts - 1)
      : error._tag === "RateLimited"
        ? yield* pauseAfter(error, busy++, rateLimitWaits)
        : undefined
    if (pause === undefined) {
      if (!unknown || (resumed && isFinal(error))) {
        yield* forget(flow.id)
        return yield* Effect.fail(error)
      }
      return yield* new OutcomeUnknown({
        flowId: flow.id,
        message: `The swap may have been accepted: resume flow ${flow.id}. ${error.message}`,
        cause: error
      })
    }
    yield* Effect.sleep(pause)
    if (unclear) yield* emit({ type: "resubmitted", flowId: flow.id, attempt: ++attempt, after: error._tag })
  }
})
