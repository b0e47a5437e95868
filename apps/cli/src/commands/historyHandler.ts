/** `geoswap history`: the swaps that this machine started. */
import { Client } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Directory from "../chains/Directory.js"
import * as FileJournal from "../swap/FileJournal.js"
import * as History from "../swap/History.js"
import { forShell } from "../output/shellQuote.js"
import { remember } from "../swap/trackSwap.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as Settings from "../config/Settings.js"
import * as Outcome from "../swap/outcome.js"

/** Asks the service about a swap that had no end when it was last looked at. */
const refreshed = (entry: History.Entry) =>
  entry.status !== "pending"
    ? Effect.succeed(entry)
    : Client.status(entry.swapId).pipe(
        Effect.flatMap((swap) => Effect.tap(History.entryOf(swap, entry), remember)),
        // One that the service does not tell about hides none of the others.
        Effect.catch((error) =>
          Effect.gen(function* () {
            const output = yield* Output.Output
            yield* output.remark(`${Output.foreign(entry.swapId)}: ${Output.foreign(error.message)}`)
            return entry
          })
        )
      )

const show = Effect.fnUntraced(function* (entries: ReadonlyArray<History.Entry>, path: string, damaged: number) {
  const output = yield* Output.Output
  const journal = yield* FileJournal.FileJournal
  const { unfinished } = yield* journal.contents
  yield* output.answer(
    { swaps: entries, unfinished: unfinished.map(({ flow: { id, swapId } }) => ({ flowId: id, swapId })) },
    (style) =>
      entries.length === 0
        ? "No swap was started here."
        : Output.table(
            entries.map((entry) => [
              (entry.startedAt ?? entry.updatedAt).slice(0, 19).replace("T", " "),
              Outcome.statusWords(entry.status, style),
              Output.foreign(entry.swapId),
              Outcome.pairWords(entry) ?? ""
            ]),
            { head: ["started", "status", "swap", "about"], style: style.dim }
          )
  )
  if (damaged > 0) yield* output.remark(`${damaged} lines of ${path} cannot be read, and are left out.`)
  if (output.mode === "terminal" || output.mode === "lines") {
    for (const { busy, flow } of unfinished) {
      yield* output.remark(
        busy
          ? `Another process works on ${flow.id}.`
          : `Unfinished: ${flow.id}. Next: geoswap resume ${forShell(flow.id)}`
      )
    }
  }
})

const look = (limit: number) =>
  Effect.flatMap(History.read, ({ damaged, entries, path }) => show(entries.slice(0, limit), path, damaged))

const refresh = (limit: number) =>
  Effect.gen(function* () {
    const { damaged, entries, path } = yield* History.read
    const fresh = yield* Effect.forEach(entries.slice(0, limit), refreshed, { concurrency: 4 })
    yield* show(fresh, path, damaged)
  })

/** What needs no service. */
const offline = Layer.mergeAll(FileJournal.layer, Directory.layerConfigured).pipe(Layer.provideMerge(Settings.layer))

/** Lists the swaps. */
export const run = ({ limit, refresh: asks }: { readonly limit: number; readonly refresh: boolean }) =>
  Effect.gen(function* () {
    return asks
      ? yield* Effect.provide(refresh(limit), FileJournal.layer.pipe(Layer.provideMerge(Session.reads)))
      : yield* Effect.provide(look(limit), offline)
  })
