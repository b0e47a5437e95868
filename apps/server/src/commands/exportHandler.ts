/** Exports all swaps for bookkeeping, oldest first, with only one page of swaps in memory at a time. */
import { Store, type SwapRecord } from "@geoswap/service"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Storage from "../storage/Storage.js"
import { row } from "../export/csv.js"
import { costFields } from "../swaps/swapCosts.js"
import { type Entry, entryOf } from "../swaps/swapEntry.js"
import * as Names from "../output/displayNames.js"
import { loadConfig } from "../config/loadConfig.js"
import { printNote } from "../output/print.js"
import * as Output from "../export/exportOutput.js"
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
  { write }: Output.ExportOutput,
  format: keyof typeof formats,
  names: Names.Names,
  filter: Pick<Store.Filter, "since" | "until">
) {
  const store = yield* Store.Store
  const nameOf = yield* accountNames(store)
  const { head, line } = formats[format]
  if (head !== "") yield* write(head)
  let after: SwapRecord.SwapRecord | undefined
  for (;;) {
    const swaps = yield* store.list({
      ...filter,
      after,
      oldestFirst: true,
      limit: page
    })
    if (swaps.length > 0) {
      const spent = Arr.groupBy(yield* store.spentGas.of(swaps.map(({ id }) => id)), ({ swapId }) => swapId)
      const lines = swaps.map((swap) =>
        line({ ...entryOf(names, nameOf(swap.accountId), swap), ...costFields(spent[swap.id] ?? []) })
      )
      yield* write(lines.join(""))
    }
    if (swaps.length < page) return
    after = swaps.at(-1)
  }
})

interface Flags {
  readonly since: number | undefined
  readonly until: number | undefined
  readonly format: keyof typeof formats
  readonly output: string | undefined
}

/** Exports the swaps accepted in a period. */
export const exportSwaps = Effect.fn("export")(function* (flags: Flags, configFile?: string) {
  const { format, output, since } = flags
  const { config, database } = yield* loadConfig(configFile)
  // Swaps accepted during the export are left out.
  const until = Math.min(flags.until ?? Infinity, yield* Clock.currentTimeMillis)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const destination = output === undefined ? Output.toStdout : yield* Output.toFile(output)
      yield* writeAll(destination, format, Names.make(config), { since, until })
      yield* destination.done
      if (output !== undefined) yield* printNote(`Wrote ${output}.`)
    })
  ).pipe(
    Effect.catchTag("PipeClosed", () => Effect.void),
    Effect.provide(Storage.store(database))
  )
})
