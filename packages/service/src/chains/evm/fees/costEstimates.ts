/** What transactions cost before they are sent: what a quote charges for one, and the most that one may cost the relayer. */
import { Chain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { together } from "../../../concurrency/together.js"
import { type EvmOperation, paymentMethodOf } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { EvmChain } from "../../Chains.js"
import type { CostQuery, MostCostQuery } from "../../Draft.js"
import type { EvmContext } from "../context.js"
import { isNative } from "../transactions/vaultCalls.js"
import type { CollectForm } from "./collectGas.js"
import { gasLimit } from "./deliveryGas.js"
import { offer, quotedPrice, withRise } from "./gasFees.js"
import type { SampleKind } from "./sampleTransactions.js"
import type { SharedGas } from "./sharedGas.js"

/**
 * The most gas of transactions that are not estimated, if they open every storage slot that they can, for a token that uses
 * as much as USDC behind its proxy.
 */
const mostGasOf = {
  /** The measured gas is 108,180 with the devnet's token, and 122,000 with USDC. */
  firstCollect: 140_000n,
  /** The measured gas is 85,693 for a collection that opens a word of the wallet's nonces, and 100,000 with USDC. */
  laterCollect: 115_000n,
  /** The estimate is 123,051 for the first refund of the devnet's token to a wallet that no longer holds it. */
  refund: 150_000n
}

/** The gas of a payment without a delegation, and of one whose signature the code of others verifies. */
const paymentGas = { own: 150_000n, foreign: 400_000n }

/** Returns the most gas that the collection of an operation uses. */
export const mostCollectGas = ({ authorization, method, target }: EvmOperation): bigint => {
  if (authorization !== undefined) return mostGasOf.firstCollect
  if (paymentMethodOf({ method }) === undefined) return mostGasOf.laterCollect
  return target === undefined ? paymentGas.own : paymentGas.foreign
}

/** The gas of an amount in a transaction's data, which is 1 in an estimate without a job. */
const amountGas = 512n

export const make = (
  { collectGas, config, feeModel, market, quorum, samples }: EvmContext,
  { delegationOf, deliveryGas, payments }: Pick<EvmChain, "delegationOf" | "deliveryGas" | "payments">,
  sharedGas: SharedGas
): Pick<EvmChain, "costOf" | "mostCostOf"> => {
  /** How a wallet pays, judging by its delegation. */
  const formOf = Effect.fnUntraced(function* ({
    party,
    token
  }: Pick<CostQuery, "party" | "token">): Effect.fn.Return<CollectForm, ChainUnavailable> {
    if (party === undefined) return "later"
    const [{ delegation }, funds] = yield* together([
      delegationOf(party),
      quorum.first.balanceOf(Chain.nativeToken.evm, party)
    ])
    // An authorization costs less if the wallet's account exists.
    if (delegation === "none") return funds === 0n ? "first" : "firstOfFunded"
    // A wallet that is delegated to another provider's contract pays in another way, which may use as much gas.
    return delegation === "foreign" && payments.methodsOf(token).length > 0 ? "first" : "later"
  })

  const deliveryGasFor = ({ party, token }: Pick<CostQuery, "party" | "token">) =>
    Effect.map(deliveryGas({ token, amount: 1n, ...(party !== undefined && { to: party }) }), ({ charged }) => charged)

  const shared = (kind: CostQuery["kind"], alone: bigint) =>
    Effect.map(Clock.currentTimeMillis, (now) => sharedGas.charged(kind, alone, now))

  const charged = Effect.fnUntraced(function* (query: CostQuery) {
    const { gas, kind, party, token } = query
    if (kind === "deliver") {
      const alone = gas ?? (yield* deliveryGasFor(query))
      // A native delivery to a recipient with code does not share its transaction.
      if (isNative(token)) return { sample: samples.deliverNative, gas: alone }
      return { sample: samples.deliver, gas: yield* shared(kind, alone) }
    }
    const form = yield* formOf(query)
    const sample = form === "later" ? samples.later : samples.first
    const [alone, forData] = yield* together([
      gas === undefined ? collectGas.gasOf(form, token, party) : Effect.succeed(gas),
      feeModel.dataGas(sample)
    ])
    // An operation with an authorization does not share its transaction.
    return { sample, gas: (form === "later" ? yield* shared(kind, alone) : alone) + forData.gas }
  })

  const mostGas = Effect.fnUntraced(function* (query: MostCostQuery) {
    const { authorizes, gas, kind } = query
    if (gas !== undefined) return gas
    if (kind === "refund") return mostGasOf.refund
    if (kind === "deliver") return (yield* deliveryGasFor(query)) + amountGas
    return (authorizes ?? (yield* formOf(query)) !== "later") ? mostGasOf.firstCollect : mostGasOf.laterCollect
  })

  /** The sample with at least as much data as a transaction. */
  const longest: Record<MostCostQuery["kind"], SampleKind> = { collect: "first", deliver: "deliver", refund: "deliver" }

  return {
    costOf: Effect.fnUntraced(function* (query) {
      const [{ gas, sample }, perGas] = yield* together([charged(query), quotedPrice(market, config.maxFeePerGas)])
      return gas * perGas + withRise(yield* feeModel.dataFee(sample, gas))
    }),
    mostCostOf: Effect.fnUntraced(function* (query) {
      const sample = samples[longest[query.kind]]
      const [execution, forData, fees] = yield* together([
        mostGas(query),
        feeModel.dataGas(sample),
        offer(market, config.maxFeePerGas)
      ])
      // A draft's gas includes the gas for its data.
      const gas =
        query.gas === undefined && query.kind !== "deliver" ? execution + forData.gas + forData.margin : execution
      const limit = gasLimit(query.token, gas)
      return limit * fees.maxFeePerGas + 2n * (yield* feeModel.dataFee(sample, limit))
    })
  }
}
