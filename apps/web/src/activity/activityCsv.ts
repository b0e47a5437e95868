/** The list of finished swaps as a CSV file. Amounts have all their digits, times are in UTC. */
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
]

/** Quotes a cell. A spreadsheet would run a cell that starts like a formula. */
const cellOf = (text: string) => `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const rowOf = (entry: Entry) => {
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

/** Offers the file as a download: a header, and one line for each swap. */
export const downloadCsv = (entries: ReadonlyArray<Entry>) => {
  const lines = [columns, ...entries.map(rowOf)].map((row) => `${row.map(cellOf).join(",")}\r\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `geoswap-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
