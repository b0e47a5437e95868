/** The steps of a swap, and its numbers, in words for somebody who sees them for the first time. */
import { formatAmount, type SwapEvent } from "@geoswap/core/promise"
import type { Scenario } from "./scenarios.js"
import type { Outcome } from "./swap.js"

const digits = 6

/** An amount as people write it, cut to six digits behind the point. */
export const formatShortAmount = (amount: bigint, { decimals }: { readonly decimals: number }): string => {
  const [whole = "0", fraction = ""] = formatAmount(amount, decimals).split(".")
  const cut = fraction.slice(0, digits).replace(/0+$/, "")
  return cut === "" ? whole : `${whole}.${cut}`
}

/** A hash that a person can tell from another one. */
export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-6)}`

/** What the service keeps: its fee, and the gas that it paid for both chains. */
export const formatFee = (
  { from }: Scenario,
  { networkCost = 0n, feeBps }: Pick<Outcome["quote"], "feeBps" | "networkCost">
): string => `${feeBps / 100} % + ${formatShortAmount(networkCost, from.token)} ${from.token.symbol} gas`

/** A step that is done, in a line; undefined where it says nothing new. */
export const describeStep = (scenario: Scenario, event: SwapEvent): string | undefined => {
  const { from, to } = scenario
  switch (event.type) {
    case "quoted":
      return `quote: ${formatShortAmount(event.quote.output, to.token)} ${to.token.symbol} (fee ${formatFee(scenario, event.quote)})`
    case "requoted":
      return `the quote ran out, and a new one gives ${formatShortAmount(event.quote.output, to.token)} ${to.token.symbol}`
    case "authorizing":
      return `delegation to ${shortHash(event.delegate)}, which the SDK was told to trust`
    case "verified":
      return "checked: what is to be signed is what was quoted"
    case "signed":
      return `signed by ${from.wallet.name}`
    case "submitted":
      return `accepted as swap ${event.swap.swapId}`
    case "resubmitted":
      return "sent again: there was no clear answer"
    case "built":
    case "status":
    case "done":
      return undefined
  }
}

/** What a swap waits for after a step. */
export const describeWait = ({ from, to }: Scenario, event: SwapEvent): string => {
  switch (event.type) {
    case "quoted":
    case "requoted":
    case "authorizing":
      return "asking for something to sign"
    case "built":
    case "verified":
      return "signing"
    case "signed":
      return "submitting"
    default:
      return `waiting for ${from.chain.name}, then ${to.chain.name}`
  }
}

/** The transactions that are known, each with what it did. */
export const describeTransactions = (
  { from, to }: Scenario,
  { deliveryTxHash, originTxHash, refundTxHash }: Outcome["swap"]
): ReadonlyArray<string> => [
  ...(originTxHash ? [`${from.token.symbol} taken on ${from.chain.name}: ${originTxHash}`] : []),
  ...(deliveryTxHash ? [`${to.token.symbol} delivered on ${to.chain.name}: ${deliveryTxHash}`] : []),
  ...(refundTxHash ? [`${from.token.symbol} given back on ${from.chain.name}: ${refundTxHash}`] : [])
]
