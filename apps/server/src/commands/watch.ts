/** Shows the swaps in progress until a signal stops it: a live table on a terminal, and one line per change in a pipe. */
import type { SwapRecord } from "@geoswap/service"
import * as Command from "effect/cli/Command"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { print, printJson, printNote } from "../output/print.js"
import { repeatFlags } from "../output/suggestedCommands.js"
import { table } from "../output/table.js"
import { formatAge, formatTime } from "../output/time.js"
import { accountNames } from "../swaps/accountNames.js"
import * as OpenSwaps from "../swaps/OpenSwaps.js"
import { waitsFor } from "../swaps/swapAdvice.js"
import { entryOf, shortRouteOf } from "../swaps/swapEntry.js"
import { booleanFlag, requiredFlag } from "./flags.js"
import { openStore } from "./openStore.js"

/** How long an ended swap stays in the table, in milliseconds. */
const lingerMillis = 10_000

type Row = (swap: SwapRecord.SwapRecord, now: number) => ReadonlyArray<string>

/** Formats the table for a terminal of this size. Lines are cut, because a line that wraps cannot be redrawn. */
const frame = (
  swaps: ReadonlyArray<SwapRecord.SwapRecord>,
  rowOf: Row,
  now: number,
  { columns, note, rows }: { readonly columns: number; readonly rows: number; readonly note: string }
) => {
  const room = Math.max(1, rows - 4)
  const shown = swaps.slice(0, room)
  const hidden = swaps.length - shown.length
  const lines = [
    `${formatTime(now).slice(11, 19)} UTC  ${note}`,
    ...(shown.length === 0
      ? []
      : table([
          ["id", "age", "state", "since", "route", "account", "waiting for, or reason"],
          ...shown.map((swap) => rowOf(swap, now))
        ]).split("\n")),
    ...(hidden > 0 ? [repeatFlags(`and ${hidden} more: geoswap-server swaps list --open`)] : [])
  ]
  return lines.map((line) => (line.length < columns ? line : `${line.slice(0, Math.max(1, columns - 2))}…`))
}

/** Replaces the lines that were written before. */
const redraw = (lines: ReadonlyArray<string>, before: number) => {
  const erase = before === 0 ? "" : `\u001B[${before}A\u001B[J`
  process.stdout.write(`${erase}${lines.join("\n")}\n`)
}

const noteOf = ({ more, open }: OpenSwaps.Read) =>
  open.length === 0
    ? "No swaps in progress. Press Ctrl-C to stop."
    : `${open.length}${more ? "+" : ""} ${open.length === 1 ? "swap" : "swaps"} in progress. Press Ctrl-C to stop.`

/** Shows the swaps in progress. A read that fails later is reported, and reading continues. */
export const command = Command.make(
  "watch",
  {
    /** In seconds. */
    interval: requiredFlag("interval", {
      metavar: "seconds",
      description: "How often to read the database (default: 1)",
      default: "1",
      expected: "a number of seconds from 0.1 to 3600",
      parse: (text) => {
        const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
        return seconds >= 0.1 && seconds <= 3_600 ? seconds : undefined
      }
    }),
    json: booleanFlag("json", "Print each change of a swap as a JSON object on its own line")
  },
  Effect.fn("watch")(function* ({ interval, json }) {
    const { names, store } = yield* openStore
    const terminal = process.stdout.isTTY && !json && process.env["TERM"] !== "dumb"
    const follow = OpenSwaps.follow(store)
    let nameOf = yield* accountNames(store)
    let read = yield* follow
    let ended: ReadonlyArray<SwapRecord.SwapRecord> = []
    let drawn = 0
    if (!terminal && !json) yield* printNote(noteOf(read))
    const rowOf: Row = (swap, now) => [
      swap.id,
      formatAge(now - swap.createdAt),
      swap.state,
      formatAge(now - swap.updatedAt),
      shortRouteOf(names, swap),
      nameOf(swap.accountId),
      waitsFor(swap, names)
    ]
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      if (terminal) {
        ended = [...read.ended, ...ended].filter(({ updatedAt }) => now - updatedAt < lingerMillis)
        const { columns, rows } = process.stdout
        const lines = frame([...read.open, ...ended], rowOf, now, { columns, rows, note: noteOf(read) })
        redraw(lines, drawn)
        drawn = lines.length
      } else {
        for (const swap of read.changed) {
          yield* json
            ? printJson({ ...entryOf(names, nameOf(swap.accountId), swap), waitsFor: waitsFor(swap, names) })
            : print([formatTime(swap.updatedAt), ...rowOf(swap, now)].join("  "))
        }
      }
      yield* Effect.sleep(interval * 1_000)
      const next = yield* Effect.result(Effect.all([follow, accountNames(store)]))
      if (next._tag === "Success") [read, nameOf] = next.success
      else {
        yield* printNote(next.failure.message)
        // The note is below the table, which is drawn again under it.
        drawn = 0
        read = { ...read, ended: [], changed: [] }
      }
    }
  }, Effect.scoped)
)
