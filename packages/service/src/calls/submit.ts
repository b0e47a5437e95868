/** `POST /swap/submit` and `POST /swap/submit-solana`: turn a signed operation into a swap, once per quote. */
import { Chain as CoreChain, type Swap, type Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { admitPayment } from "../admission/admitPayment.js"
import { admitSwap } from "../admission/admitSwap.js"
import { evmChainOf, solanaChainOf } from "../chains/Directory.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import * as SingleFlight from "../concurrency/singleFlight.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import { paymentMethodOf, type SwapRecord } from "../domain/SwapRecord.js"
import { viewOf } from "../domain/swapView.js"
import { alreadyUsed, expired } from "../operations/refusals.js"
import { type EvmContext, open, type SolanaContext } from "../operations/tokenContents.js"
import { checkSignatures, type Signed } from "../operations/verifySignature.js"
import type { Store } from "../store/Store.js"
import { storeRefusal } from "../store/storeRefusal.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { readiness } from "./delegation.js"
import type { Dependencies } from "./Dependencies.js"

/**
 * Returns the swap that was created from the quote, if any. Refuses if a different account or operation created that
 * swap.
 */
const existing = (
  find: Store["swapOfOrder"],
  account: string,
  { operationHash, quote }: EvmContext | SolanaContext
): Effect.Effect<SwapRecord | undefined, Refusal> =>
  find(quote.orderId).pipe(
    Effect.mapError(storeRefusal),
    Effect.flatMap((found): Effect.Effect<SwapRecord | undefined, Refusal> => {
      if (found._tag === "None") return Effect.undefined
      return found.value.accountId === account && found.value.operationHash === operationHash
        ? Effect.succeed(found.value)
        : Effect.fail(alreadyUsed())
    })
  )

/** Returns the swap that this operation created, if any. Refuses an expired operation that did not create a swap. */
const existingOrExpired = Effect.fnUntraced(function* (
  { store }: Dependencies,
  account: string,
  context: EvmContext | SolanaContext
): Effect.fn.Return<SwapRecord | undefined, Refusal> {
  const late = (yield* Clock.currentTimeMillis) >= context.until
  const found = yield* existing(store.swapOfOrder, account, context)
  if (found !== undefined || !late) return found
  // Another process may still be accepting an operation that it received in time. However, once an operation has been
  // refused as expired, it must never become a swap.
  return (yield* existing(store.swapOfExpiredOrder, account, context)) ?? (yield* expired())
})

/**
 * Returns the key that identifies a submission. Concurrent submissions with the same key share one run, so the chains
 * are read only once.
 */
const keyOf = (account: string, { operationHash, quote }: EvmContext | SolanaContext): string =>
  `${account} ${quote.orderId} ${operationHash}`

export const submit = (dependencies: Dependencies) => {
  const once = SingleFlight.make<SwapRecord, Refusal>()
  const take = Effect.fnUntraced(function* (
    account: string,
    context: EvmContext,
    signed: Signed,
    visitor: string | undefined
  ): Effect.fn.Return<SwapRecord, Refusal> {
    const { operation, quote } = context
    const known = yield* existingOrExpired(dependencies, account, context)
    if (known !== undefined) return known
    const chain = yield* evmChainOf(dependencies.directory, quote.originChain)
    const method = paymentMethodOf(operation)
    if (method !== undefined) {
      return yield* admitPayment(dependencies, { account, visitor }, context, chain, method, signed)
    }
    yield* dependencies.paymentMethods.requireDelegation({ account, visitor, origin: chain, wallet: quote.wallet })
    const ready = yield* readiness(chain, quote.wallet, operation.authorization)
    if (!CoreChain.sameAddress("evm", ready.delegate, operation.delegate)) {
      return yield* refuse(
        "INVALID_AUTHORIZATION",
        "The wallet's delegation has changed since the build. Nothing was executed. Build again."
      )
    }
    const { isTyped, signature } = signed
    const how = { method: isTyped ? "typed" : "message", signature } as const
    return yield* admitSwap(dependencies, { account, visitor }, context, chain, { ...operation, ...how })
  })

  const run = Effect.fnUntraced(function* (
    account: string,
    request: Transport.SubmitRequest,
    visitor?: string
  ): Effect.fn.Return<Swap.Swap, Refusal> {
    const context = yield* open(dependencies.sealer, "operation", { family: "evm", account }, request.geoOpToken)
    const signed = yield* checkSignatures(context, request)
    return viewOf(yield* once(keyOf(account, context), take(account, context, signed, visitor)))
  })
  return withSpanIfTraced("Service.submit", run)
}

export const submitSolana = (dependencies: Dependencies) => {
  const once = SingleFlight.make<SwapRecord, Refusal>()
  const take = Effect.fnUntraced(function* (
    account: string,
    context: SolanaContext,
    transaction: string,
    visitor: string | undefined
  ): Effect.fn.Return<SwapRecord, Refusal> {
    const known = yield* existingOrExpired(dependencies, account, context)
    if (known !== undefined) return known
    const chain = yield* solanaChainOf(dependencies.directory, context.quote.originChain)
    return yield* admitSwap(dependencies, { account, visitor }, context, chain, { ...context.operation, transaction })
  })

  const run = Effect.fnUntraced(function* (
    account: string,
    { geoOpToken, signedTransaction }: Transport.SubmitSolanaRequest,
    visitor?: string
  ): Effect.fn.Return<Swap.Swap, Refusal> {
    const context = yield* open(dependencies.sealer, "operation", { family: "solana", account }, geoOpToken)
    const { operation, quote } = context
    const { transaction } = yield* SolanaTransaction.inspect(
      operation.transaction,
      signedTransaction,
      quote.wallet
    ).pipe(
      Effect.catchTags({
        TransactionModified: (error) => Effect.fail(refuse("TRANSACTION_MODIFIED", error.message)),
        InvalidSignature: (error) => Effect.fail(refuse("INVALID_SIGNATURE", error.message)),
        Malformed: (error) => Effect.fail(refuse("VALIDATION", `signedTransaction: ${error.message}`))
      })
    )
    return viewOf(yield* once(keyOf(account, context), take(account, context, transaction, visitor)))
  })
  return withSpanIfTraced("Service.submitSolana", run)
}
