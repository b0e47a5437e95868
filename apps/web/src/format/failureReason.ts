/** Why a swap was not delivered, in words. */

const reasons: Readonly<Record<string, string>> = {
  INVALID_AUTHORIZATION: "The wallet's delegation changed on the way. Swap again: it is signed anew.",
  OPERATION_EXPIRED: "The time to carry it out ran out before the chain took it.",
  INSUFFICIENT_BALANCE: "The wallet no longer held enough.",
  VAULT_PAUSED: "The service has paused its contract.",
  REVERTED: "The chain refused the transaction: the token may be paused, or the recipient cannot receive it.",
  SLIPPAGE: "The price fell below your minimum before the payment had arrived.",
  PRICE_UNAVAILABLE: "There was no price for too long.",
  NO_ROUTE: "There is no price for this pair any more.",
  INSUFFICIENT_INVENTORY: "The service ran out of the token that you wanted.",
  CAP_EXCEEDED: "The service has delivered as much of this token as it may in an hour.",
  DELIVERY_TOO_LATE: "The quote was too old to be delivered.",
  DESTINATION_UNAVAILABLE: "The destination chain could not be reached for too long.",
  REFUNDED_BY_OWNER: "The service's owner sent it back by hand."
}

/** The reason behind a code; codes that nobody knows are shown as they are. */
export const failureReason = (failureCode: string | undefined): string | undefined =>
  failureCode === undefined ? undefined : (reasons[failureCode] ?? `The service says: ${failureCode}.`)
