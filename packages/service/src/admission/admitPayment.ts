/** The last step of a submission of a payment without a delegation: simulates the collection and stores the swap. */
import * as Effect from "effect/Effect"
import type { Impossible } from "../chains/ChainError.js"
import type { EvmChain } from "../chains/Chains.js"
import { chainOf } from "../chains/Directory.js"
import type { PaymentMethod } from "../chains/Wallet.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { EvmOperation } from "../domain/SwapRecord.js"
import { expired, nonceUsed } from "../operations/refusals.js"
import type { EvmContext } from "../operations/tokenContents.js"
import type { Signed } from "../operations/verifySignature.js"
import { type Admission, admitSwap, type Submitter } from "./admitSwap.js"
import { unavailableMethod } from "./paymentMethods.js"

/** Refuses a payment whose collection fails in the simulation. */
const refusalOf = (
  method: PaymentMethod,
  { amount, inputToken }: Pick<EvmContext["quote"], "amount" | "inputToken">,
  { code, message }: Impossible
): Refusal => {
  switch (code) {
    case "OPERATION_EXPIRED":
      return expired()
    case "ALREADY_DONE":
      return nonceUsed()
    case "INSUFFICIENT_BALANCE":
      return refuse("INSUFFICIENT_BALANCE", "The wallet's balance of the input token is too low. Add funds.", {
        details: { token: inputToken, required: `${amount}` }
      })
    case "VAULT_PAUSED":
      return refuse("UNAVAILABLE", "The service's vault is paused. Try again later.", { retryAfter: 60 })
    default:
      return unavailableMethod(method, `the chain would reject the payment (${message.replace(/\.$/, "")})`)
  }
}

/**
 * Accepts a payment if the wallet can still pay with its method, and if the full collection succeeds in a simulation. The
 * collection is simulated again before it is sent.
 */
export const admitPayment = Effect.fnUntraced(function* (
  admission: Admission,
  submitter: Submitter,
  context: EvmContext,
  chain: EvmChain,
  method: PaymentMethod,
  { permitSignature, signature }: Signed
) {
  const { operation: unsigned, quote, terms } = context
  const { directory, paymentMethods } = admission
  const destination = yield* chainOf(directory, quote.destinationChain)
  const query = { ...quote, ...submitter, origin: chain, destination, token: quote.inputToken }
  const { target } = yield* paymentMethods.require(query, method, { isSigned: true })
  const operation: EvmOperation = {
    ...unsigned,
    signature,
    ...(permitSignature !== undefined && { permitSignature }),
    ...(target !== undefined && { target: target.toLowerCase() })
  }
  const { amount, inputToken: token, orderId, wallet } = quote
  const simulation = chain.prepare({ kind: "collect", orderId, wallet, token, amount, terms, operation }).pipe(
    Effect.catchTag("Impossible", (error) => Effect.fail(refusalOf(method, quote, error))),
    Effect.asVoid
  )
  return yield* admitSwap(admission, submitter, context, chain, operation, simulation)
})
