/** What transactions cost before they are sent: what a quote charges for one, and the most that one may cost the relayer. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { together } from "../../../concurrency/together.js"
import { type EvmOperation, paymentMethodOf } from "../../../domain/SwapRecord.js"
import type { EvmChain } from "../../Chains.js"
import type { CostQuery, MostCostQuery } from "../../Draft.js"
import type { EvmContext } from "../context.js"
import { isNative } from "../transactions/vaultCalls.js"
import { gasLimit } from "./deliveryGas.js"
import { offer, price } from "./gasFees.js"
import type { SharedGas } from "./sharedGas.js"

/** The gas of a collection in the usual case, as measured by `@geoswap/contracts`, plus a margin. */
const gasOf = {
  /** The measured gas is 108,180. */
  firstCollect: 116_000n,
  laterCollect: 76_000n
}

/** The gas of transactions that are not estimated, if they open every storage slot that they can, plus a margin. */
const mostGasOf = {
  firstCollect: gasOf.firstCollect,
  /** The measured gas is 85,693 for a collection that opens a word of the wallet's nonces. */
  laterCollect: 90_000n,
  /** The estimate is 123,051 for the first refund of a token to a wallet that no longer holds it. */
  refund: 132_000n
}

/** The gas of a payment without a delegation, and of one whose signature the code of others verifies. */
const paymentGas = { own: 130_000n, foreign: 400_000n }

/** Returns the most gas that the collection of an operation uses. */
export const mostCollectGas = ({ authorization, method, target }: EvmOperation): bigint => {
  if (authorization !== undefined) return mostGasOf.firstCollect
  if (paymentMethodOf({ method }) === undefined) return mostGasOf.laterCollect
  return target === undefined ? paymentGas.own : paymentGas.foreign
}

/** The gas of an order id and an amount in a transaction's data, which are zeros in an estimate without a job. */
const idGas = 768n

export const make = (
  { config, market }: EvmContext,
  { delegationOf, deliveryGas, payments }: Pick<EvmChain, "delegationOf" | "deliveryGas" | "payments">,
  sharedGas: SharedGas
): Pick<EvmChain, "costOf" | "mostCostOf"> => {
  /** Whether a collection from a wallet carries an authorization, or uses as much gas. */
  const isFirst = Effect.fnUntraced(function* ({ party, token }: Pick<CostQuery, "party" | "token">) {
    if (party === undefined) return false
    const { delegation } = yield* delegationOf(party)
    // A wallet that is delegated to another provider's contract pays in another way, which may use as much gas.
    return delegation === "none" || (delegation === "foreign" && payments.methodsOf(token).length > 0)
  })

  const deliveryGasFor = ({ party, token }: Pick<CostQuery, "party" | "token">) =>
    Effect.map(deliveryGas({ token, amount: 1n, ...(party !== undefined && { to: party }) }), ({ charged }) => charged)

  const charged = Effect.fnUntraced(function* (query: CostQuery) {
    const { gas, kind, token } = query
    const shared = (alone: bigint) =>
      // A native delivery to a recipient with code does not share its transaction.
      kind === "deliver" && isNative(token)
        ? Effect.succeed(alone)
        : Effect.map(Clock.currentTimeMillis, (now) => sharedGas.charged(kind, alone, now))
    if (gas !== undefined) return yield* shared(gas)
    if (kind === "deliver") return yield* shared(yield* deliveryGasFor(query))
    // An operation with an authorization does not share its transaction.
    return (yield* isFirst(query)) ? gasOf.firstCollect : yield* shared(gasOf.laterCollect)
  })

  const mostGas = Effect.fnUntraced(function* (query: MostCostQuery) {
    const { authorizes, gas, kind } = query
    if (gas !== undefined) return gas
    if (kind === "refund") return mostGasOf.refund
    if (kind === "deliver") return (yield* deliveryGasFor(query)) + idGas
    return (authorizes ?? (yield* isFirst(query))) ? mostGasOf.firstCollect : mostGasOf.laterCollect
  })

  return {
    /** For a collection, returns only the execution cost, without the data fee that rollups charge. */
    costOf: Effect.fnUntraced(function* (query) {
      const [gas, perGas] = yield* together([charged(query), price(market, config.maxFeePerGas)])
      return gas * perGas
    }),
    mostCostOf: Effect.fnUntraced(function* (query) {
      const [gas, fees] = yield* together([mostGas(query), offer(market, config.maxFeePerGas)])
      return gasLimit(query.token, gas) * fees.maxFeePerGas
    })
  }
}
