/** Handles `geoswap status`: shows the status of a swap, or waits until the swap reaches a final status. */
import { Client, type Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as StateFiles from "../swap/stateFiles.js"
import * as History from "../swap/History.js"
import * as Outcome from "../swap/outcome.js"
import * as Progress from "../swap/progress.js"
import { update } from "../swap/record.js"
import { exitUnlessOk, initialFlowState, reportInterrupted } from "../swap/trackSwap.js"
import { closeFlow } from "../swap/unfinished/resume.js"

/** Shows each status of a swap until the swap reaches a final status, and returns the swap. */
const watch = (swapId: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const view = yield* Progress.make("payment", undefined)
      const state = { ...initialFlowState(), swapId }
      const watching = Stream.runFoldEffect(
        Client.watch(swapId),
        (): Swap.Swap | undefined => undefined,
        (_, swap) => Effect.as(view.report({ type: "status", swap }), swap)
      )
      return yield* Effect.onInterrupt(watching, () => Effect.andThen(view.close, reportInterrupted(state)))
    })
  )

const showStatus = Effect.fnUntraced(function* (id: string, watched: boolean) {
  const output = yield* Output.Output
  const swapId = yield* History.completeId(id)
  const swap = (watched ? yield* watch(swapId) : undefined) ?? (yield* Client.status(swapId))
  const entry = yield* update(swap)
  yield* Effect.ignore(closeFlow(entry))
  if (!watched || output.mode !== "json-lines") {
    yield* Output.result({ swap: entry }, (style) => Outcome.format(entry, style))
  }
  return yield* exitUnlessOk(Outcome.codeOf(entry))
})

/** Shows the status of a swap. */
export const run = ({ swapId, watch: watched }: { readonly swapId: string; readonly watch: boolean }) =>
  Effect.provide(
    showStatus(swapId, watched),
    Layer.mergeAll(
      StateFiles.layer,
      Session.readers(() => true)
    ).pipe(Layer.provideMerge(Session.reads))
  )
