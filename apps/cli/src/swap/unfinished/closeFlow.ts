/** Closes the flow of a finished swap in the journal. */
import * as Effect from "effect/Effect"
import { Output } from "../../output/Output.js"
import { quoteArgument } from "../../output/shellQuote.js"
import type { Entry } from "../History.js"
import { FileJournal } from "../stateFiles.js"
import { closeIfFinal } from "./resume.js"

/**
 * Closes a finished swap's flow in the journal by resuming the flow, which confirms the final status. If the status
 * cannot be confirmed, prints how to resume the flow.
 */
export const closeFlow = ({ swapId }: Entry) =>
  Effect.gen(function* () {
    const output = yield* Output
    const journal = yield* FileJournal
    const { unfinished } = yield* journal.contents
    for (const { busy, flow } of unfinished) {
      if (busy || flow.swapId !== swapId || (yield* closeIfFinal(flow)) !== undefined) continue
      yield* output.notice(
        `The status that the service reports could not be confirmed, so the swap stays unfinished. Resume it: geoswap resume ${quoteArgument(flow.id)}`
      )
    }
  })
