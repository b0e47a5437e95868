/** Formats the status and outcome of a swap. */
import * as Exit from "../output/Exit.js"
import type { Entry, Side } from "./History.js"
import * as Output from "../output/Output.js"

const formatSide = ({ amount, chain, chainId, raw, symbol, token }: Side): string =>
  `${amount ?? `${raw} units of`} ${symbol ?? token} on ${chain ?? `chain ${chainId}`}`

/** Formats the two sides of a swap. */
export const formatPair = ({ from, to }: Entry): string | undefined =>
  from === undefined || to === undefined ? undefined : `${formatSide(from)} for ${formatSide(to)}`

/** Formats a status in its color. */
export const formatStatus = (status: Entry["status"], { bold, green, red, yellow }: Output.Style): string =>
  status === "settled" ? bold(green(status)) : status === "pending" ? yellow(status) : bold(red(status))

const meaning: Readonly<Record<Entry["status"], string>> = {
  settled: "the output was delivered",
  pending: "the service will complete the swap on its own",
  failed: "none of your tokens were moved",
  refunded: "the input was returned"
}

/** Formats a swap as a block of fields. */
export const format = (entry: Entry, style: Output.Style): string =>
  Output.fields(
    [
      ["Swap id", Output.sanitize(entry.swapId)],
      ["Status", `${formatStatus(entry.status, style)}: ${meaning[entry.status]}`],
      ["Reason", entry.failureCode && Output.sanitize(entry.failureCode)],
      ["Swap", formatPair(entry)],
      ["To", entry.recipient],
      ["Origin", entry.originTxHash && Output.sanitize(entry.originTxHash)],
      ["Delivery", entry.deliveryTxHash && Output.sanitize(entry.deliveryTxHash)],
      ["Refund", entry.refundTxHash && Output.sanitize(entry.refundTxHash)]
    ],
    style.dim
  )

/** The exit code for a status. */
export const codeOf = (status: Entry["status"]): Exit.Code =>
  status === "settled" ? Exit.codes.ok : status === "pending" ? Exit.codes.unknown : Exit.codes.unfulfilled
