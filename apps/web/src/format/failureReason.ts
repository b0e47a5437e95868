/** Messages for swap failure codes. */

const reasons: Readonly<Record<string, string>> = {
  INVALID_AUTHORIZATION: "The wallet's delegation changed during the swap. Swap again to sign a new delegation.",
  OPERATION_EXPIRED: "The operation expired before the chain included it.",
  INSUFFICIENT_BALANCE: "The wallet no longer had enough tokens.",
  VAULT_PAUSED: "The service paused its contract.",
  REVERTED: "The transaction reverted. The token may be paused, or the recipient may be unable to receive it.",
  SLIPPAGE: "The price fell below your minimum before the payment arrived.",
  PRICE_UNAVAILABLE: "Prices were unavailable for too long.",
  NO_ROUTE: "There is no longer a route for this pair.",
  INSUFFICIENT_INVENTORY: "The service ran out of the output token.",
  CAP_EXCEEDED: "The service reached its hourly limit for this token.",
  DELIVERY_TOO_LATE: "The quote was too old for the swap to be delivered.",
  DESTINATION_UNAVAILABLE: "The destination chain was unreachable for too long.",
  REFUNDED_BY_OWNER: "The service's operator refunded the swap manually."
}

/** Returns the message for a failure code. Unknown codes are shown unchanged. */
export const failureReason = (failureCode: string | undefined): string | undefined =>
  failureCode === undefined
    ? undefined
    : (reasons[failureCode] ?? `The service reported the failure code ${failureCode}.`)
