/** Formats the steps and numbers of a swap for first-time users. */
import { formatAmount, type SwapEvent } from "@geoswap/core/promise"
import type { Scenario } from "./scenarios.js"
import type { Outcome } from "./swap.js"

const digits = 6

/** Formats an amount, truncated to six decimals. */
export const formatShortAmount = (amount: bigint, { decimals }: { readonly decimals: number }): string => {
  const [whole = "0", fraction = ""] = formatAmount(amount, decimals).split(".")
  const cut = fraction.slice(0, digits).replace(/0+$/, "")
  return cut === "" ? whole : `${whole}.${cut}`
}

/** Shortens a hash. */
export const shortHash = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-6)}`

/** Formats the service's fee and the gas that the service paid on both chains. */
export const formatFee = (
  { from }: Scenario,
  { networkCost = 0n, feeBps }: Pick<Outcome["quote"], "feeBps" | "networkCost">
): string => `${feeBps / 100}% + ${formatShortAmount(networkCost, from.token)} ${from.token.symbol} gas`

/** Describes a finished step in one line, or returns undefined if there is nothing to show. */
export const describeStep = (scenario: Scenario, event: SwapEvent): string | undefined => {
  const { from, to } = scenario
  switch (event.type) {
    case "quoted":
      return `quote: ${formatShortAmount(event.quote.output, to.token)} ${to.token.symbol} (fee ${formatFee(scenario, event.quote)})`
    case "requoted":
      return `the quote expired; the new quote is ${formatShortAmount(event.quote.output, to.token)} ${to.token.symbol}`
    case "authorizing":
      return `delegation to ${shortHash(event.delegate)}, a contract that the SDK is configured to trust`
    case "verified":
      return "verified: the operation matches the quote"
    case "signed":
      return `signed by ${from.wallet.name}`
    case "submitted":
      return `accepted as swap ${event.swap.swapId}`
    case "resubmitted":
      return "submitted again because the outcome was unclear"
    case "built":
    case "status":
    case "done":
      return undefined
  }
}

/** Describes what a swap is waiting for after a step. */
export const describeWait = ({ from, to }: Scenario, event: SwapEvent): string => {
  switch (event.type) {
    case "quoted":
    case "requoted":
    case "authorizing":
      return "building the operation to sign"
    case "built":
    case "verified":
      return "signing"
    case "signed":
      return "submitting"
    default:
      return `waiting for ${from.chain.name}, then ${to.chain.name}`
  }
}

/** Describes the swap's known transactions. */
export const describeTransactions = (
  { from, to }: Scenario,
  { deliveryTxHash, originTxHash, refundTxHash, status }: Outcome["swap"]
): ReadonlyArray<string> => [
  ...(originTxHash ? [`${from.token.symbol} collected on ${from.chain.name}: ${originTxHash}`] : []),
  ...(deliveryTxHash
    ? [
        `${to.token.symbol} ${status === "refunded" ? "not delivered" : "delivered"} on ${to.chain.name}: ${deliveryTxHash}`
      ]
    : []),
  ...(refundTxHash ? [`${from.token.symbol} refunded on ${from.chain.name}: ${refundTxHash}`] : [])
]
