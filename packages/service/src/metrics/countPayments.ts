/** Counts payments without a delegation, and what is lost if their collections revert. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { LostCollection } from "../domain/LostCollection.js"
import { paymentMethodOf, type SignedOperation } from "../domain/SwapRecord.js"
import { lostGas, payments, strikes } from "./series.js"

/** Counts an accepted swap, if the wallet pays it without a delegation. */
export const countPayment = (chainId: number, operation: SignedOperation) => {
  const method = operation._tag === "evm" ? paymentMethodOf(operation) : undefined
  return method === undefined ? Effect.void : Metric.update(payments({ chain: String(chainId), method }), 1)
}

/** Counts a reverted collection. */
export const countLostCollection = ({ chainId, gas, isStrike, method }: LostCollection) => {
  const chain = String(chainId)
  return Effect.andThen(
    Metric.update(lostGas({ chain, method }), Number(gas)),
    Metric.update(strikes({ chain, method }), isStrike ? 1 : 0)
  )
}
