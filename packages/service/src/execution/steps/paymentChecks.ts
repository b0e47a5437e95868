/** Payments without a delegation: what is checked before they are collected. */
import * as Effect from "effect/Effect"
import { codeAnswer, returnsToWallet } from "../../admission/paymentMethods.js"
import { paymentMethodOf, type SwapRecord } from "../../domain/SwapRecord.js"
import type { Worker } from "../Worker.js"
import { chainFor } from "./swapJobs.js"

/**
 * Whether the swap is paid without a delegation. Such a payment does not share its transaction: only a separate
 * transaction shows what the wallet cost the operator.
 */
export const isPayment = ({ operation }: SwapRecord): boolean =>
  operation._tag === "evm" && paymentMethodOf(operation) !== undefined

/**
 * Returns why a payment must not be collected although its simulation succeeds: its method does not allow the recipient,
 * or the wallet's code has changed since the payment was accepted, and that code must not be asked. Call this only after
 * the simulation, which shows that the payment has not been collected yet.
 */
export const refusalOf = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord) {
  const { inputToken, operation, wallet } = swap
  const origin = chainFor(worker, swap, "collect")
  if (origin.family !== "evm" || operation._tag !== "evm") return undefined
  const method = paymentMethodOf(operation)
  if (method === undefined) return undefined
  if (method === "eip3009" && !returnsToWallet({ ...swap, destination: chainFor(worker, swap, "deliver") })) {
    return "the payment method does not allow this recipient"
  }
  const { why } = yield* codeAnswer({ origin, token: inputToken }, method, yield* origin.walletState(wallet))
  return why
})
