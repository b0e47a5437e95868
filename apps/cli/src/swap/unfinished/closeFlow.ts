/** Closes the flow of a finished swap in the store. */
import * as Effect from "effect/Effect"
import { Output } from "../../output/Output.js"
import { quoteArgument } from "../../output/shellQuote.js"
import type { Entry } from "../History.js"
import { LocalStore } from "../stateFiles.js"
import { closeIfFinal } from "./resume.js"

/**
 * Closes a finished swap's flow in the store by resuming the flow, which confirms the final status. If the status
 * cannot be confirmed, prints how to resume the flow.
 */
export const closeFlow = ({ swapId }: Entry) =>
  Effect.gen(function* () {
    const output = yield* Output
    const local = yield* LocalStore
    const { unfinished } = yield* local.contents
    for (const { busy, flow } of unfinished) {
      if (busy || flow.swapId !== swapId || (yield* closeIfFinal(flow)) !== undefined) continue
      yield* output.notice(
        `The status that the service reports could not be confirmed, so the swap stays unfinished. Resume it: geoswap resume ${quoteArgument(flow.id)}`
      )
    }
  })
