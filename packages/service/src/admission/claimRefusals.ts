/** Refuses a swap of which a claim is not granted: which resource is used up, and what the caller can do. */
import type { Claim, Kind } from "../domain/Claim.js"
import { type Refusal, refuse } from "../domain/Refusal.js"

type Refuse = (claim: Claim, used: bigint, inputToken: string) => Refusal

const tooManyInFlight = (whose: string): Refusal =>
  refuse("LIMIT_EXCEEDED", `Too many swaps ${whose} are in progress. Wait for some of them to finish.`)

const noInventory = (): Refusal =>
  refuse(
    "NO_ROUTE",
    "The service's remaining balance of the output token is reserved for other swaps. Try a smaller amount, or try again later."
  )

const refusals: Readonly<Record<Kind, Refuse>> = {
  input: ({ amount, limit }, used, token) =>
    refuse(
      "INSUFFICIENT_BALANCE",
      "The wallet's other pending swaps do not leave enough of the input token. Wait for them to finish, or add funds.",
      { details: { token, balance: `${limit.amount}`, inFlight: `${used}`, required: `${amount}` } }
    ),
  approval: ({ amount, limit }, used) =>
    amount === limit.amount || used > limit.amount
      ? refuse(
          "PAYMENT_METHOD_UNAVAILABLE",
          "Another swap of this wallet that uses its approval of the same token is in progress, and a permit would replace that approval. Wait for that swap to finish, or use another of the quote's paymentMethods."
        )
      : refuse(
          "PAYMENT_METHOD_UNAVAILABLE",
          "The wallet has not approved Permit2 for its pending swaps of this token plus this swap. Wait for them to finish, approve more, or use another of the quote's paymentMethods.",
          { details: { approved: `${limit.amount}`, inFlight: `${used}` } }
        ),
  target: () =>
    refuse(
      "PAYMENT_METHOD_UNAVAILABLE",
      "Too many swaps of wallets that delegate to the same contract are in progress. Try again later, or use another of the quote's paymentMethods."
    ),
  "wallet exposure": () => tooManyInFlight("of this wallet"),
  "visitor exposure": () => tooManyInFlight("from your network address"),
  "account exposure": () => tooManyInFlight("of this account on the origin chain"),
  "chain exposure": () => tooManyInFlight("on the origin chain"),
  "wallet value": () => tooManyInFlight("of this wallet"),
  "account value": () => tooManyInFlight("of this account on the origin chain"),
  output: noInventory,
  vault: noInventory,
  refund: () =>
    refuse(
      "NO_ROUTE",
      "The service could not refund the input if this swap and all pending ones failed now. Try a smaller amount, or try again later."
    ),
  gas: () => refuse("NO_ROUTE", "The service's gas is reserved for other swaps. Try again later.")
}

/** Returns the refusal for a claim that is not granted. `used` is what other swaps have claimed. */
export const claimRefusal = (claim: Claim, used: bigint, inputToken: string): Refusal =>
  refusals[claim.kind](claim, used, inputToken)
