/** How a swap stands or ended, in words. */
import * as Exit from "../output/Exit.js"
import type { Entry, Side } from "./History.js"
import * as Output from "../output/Output.js"

const sideWords = ({ amount, chain, chainId, raw, symbol, token }: Side): string =>
  `${amount ?? `${raw} units of`} ${symbol ?? token} on ${chain ?? `chain ${chainId}`}`

/** What was swapped for what. */
export const pairWords = ({ from, to }: Entry): string | undefined =>
  from === undefined || to === undefined ? undefined : `${sideWords(from)} for ${sideWords(to)}`

/** A status with its colour. */
export const statusWords = (status: Entry["status"], { bold, green, red, yellow }: Output.Style): string =>
  status === "settled" ? bold(green(status)) : status === "pending" ? yellow(status) : bold(red(status))

const meaning: Readonly<Record<Entry["status"], string>> = {
  settled: "the output was delivered",
  pending: "it goes on without you",
  failed: "nothing of yours was moved",
  refunded: "the input came back"
}

/** A swap in words. */
export const words = (entry: Entry, style: Output.Style): string =>
  Output.block(
    [
      ["Swap", Output.foreign(entry.swapId)],
      ["Status", `${statusWords(entry.status, style)}: ${meaning[entry.status]}`],
      ["Reason", entry.failureCode && Output.foreign(entry.failureCode)],
      ["About", pairWords(entry)],
      ["To", entry.recipient],
      ["Origin", entry.originTxHash && Output.foreign(entry.originTxHash)],
      ["Delivery", entry.deliveryTxHash && Output.foreign(entry.deliveryTxHash)],
      ["Refund", entry.refundTxHash && Output.foreign(entry.refundTxHash)]
    ],
    style.dim
  )

/** The exit code of a status. */
export const codeOf = (status: Entry["status"]): Exit.Code =>
  status === "settled" ? Exit.codes.ok : status === "pending" ? Exit.codes.unknown : Exit.codes.unfulfilled
