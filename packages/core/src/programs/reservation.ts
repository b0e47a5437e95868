/** Budget reservations for requests. */
import type { ReservationId } from "../Store.js"
import type { QuoteRequest } from "../Quote.js"

/** Returns the ledger's identifier for the reservation that has this id and covers a request's input. */
export const reservationOf = (
  request: Pick<QuoteRequest, "inputToken" | "originChain" | "walletAddress">,
  id: string
): ReservationId => ({
  id,
  wallet: request.walletAddress,
  chain: request.originChain,
  token: request.inputToken
})

/** Returns the ledger's identifier for the same reservation in the number of swaps of the wallet, on all chains. */
export const swapCountOf = (request: Pick<QuoteRequest, "walletAddress">, id: string): ReservationId => ({
  id,
  wallet: request.walletAddress,
  chain: 0,
  token: "swaps"
})
