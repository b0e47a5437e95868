/** `geoswap status`: how a swap stands. */
import { Client, type Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FileJournal from "../swap/FileJournal.js"
import * as History from "../swap/History.js"
import { forShell } from "../output/shellQuote.js"
import { endAs, nothing, remember, tellInterrupted } from "../swap/trackSwap.js"
import { conclude } from "../swap/unfinished/resume.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as Outcome from "../swap/outcome.js"
import * as Progress from "../swap/progress.js"

/** Every state on the way to the end; the last one is given back. */
const watch = (swapId: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const view = yield* Progress.make("origin", undefined)
      const reached = { ...nothing(), swapId }
      const watching = Stream.runFoldEffect(
        Client.watch(swapId),
        (): Swap.Swap | undefined => undefined,
        (_, swap) => Effect.as(view.tell({ type: "status", swap }), swap)
      )
      return yield* Effect.onInterrupt(watching, () => Effect.andThen(view.close, tellInterrupted(reached)))
    })
  )

/** Closes the flow of a swap that has ended, if resuming it shows the same; says how to resume it otherwise. */
const close = ({ swapId }: History.Entry) =>
  Effect.gen(function* () {
    const output = yield* Output.Output
    const journal = yield* FileJournal.FileJournal
    const { unfinished } = yield* journal.contents
    for (const { busy, flow } of unfinished) {
      if (busy || flow.swapId !== swapId || (yield* conclude(flow)) !== undefined) continue
      yield* output.remark(
        `The service says that it has ended, and that is not confirmed. It stays unfinished: geoswap resume ${forShell(flow.id)}`
      )
    }
  })

const tell = Effect.fnUntraced(function* (swapId: string, watched: boolean) {
  const output = yield* Output.Output
  const seen = (watched ? yield* watch(swapId) : undefined) ?? (yield* Client.status(swapId))
  const known = yield* Effect.catch(History.find(swapId), () => Effect.succeed(undefined))
  const entry = yield* History.entryOf(seen, known)
  if (known !== undefined) yield* remember(entry)
  if (entry.status !== "pending") yield* Effect.ignore(close(entry))
  if (!watched || output.mode !== "json-lines") {
    yield* output.answer({ swap: entry }, (style) => Outcome.words(entry, style))
  }
  return yield* endAs(Outcome.codeOf(entry.status))
})

/** Tells how a swap stands. */
export const run = ({ swapId, watch: watched }: { readonly swapId: string; readonly watch: boolean }) =>
  Effect.provide(
    tell(swapId, watched),
    Layer.mergeAll(
      FileJournal.layer,
      Session.readers(() => true)
    ).pipe(Layer.provideMerge(Session.reads))
  )
