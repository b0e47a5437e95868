/** Exports all swaps for bookkeeping, oldest first, with only one page of swaps in memory at a time. */
import type { Store } from "@geoswap/service"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { row } from "../export/csv.js"
import { allSwaps } from "../swaps/allSwaps.js"
import { costFields } from "../swaps/swapCosts.js"
import { type Entry, entryOf } from "../swaps/swapEntry.js"
import type * as Names from "../output/displayNames.js"
import { printNote } from "../output/print.js"
import * as Output from "../export/exportOutput.js"
import { openStore } from "./openStore.js"
import { accountNames } from "./swapsHandler.js"

const page = 500

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
  jsonl: { head: "", line: (entry: Line) => `${JSON.stringify(entry)}\n` },
  csv: { head: row(fields), line: (entry: Line) => row(fields.map((field) => entry[field])) }
} as const

const writeAll = Effect.fnUntraced(function* (
  store: Store.Store,
  { write }: Output.ExportOutput,
  format: keyof typeof formats,
  names: Names.Names,
  filter: Pick<Store.Filter, "since" | "until">
) {
  const nameOf = yield* accountNames(store)
  const { head, line } = formats[format]
  if (head !== "") yield* write(head)
  yield* Stream.runForEachArray(
    allSwaps(store, { ...filter, oldestFirst: true }, page),
    Effect.fnUntraced(function* (swaps) {
      const spent = Arr.groupBy(yield* store.spentGas.of(swaps.map(({ id }) => id)), ({ swapId }) => swapId)
      const lines = swaps.map((swap) =>
        line({ ...entryOf(names, nameOf(swap.accountId), swap), ...costFields(spent[swap.id] ?? []) })
      )
      yield* write(lines.join(""))
    })
  )
})

interface Flags {
  readonly since: number | undefined
  readonly until: number | undefined
  readonly format: keyof typeof formats
  readonly output: string | undefined
}

/** Exports the swaps accepted in a period. */
export const exportSwaps = Effect.fn("export")(
  function* (flags: Flags, configFile?: string) {
    const { format, output, since } = flags
    const { names, store } = yield* openStore(configFile)
    // Swaps accepted during the export are left out.
    const until = Math.min(flags.until ?? Infinity, yield* Clock.currentTimeMillis)
    const destination = output === undefined ? Output.toStdout : yield* Output.toFile(output)
    yield* writeAll(store, destination, format, names, { since, until })
    yield* destination.done
    if (output !== undefined) yield* printNote(`Wrote ${output}.`)
  },
  Effect.catchTag("PipeClosed", () => Effect.void),
  Effect.scoped
)
