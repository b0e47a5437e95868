/** Exports all swaps for bookkeeping, oldest first, with only one page of swaps in memory at a time. */
import * as Arr from "effect/Array"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { row } from "../export/csv.js"
import * as Output from "../export/exportOutput.js"
import { formatJson, printNote } from "../output/print.js"
import { accountNames } from "../swaps/accountNames.js"
import { allSwaps } from "../swaps/allSwaps.js"
import { costFields } from "../swaps/swapCosts.js"
import { type Entry, entryOf } from "../swaps/swapEntry.js"
import { booleanFlag, nonEmpty, period, validatePeriod, valueFlag } from "./flags.js"
import { openStore } from "./openStore.js"
import { UsageError } from "./UsageError.js"

/** A swap, and what its transactions cost. */
type Line = Entry & ReturnType<typeof costFields>

/** The CSV columns. */
const fields = [
  "id",
  "orderId",
  "account",
  "state",
  "failureCode",
  "createdAt",
  "updatedAt",
  "endedAt",
  "wallet",
  "originChain",
  "originChainName",
  "inputToken",
  "inputSymbol",
  "amount",
  "amountWhole",
  "feeBps",
  "fee",
  "feeWhole",
  "networkCost",
  "networkCostWhole",
  "recipient",
  "destinationChain",
  "destinationChainName",
  "outputToken",
  "outputSymbol",
  "output",
  "outputWhole",
  "minOutput",
  "minOutputWhole",
  "originTxHash",
  "deliveryTxHash",
  "refundTxHash",
  "refundAmount",
  "collectSpentWei",
  "deliverSpentWei",
  "refundSpentWei"
] as const satisfies ReadonlyArray<keyof Line>

const formats = {
  jsonl: { head: "", line: (entry: Line) => `${formatJson(entry)}\n` },
  csv: { head: row(fields), line: (entry: Line) => row(fields.map((field) => entry[field])) }
} as const

/** Exports the swaps accepted in a period. */
export const command = Command.make(
  "export",
  {
    ...period,
    format: Flag.Literals("format", ["jsonl", "csv"]).pipe(
      Flag.withMetavar("format"),
      Flag.withDescription("One JSON object per line, or CSV (default: jsonl)"),
      Flag.withDefault("jsonl")
    ),
    output: valueFlag("output", {
      metavar: "file",
      description: "Write to this file, which appears only when the export is complete (default: standard output)",
      expected: "a file path",
      parse: nonEmpty
    }),
    json: booleanFlag("json", "Same as --format jsonl")
  },
  Effect.fn("export")(
    function* (flags) {
      const { format, json, output, since } = flags
      if (json && format === "csv") {
        return yield* new UsageError({ message: "--json and --format csv cannot be combined." })
      }
      yield* validatePeriod(flags)
      const { names, store } = yield* openStore
      // Swaps accepted during the export are left out.
      const until = Math.min(flags.until ?? Infinity, yield* Clock.currentTimeMillis)
      const { done, write } = output === undefined ? Output.toStdout : yield* Output.toFile(output)
      const nameOf = yield* accountNames(store)
      const { head, line } = formats[format]
      if (head !== "") yield* write(head)
      yield* Stream.runForEachArray(
        allSwaps(store, { since, until, oldestFirst: true }, 500),
        Effect.fnUntraced(function* (swaps) {
          const spent = Arr.groupBy(yield* store.spentGas.of(swaps.map(({ id }) => id)), ({ swapId }) => swapId)
          const lines = swaps.map((swap) =>
            line({ ...entryOf(names, nameOf(swap.accountId), swap), ...costFields(spent[swap.id] ?? []) })
          )
          yield* write(lines.join(""))
        })
      )
      yield* done
      if (output !== undefined) yield* printNote(`Wrote ${output}.`)
    },
    Effect.catchTag("PipeClosed", () => Effect.void),
    Effect.scoped
  )
)
