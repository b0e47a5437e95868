/** Budget reservations for requests. */
import type { ReservationId } from "../Ledger.js"
import type { QuoteRequest } from "../Quote.js"

/** Identifies the reservation for a request's input under an id. */
export const reservationOf = (request: QuoteRequest, id: string): ReservationId => ({
  id,
  wallet: request.walletAddress,
  chain: request.originChain,
  token: request.inputToken
})
