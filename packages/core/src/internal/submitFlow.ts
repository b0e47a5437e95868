/** Submitting a journaled flow until there is a clear answer, always the same bytes. */
import * as Effect from "effect/Effect"
import { Journal, type Flow } from "../Journal.js"
import { Settings } from "../Settings.js"
import type { SwapEvent } from "../SwapEvent.js"
import type { Swap } from "../Swap.js"
import { type InvalidInput, type JournalError, OutcomeUnknown, type SubmitError } from "../SwapError.js"
import type { Transport } from "../Transport.js"
import { pauseAfter } from "./patience.js"
import { submit } from "./verbs.js"

/** Tells a step to whoever listens. */
export type Emit = (event: SwapEvent) => Effect.Effect<void>

/** The swap goes on whatever the journal says from here; its trace keeps the word. */
const noted = (error: JournalError) => Effect.annotateCurrentSpan({ "journal.error": error.message })

/** Forgets a flow that has ended. What is left behind only costs a needless resume, so a failure here stops nothing. */
export const forget = (flowId: string): Effect.Effect<void, never, Journal> =>
  Effect.catch(
    Effect.flatMap(Journal, (journal) => journal.remove(flowId)),
    noted
  )

/** Whether a refusal proves that this submission was never accepted and never will be. */
const isFinal = (error: SubmitError | InvalidInput): boolean =>
  error._tag === "Expired" ||
  error._tag === "InvalidAuthorization" ||
  error._tag === "Unsupported" ||
  (error._tag === "Rejected" && error.code !== undefined && [400, 409, 422].includes(error.status))

/**
 * Submits until the service accepts or clearly refuses. `unknown` says that an earlier attempt may have got through:
 * then only a refusal that would have met that one as well counts.
 */
export const submitFlow = Effect.fnUntraced(function* (
  flow: Flow,
  emit: Emit,
  earlier: { readonly unknown: boolean }
): Effect.fn.Return<Swap, SubmitError | InvalidInput | OutcomeUnknown, Transport | Journal> {
  const { submitAttempts, rateLimitWaits } = yield* Settings
  const journal = yield* Journal
  let unknown = earlier.unknown
  for (let attempt = 1, busy = 0; ;) {
    const result = yield* Effect.result(submit(flow.submission))
    if (result._tag === "Success") {
      const swap = result.success
      // From here on the swap id would be enough; without it, resuming submits the same bytes and gets it back.
      yield* Effect.catch(journal.put({ ...flow, swapId: swap.swapId }), noted)
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
      if (!unknown || isFinal(error)) {
        yield* forget(flow.id)
        return yield* Effect.fail(error)
      }
      return yield* new OutcomeUnknown({
        flowId: flow.id,
        message: `The swap may have been accepted: do not start it again, but resume flow ${flow.id}. ${error.message}`,
        cause: error
      })
    }
    yield* Effect.sleep(pause)
    if (unclear) yield* emit({ type: "resubmitted", flowId: flow.id, attempt: ++attempt, after: error._tag })
  }
})
