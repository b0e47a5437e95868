/** A swap in the history, as tools return it. */
import { Amount } from "@geoswap/core"
import type { Names, View } from "@geoswap/tools"
import type { Entry, Side } from "../swap/History.js"
import { findToken } from "./names.js"

const identifier = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0-9A-Za-z]{1,128}$/.test(text) ? text : undefined

const sideView = (names: Names, { chainId, raw, token }: Side): View.Side => {
  const found = findToken(names, chainId, token)
  return {
    ...(found && { token: found.name, amount: Amount.format(BigInt(raw), found.decimals) }),
    chainId,
    address: token,
    units: raw
  }
}

/** Converts an entry. Amounts in whole tokens are computed again, from the decimals of the policy. */
export const entryView = (names: Names, entry: Entry): View.Swap => {
  const side = (one: Side | undefined) => one && sideView(names, one)
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
