/** The list of finished swaps as a CSV file. */
import type { Entry } from "./activityStore.js"

const columns = [
  "finished",
  "status",
  "paid",
  "paid token",
  "from chain",
  "received",
  "received token",
  "to chain",
  "wallet",
  "recipient",
  "started",
  "payment transaction",
  "delivery transaction",
  "refund transaction",
  "refunded",
  "reason",
  "swap id"
] as const

/** Quotes a cell. A spreadsheet would run a cell that starts like a formula. */
const cellOf = (text: string): string => `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const rowOf = (entry: Entry): ReadonlyArray<string> => {
  const { from, recipient, to } = entry.trip
  return [
    new Date(entry.endedAt).toISOString(),
    entry.status,
    from.amount,
    from.symbol,
    from.chain,
    entry.status === "settled" ? to.amount : "0",
    to.symbol,
    to.chain,
    entry.wallet,
    recipient,
    new Date(entry.beganAt).toISOString(),
    entry.originTxHash ?? "",
    entry.deliveryTxHash ?? "",
    entry.refundTxHash ?? "",
    entry.status === "refunded" ? (entry.refunded ?? from.amount) : "",
    entry.failureCode ?? "",
    entry.id
  ]
}

/** Returns the file: a header, and one line for each swap. Amounts have all their digits, times are in UTC. */
export const activityCsv = (entries: ReadonlyArray<Entry>): string =>
  [columns, ...entries.map(rowOf)].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")
