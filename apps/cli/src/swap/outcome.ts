/** Formats the status and outcome of a swap. */
import { SwapOutcome } from "@geoswap/core"
import * as Exit from "../output/Exit.js"
import type { Entry, Side } from "./History.js"
import * as Output from "../output/Output.js"
import { formatDecimal, formatPercent, formatRounded } from "../output/numbers.js"
import { formatAgo, isRecent } from "../output/time.js"

const formatSide = ({ amount, chain, chainId, raw, symbol, token }: Side, format = formatRounded) =>
  `${amount === undefined ? `${raw} units of` : format(amount)} ${symbol ?? token} on ${chain ?? `chain ${chainId}`}`

/** Formats the two sides of a swap. */
export const formatPair = ({ from, to }: Pick<Entry, "from" | "to">) =>
  from === undefined || to === undefined ? undefined : `${formatSide(from)} for ${formatSide(to)}`

/** Formats a status in its color. */
export const formatStatus = (status: Entry["status"], { bold, green, red, yellow }: Output.Style) =>
  status === "settled" ? bold(green(status)) : status === "pending" ? yellow(status) : bold(red(status))

const pending = "the service will complete the swap on its own"

/** What the user's own nodes saw, and what only the service says. */
const sentences = {
  proved: {
    settled: "your own node saw the delivery",
    pending,
    failed: "your own node shows that the signature expired unused, so none of your tokens were moved",
    refunded: "your own node saw the refund"
  },
  claimed: {
    settled: "the service says that the output was delivered; no node of yours has confirmed it",
    pending,
    failed:
      "the service says that none of your tokens were moved; that is not proved, so the swap may still be executed",
    refunded: "the service says that the input was returned; that is not proved, so the output may still be delivered"
  }
}

/** Formats an amount that was paid. Also shows the amount that was due, if it differs. */
const formatPaid = (
  { belowMinimum }: Entry,
  paid: Side | undefined,
  due: Side | undefined,
  { yellow }: Output.Style
) => {
  if (paid === undefined) return undefined
  if (due === undefined || due.raw === paid.raw) return formatSide(paid)
  // Rounding could hide the difference.
  const expected = due.amount === undefined ? `${due.raw} units` : formatDecimal(due.amount)
  const below = belowMinimum === true ? "; that is below the agreed minimum" : ""
  return `${yellow(formatSide(paid, formatDecimal))}, not ${expected}${below}`
}

const formatCost = ({ from, networkCost }: Entry) => {
  if (networkCost === undefined || from === undefined) return undefined
  const { amount, raw } = networkCost
  return `${amount === undefined ? `${raw} units of` : formatRounded(amount, "up")} ${from.symbol ?? from.token}`
}

const formatUtc = (time: string) => `${time.slice(0, 19).replace("T", " ")} UTC`

/** Formats a time, and how long after an earlier time it was. */
const formatTime = (time: string | undefined, since = "") => {
  if (time === undefined) return undefined
  const seconds = (Date.parse(time) - Date.parse(since)) / 1000
  return `${formatUtc(time)}${seconds >= 0 ? `, after ${seconds.toFixed(1)} s` : ""}`
}

/** Formats when the swap was accepted and, if that was recently, relative to when its status was read. */
const formatAccepted = (acceptedAt: string, updatedAt: string) => {
  const [accepted, read] = [Date.parse(acceptedAt), Date.parse(updatedAt)]
  return `${formatUtc(acceptedAt)}${isRecent(accepted, read) ? `, ${formatAgo(accepted, read)}` : ""}`
}

/** The label for the time at which a swap reached its status. */
const finishedLabel = {
  settled: "Delivered",
  pending: "Finished",
  failed: "Failed",
  refunded: "Refunded"
}

const clean = (text: string | undefined) => text && Output.sanitize(text)

/** Formats a swap as a block of fields. */
export const format = (entry: Entry, style: Output.Style) =>
  Output.fields(
    [
      ["Swap id", clean(entry.swapId)],
      ["Status", `${formatStatus(entry.status, style)}: ${sentences[entry.evidence][entry.status]}`],
      ["Reason", clean(entry.failureCode)],
      ["Swap", formatPair(entry)],
      // A swap that was started on this machine has a flow.
      [
        "",
        entry.flowId === undefined && entry.from ? "not started on this machine: as the service reports it" : undefined
      ],
      ["Received", formatPaid(entry, entry.delivered, entry.to, style)],
      ["Returned", formatPaid(entry, entry.refunded, entry.from, style)],
      ["Fee", entry.feeBps === undefined ? undefined : formatPercent(entry.feeBps)],
      ["Network cost", formatCost(entry)],
      ["Payment", clean(entry.paymentMethod)],
      ["To", entry.recipient],
      ["Paid in", clean(entry.originTxHash)],
      [entry.status === "refunded" ? "Reverted in" : "Delivered in", clean(entry.deliveryTxHash)],
      ["Refunded in", clean(entry.refundTxHash)],
      ["Accepted", entry.acceptedAt && formatAccepted(entry.acceptedAt, entry.updatedAt)],
      ["Paid", formatTime(entry.collectedAt, entry.acceptedAt)],
      [finishedLabel[entry.status], formatTime(entry.finishedAt, entry.acceptedAt)]
    ],
    style.dim
  )

const codes = {
  none: Exit.codes.ok,
  retry: Exit.codes.unfulfilled,
  wait: Exit.codes.unknown,
  resume: Exit.codes.unknown
}

/** The exit code for the end of a swap. A swap that has failed or was refunded is finished only once that is proved. */
export const codeOf = (entry: SwapOutcome.Known) => codes[SwapOutcome.nextAction(entry)]
