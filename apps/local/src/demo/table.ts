/** Formats the five swaps as a table. */
import type { Outcome } from "./swap.js"
import { formatFee, formatShortAmount, shortHash } from "./formatSwap.js"
import { routeOf } from "./scenarios.js"

interface Column {
  readonly head: string
  readonly cell: (outcome: Outcome) => string
}

const columns = (hash: (full: string) => string): ReadonlyArray<Column> => [
  { head: "route", cell: ({ scenario }) => routeOf(scenario) },
  { head: "status", cell: ({ swap }) => swap.status },
  { head: "time", cell: ({ ms }) => `${(ms / 1000).toFixed(1)} s` },
  {
    head: "fee",
    cell: ({ quote, scenario, swap }) => (swap.status === "settled" ? formatFee(scenario, quote) : "none")
  },
  { head: "origin transaction", cell: ({ swap }) => hash(swap.originTxHash ?? "–") },
  {
    head: "delivery or refund",
    cell: ({ swap }) => hash(swap.refundTxHash ?? swap.deliveryTxHash ?? "–")
  },
  {
    head: "wallet's input",
    cell: ({ after, before, scenario: { from } }) =>
      `${from.wallet.name}: ${formatShortAmount(before.input, from.token)} → ${formatShortAmount(after.input, from.token)} ${from.token.symbol}`
  },
  {
    head: "recipient's output",
    cell: ({ after, before, scenario: { to } }) =>
      `${to.wallet.name}: ${formatShortAmount(before.output, to.token)} → ${formatShortAmount(after.output, to.token)} ${to.token.symbol}`
  }
]

/** Pads the cells of a column to the same width. The first cell is the header. */
const padded = (cells: ReadonlyArray<string>): ReadonlyArray<string> => {
  const width = Math.max(...cells.map((cell) => cell.length))
  const [head = "", ...rest] = cells.map((cell) => cell.padEnd(width))
  return [head, "-".repeat(width), ...rest]
}

const widthOf = ([head = ""]: ReadonlyArray<string>): number => head.length + 2

/** Splits the columns into several tables, each of which fits the width. */
const fit = (all: ReadonlyArray<ReadonlyArray<string>>, width: number): ReadonlyArray<typeof all> => {
  const [number = [], ...rest] = all
  const tables: Array<Array<ReadonlyArray<string>>> = []
  let left = 0
  for (const column of rest) {
    const table = tables.at(-1)
    if (table === undefined || widthOf(column) > left) {
      tables.push([number, column])
      left = width - widthOf(number) - widthOf(column)
    } else {
      table.push(column)
      left -= widthOf(column)
    }
  }
  return tables
}

/** Formats the table, with a row for each swap. */
export const formatTable = (
  outcomes: ReadonlyArray<Outcome>,
  { full, width }: { readonly full: boolean; readonly width: number }
): string => {
  const numbers = padded(["#", ...outcomes.map((_, index) => String(index + 1))])
  const hash = full ? (text: string) => text : (text: string) => (text.length > 20 ? shortHash(text) : text)
  const all = columns(hash).map(({ cell, head }) => padded([head, ...outcomes.map(cell)]))
  return fit([numbers, ...all], width)
    .map((table) =>
      numbers
        .map((_, row) =>
          table
            .map((column) => column[row] ?? "")
            .join("  ")
            .trimEnd()
        )
        .join("\n")
    )
    .join("\n\n")
}
