/** Budget reservations for requests. */
import type { ReservationId } from "../Ledger.js"
import type { QuoteRequest } from "../Quote.js"

/** Identifies the reservation with this id for a request's input. */
export const reservationOf = (request: QuoteRequest, id: string): ReservationId => ({
  id,
  wallet: request.walletAddress,
  chain: request.originChain,
  token: request.inputToken
})
