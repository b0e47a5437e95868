/**
 * `POST /swap/build-geo-op` and `POST /swap/build-solana-tx`: turn a quote into an operation or a transaction to sign.
 */
import { Chain as CoreChain, type Operation, type Transport } from "@geoswap/core"
import { operationTypedData } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { chainRefusal } from "../chains/chainRefusal.js"
import { evmChainOf, solanaChainOf } from "../chains/Directory.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import type { Refusal } from "../domain/Refusal.js"
import { paymentMethodOf } from "../domain/SwapRecord.js"
import {
  alive,
  checkPrevious,
  lifetimeFrom,
  lower,
  otherThan,
  sameIndex,
  unusedIndex
} from "../operations/buildRules.js"
import { digestOf, termsOf, typedTermsOf } from "../operations/geoOpHash.js"
import { type EvmContext, open, seal } from "../operations/tokenContents.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { type BuiltWithTypedData, buildPayment } from "./buildPayment.js"
import { readiness } from "./delegation.js"
import type { Dependencies } from "./Dependencies.js"

/** Returns the nonce of the previous operation, which must have the same delegate. */
const previousIndex = (
  { operation: { delegate: previous, method, nonce } }: EvmContext,
  delegate: string
): Effect.Effect<bigint, Refusal> => {
  if (paymentMethodOf({ method }) !== undefined) return Effect.fail(otherThan("paymentMethod"))
  return CoreChain.sameAddress("evm", previous, delegate)
    ? Effect.succeed(BigInt(nonce))
    : Effect.fail(otherThan("delegate"))
}

export const buildGeoOp = (dependencies: Dependencies) => {
  const { directory, paymentMethods, sealer, store } = dependencies
  const payment = buildPayment(dependencies)
  return withSpanIfTraced(
    "Service.buildGeoOp",
    Effect.fnUntraced(function* (
      account: string,
      request: Transport.BuildRequest
    ): Effect.fn.Return<BuiltWithTypedData, Refusal> {
      const { paymentMethod } = request
      if (paymentMethod !== undefined && paymentMethod !== "delegation") {
        return yield* payment(account, request, paymentMethod)
      }
      const binding = { family: "evm", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const { previousGeoOpToken } = request
      const previous =
        previousGeoOpToken === undefined ? undefined : yield* open(sealer, "operation", binding, previousGeoOpToken)
      if (previous !== undefined) yield* checkPrevious(previous, quote)
      const now = yield* alive(quote)
      const chain = yield* evmChainOf(directory, quote.originChain)
      yield* paymentMethods.requireDelegation({ account, origin: chain, wallet: quote.wallet })
      const { authorization, delegate, vault } = yield* readiness(chain, quote.wallet, request.authorization)
      const nonce = yield* previous === undefined
        ? unusedIndex(store, chain, quote.wallet)
        : Effect.flatMap(previousIndex(previous, delegate), (index) => sameIndex(store, chain, quote.wallet, index))
      const { deadline, until } = lifetimeFrom(now)
      const terms = termsOf(quote)
      const geoOp: Operation.GeoOp = {
        chainId: chain.id,
        wallet: lower(quote.wallet),
        delegate: lower(delegate),
        token: lower(quote.inputToken),
        amount: quote.amount,
        vault: lower(vault),
        orderId: lower(quote.orderId),
        terms,
        nonce,
        deadline
      }
      const geoOpHash = digestOf(geoOp)
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until,
        operationHash: geoOpHash,
        terms,
        operation: {
          _tag: "evm",
          delegate: geoOp.delegate,
          nonce: `${nonce}`,
          deadline: geoOp.deadline,
          vault: geoOp.vault,
          method: "message",
          ...(authorization !== undefined && { authorization })
        }
      })
      return {
        geoOpHash,
        geoOpToken,
        geoOp,
        ...(paymentMethod !== undefined && { typedData: operationTypedData(geoOp, typedTermsOf(quote)) })
      }
    })
  )
}

export const buildSolanaTx = ({ directory, sealer }: Dependencies) =>
  withSpanIfTraced(
    "Service.buildSolanaTx",
    Effect.fnUntraced(function* (account: string, request: Transport.BuildRequest) {
      const binding = { family: "solana", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const now = yield* alive(quote)
      const chain = yield* solanaChainOf(directory, quote.originChain)
      const terms = termsOf(quote)
      const { lastValidBlockHeight, transaction } = yield* Effect.mapError(
        chain.buildCollect({
          wallet: quote.wallet,
          token: quote.inputToken,
          amount: quote.amount,
          memo: `geoswap:${quote.orderId}:${terms}`
        }),
        chainRefusal
      )
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until: lifetimeFrom(now).until,
        operationHash: yield* SolanaTransaction.messageHash(transaction),
        terms,
        operation: { _tag: "solana", transaction, lastValidBlockHeight: `${lastValidBlockHeight}` }
      })
      return { unsignedTransaction: transaction, geoOpToken } satisfies Operation.BuiltTransaction
    })
  )
