/** Refusals of operations that cannot be executed. */
import { refuse } from "../domain/Refusal.js"

export const alreadyUsed = () =>
  refuse(
    "QUOTE_ALREADY_USED",
    "Another operation has already used this quote. Follow that operation's swap, or request a new quote."
  )

export const nonceUsed = () =>
  refuse(
    "NONCE_USED",
    "Another operation from this wallet with the same nonce became a swap or was executed. This operation was not executed. To follow the other operation's swap, submit that operation again."
  )

export const expired = () =>
  refuse("OPERATION_EXPIRED", "The operation has expired. Request a new quote, then build and sign again.")
