/** Takes up a flow of the journal: the very same bytes, and never by two processes at once. */
import { Client, type Journal } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Directory, tokenAt } from "../../chains/Directory.js"
import { Failure } from "../../output/Exit.js"
import { FileJournal } from "../FileJournal.js"
import * as History from "../History.js"
import type { Output } from "../../output/Output.js"
import type { Settings } from "../../config/Settings.js"
import * as Progress from "../progress.js"
import { follow, type Reached } from "../trackSwap.js"

/** What a flow was for, to be remembered. */
const originOf = ({ createdAt, id, output, request }: Journal.Flow): History.Origin => ({
  flowId: id,
  createdAt,
  output,
  request
})

/** Takes a flow up to its end, and notes how far it has come. */
export const resume = (flow: Journal.Flow, reached: Reached) =>
  Effect.scoped(
    Effect.gen(function* () {
      const journal = yield* FileJournal
      const { chains } = yield* Directory
      if (!(yield* journal.claim(flow.id))) {
        return yield* new Failure({
          message: `Another process works on the flow ${flow.id} already.`,
          next: "Let it end, and see geoswap history."
        })
      }
      const { destinationChain, outputToken } = flow.request
      const token = tokenAt(
        chains.find(({ id }) => id === destinationChain),
        outputToken
      )
      reached.flowId = flow.id
      reached.swapId = flow.swapId
      const view = yield* Progress.make("submit", token)
      const context = yield* Effect.context<Directory | Output | Settings>()
      const tell = follow(view, reached, () => originOf(flow))
      const swap = yield* Client.resume(flow.id, {
        onProgress: (event) => Effect.provideContext(tell(event), context)
      })
      yield* view.close
      return yield* History.entryOf(swap, originOf(flow))
    })
  )

/** Milliseconds that a flow is given to end. */
const patience = 5_000

/**
 * Looks whether a swap has ended that this process once left alone. Only resuming it decides that: the service's word
 * alone closes nothing. A flow that does not end soon stays unfinished.
 */
export const conclude = (flow: Journal.Flow) =>
  Effect.gen(function* () {
    const journal = yield* FileJournal
    // Without an id it would be submitted again. With one it is only read, which needs no claim on the flow.
    if (flow.swapId === undefined) return undefined
    const ended = yield* Effect.timeoutOption(Effect.option(Client.resume(flow.id)), patience)
    const swap = Option.getOrUndefined(Option.flatten(ended))
    // Whoever resumes it closes it in the journal.
    if (swap === undefined || (yield* journal.get(flow.id)) !== undefined) return undefined
    const entry = yield* History.entryOf(swap, originOf(flow))
    yield* Effect.ignore(History.write(entry))
    return entry
  })
