/** A swap in the history, as tools return it. */
import { type Names, sideView, type View } from "@geoswap/tools"
import type { Entry, Side } from "../swap/History.js"

const identifier = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0-9A-Za-z]{1,128}$/.test(text) ? text : undefined

/** Converts an entry. Amounts in whole tokens are computed again, from the decimals of the policy. */
export const entryView = (names: Names, entry: Entry): View.Swap => {
  const side = (one: Side | undefined) =>
    one && sideView(names, { chainId: one.chainId, token: one.token, amount: BigInt(one.raw) })
  return {
    swapId: entry.swapId,
    status: entry.status,
    evidence: entry.evidence,
    flowId: entry.flowId,
    from: side(entry.from),
    to: side(entry.to),
    delivered: side(entry.delivered),
    refunded: side(entry.refunded),
    belowMinimum: entry.belowMinimum,
    wallet: entry.wallet,
    recipient: entry.recipient,
    feeBps: entry.feeBps,
    startedAt: entry.startedAt,
    acceptedAt: entry.acceptedAt,
    collectedAt: entry.collectedAt,
    finishedAt: entry.finishedAt,
    originTxHash: identifier(entry.originTxHash),
    deliveryTxHash: identifier(entry.deliveryTxHash),
    refundTxHash: identifier(entry.refundTxHash),
    untrustedFailureCode: entry.failureCode
  }
}
