/** Handles `geoswap watch`: follows several swaps at once until all of them have reached a final status. */
import { Client, type Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Layer from "effect/Layer"
import { Host } from "../node/Host.js"
import * as Exit from "../output/Exit.js"
import * as Output from "../output/Output.js"
import { quoteArgument } from "../output/shellQuote.js"
import { formatAgo } from "../output/time.js"
import * as Session from "../service/Session.js"
import * as StateFiles from "../swap/stateFiles.js"
import { type Ended, endAll } from "../swap/endAll.js"
import * as History from "../swap/History.js"
import { live } from "../swap/live.js"
import * as Outcome from "../swap/outcome.js"
import { update } from "../swap/record.js"
import { exitUnlessOk } from "../swap/trackSwap.js"
import { closeFlow } from "../swap/unfinished/resume.js"

/** What is known about one of the swaps. */
interface Watched {
  readonly swapId: string
  readonly entry?: History.Entry | undefined
  readonly error?: Exit.Explanation | undefined
}

const isPending = ({ entry, error }: Watched) =>
  error === undefined && (entry === undefined || entry.status === "pending")

/**
 * Formats the table, cut to the size of the terminal: a line that wraps, or that has left the screen, cannot be redrawn.
 * If there is no room for all swaps, the pending ones come first.
 */
export const frame = (
  all: ReadonlyArray<Watched>,
  now: number,
  style: Output.Style,
  { height, width }: { readonly width: number; readonly height: number }
) => {
  const room = Math.max(1, height - 2)
  const shown =
    all.length < height
      ? all
      : [...all.filter(isPending), ...all.filter((watched) => !isPending(watched))].slice(0, room)
  const more = all.length === shown.length ? "" : `\nand ${all.length - shown.length} more`
  const rows = shown.map(({ entry, error, swapId }) => {
    const status =
      error !== undefined
        ? style.red("unknown")
        : entry === undefined
          ? style.dim("…")
          : Outcome.formatStatus(entry.status, style)
    const started = entry?.startedAt ?? entry?.acceptedAt
    return [
      status,
      started === undefined ? "" : formatAgo(Date.parse(started), now),
      Output.sanitize(swapId),
      error?.what ?? (entry && Outcome.formatPair(entry)) ?? ""
    ]
  })
  // In a narrow terminal, only the status and the swap id are shown, because the id must be complete.
  const table = Output.table(rows)
  if (Output.fits(table, width - 1)) return table + more
  return Output.table(rows.map(([status = "", , id = ""]) => [status, id])) + more
}

/** Draws the table in place on a terminal. In a pipe, prints each change as one line. */
const viewOf = Effect.fnUntraced(function* (all: ReadonlyMap<string, Watched>) {
  const output = yield* Output.Output
  const host = yield* Host
  if (output.mode !== "terminal") {
    return (changed: Watched) =>
      output.mode === "json-lines" && changed.entry !== undefined
        ? output.json({ type: "status", swap: changed.entry })
        : changed.entry === undefined
          ? Effect.void
          : output.line(`${Output.sanitize(changed.swapId)}: ${changed.entry.status}`)
  }
  let isLast = false
  // Redrawn for the relative times.
  const { draw, stop } = yield* live((now) => {
    const height = isLast ? Infinity : host.rows
    return frame([...all.values()], now, output.style, { width: host.columns, height })
  }, 1_000)
  yield* draw
  // At the end, all swaps are listed.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isLast = true
      return stop
    })
  )
  return () => draw
})

/** Says that there is nothing to watch. Swaps that were signed and have no certain end are listed. */
const reportNone = Effect.gen(function* () {
  const { unfinished } = yield* (yield* StateFiles.LocalStore).contents
  const flows = unfinished.map(({ flow }) => flow.id)
  yield* Output.result({ swaps: [] }, () =>
    flows.length === 0
      ? "There are no swaps to watch: all swaps in your history have finished."
      : "There are no swaps to watch, but not all swaps that you signed have a certain end."
  )
  for (const flow of flows) yield* Output.notice(`Resume this swap: geoswap resume ${quoteArgument(flow)}`)
  return yield* exitUnlessOk(flows.length === 0 ? Exit.codes.ok : Exit.codes.unknown)
})

const watchAll = Effect.fnUntraced(function* (named: ReadonlyArray<string>) {
  const output = yield* Output.Output
  const { entries } = yield* History.read
  const pending = entries.filter(({ status }) => status === "pending").map(({ swapId }) => swapId)
  const swapIds = [...new Set(named.length === 0 ? pending : yield* Effect.forEach(named, History.completeId))]
  const all = new Map<string, Watched>(
    swapIds.map((swapId) => [swapId, { swapId, entry: entries.find((entry) => entry.swapId === swapId) }])
  )
  if (all.size === 0) return yield* reportNone
  yield* Effect.scoped(
    Effect.gen(function* () {
      const view = yield* viewOf(all)
      const change = (watched: Watched) => {
        all.set(watched.swapId, watched)
        return view(watched)
      }
      const report = (swap: Swap.Swap) =>
        Effect.flatMap(update(swap), (entry) => change({ swapId: entry.swapId, entry }))
      yield* Effect.forEach(
        swapIds,
        (swapId) =>
          Stream.runForEach(Client.watch(swapId), report).pipe(
            // A swap whose status cannot be read must not stop the others.
            Effect.catch((error) => change({ ...all.get(swapId), swapId, error: Exit.explain(error) }))
          ),
        { concurrency: "unbounded", discard: true }
      )
    })
  )
  const ended = [...all.values()].flatMap(
    ({ entry, error, swapId }): ReadonlyArray<Ended<{ readonly swapId: string }>> =>
      error !== undefined ? [{ swapId, error }] : entry === undefined ? [] : [{ swapId, swap: entry }]
  )
  for (const one of ended) {
    if ("error" in one) {
      if (output.mode !== "json") yield* Exit.print(one.error, output)
    } else yield* Effect.ignore(closeFlow(one.swap))
  }
  return yield* endAll("swaps", ended)
})

/** Watches several swaps. */
export const run = ({ swapIds }: { readonly swapIds: ReadonlyArray<string> }) =>
  Effect.provide(
    watchAll(swapIds),
    Layer.mergeAll(
      StateFiles.layer,
      Session.readers(() => true)
    ).pipe(Layer.provideMerge(Session.reads))
  )
