/** `POST /swap/submit` and `POST /swap/submit-solana`: turn a signed operation into a swap, once per quote. */
import { Chain as CoreChain, type Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { admitPayment } from "../admission/admitPayment.js"
import { admitSwap, type Submitter } from "../admission/admitSwap.js"
import { evmChainOf, solanaChainOf } from "../chains/Directory.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import * as SingleFlight from "../concurrency/singleFlight.js"
import { refuse } from "../domain/Refusal.js"
import { paymentMethodOf, type SwapRecord } from "../domain/SwapRecord.js"
import { viewOf } from "../domain/swapView.js"
import { alreadyUsed, expired } from "../operations/refusals.js"
import { type EvmContext, open, type SolanaContext } from "../operations/tokenContents.js"
import { checkSignatures, type Signed } from "../operations/verifySignature.js"
import type { Store } from "../store/Store.js"
import { call, type Failure } from "./call.js"
import { readiness } from "./delegation.js"
import type { Dependencies } from "./Dependencies.js"

/**
 * Returns the swap that was created from the quote, if any. Refuses if a different account or operation created that
 * swap.
 */
const existing = Effect.fnUntraced(function* (
  find: Store["swapOfOrder"],
  account: string,
  { operationHash, quote }: EvmContext | SolanaContext
) {
  const found = Option.getOrUndefined(yield* find(quote.orderId))
  const isOther = found !== undefined && (found.accountId !== account || found.operationHash !== operationHash)
  return isOther ? yield* alreadyUsed() : found
})

/** Returns the swap that this operation created, if any. Refuses an expired operation that did not create a swap. */
const existingOrExpired = Effect.fnUntraced(function* (
  { store }: Dependencies,
  account: string,
  context: EvmContext | SolanaContext
) {
  const late = (yield* Clock.currentTimeMillis) >= context.until
  const found = yield* existing(store.swapOfOrder, account, context)
  if (found !== undefined || !late) return found
  // Another process may still be accepting an operation that it received in time. However, once an operation has been
  // refused as expired, it must never become a swap.
  return (yield* existing(store.swapOfExpiredOrder, account, context)) ?? (yield* expired())
})

/**
 * Creates a function that returns the swap that an operation created, or runs `admit`. Concurrent submissions of the same
 * operation share one run, so the chains are read only once.
 */
const submitOnce = (dependencies: Dependencies) => {
  const once = SingleFlight.make<SwapRecord, Failure>()
  return (account: string, context: EvmContext | SolanaContext, admit: Effect.Effect<SwapRecord, Failure>) => {
    const swap = Effect.flatMap(existingOrExpired(dependencies, account, context), (known) =>
      known === undefined ? admit : Effect.succeed(known)
    )
    return Effect.map(once(`${account} ${context.quote.orderId} ${context.operationHash}`, swap), viewOf)
  }
}

export const submit = (dependencies: Dependencies) => {
  const { directory, paymentMethods, sealer } = dependencies
  const once = submitOnce(dependencies)
  const admit = Effect.fnUntraced(function* (submitter: Submitter, context: EvmContext, signed: Signed) {
    const { operation, quote } = context
    const chain = yield* evmChainOf(directory, quote.originChain)
    const method = paymentMethodOf(operation)
    if (method !== undefined) {
      return yield* admitPayment(dependencies, submitter, context, chain, method, signed)
    }
    yield* paymentMethods.requireDelegation({ ...submitter, origin: chain, wallet: quote.wallet })
    const ready = yield* readiness(chain, quote.wallet, operation.authorization)
    if (!CoreChain.sameAddress("evm", ready.delegate, operation.delegate)) {
      return yield* refuse(
        "INVALID_AUTHORIZATION",
        "The wallet's delegation has changed since the build. Nothing was executed. Build again."
      )
    }
    const { isTyped, signature } = signed
    const how = { method: isTyped ? "typed" : "message", signature } as const
    return yield* admitSwap(dependencies, submitter, context, chain, { ...operation, ...how })
  })
  return call(
    "Service.submit",
    Effect.fnUntraced(function* (account: string, request: Transport.SubmitRequest, visitor?: string) {
      const context = yield* open(sealer, "operation", { family: "evm", account }, request.geoOpToken)
      const signed = yield* checkSignatures(context, request)
      return yield* once(account, context, admit({ account, visitor }, context, signed))
    })
  )
}

export const submitSolana = (dependencies: Dependencies) => {
  const { directory, sealer } = dependencies
  const once = submitOnce(dependencies)
  return call(
    "Service.submitSolana",
    Effect.fnUntraced(function* (
      account: string,
      { geoOpToken, signedTransaction }: Transport.SubmitSolanaRequest,
      visitor?: string
    ) {
      const context = yield* open(sealer, "operation", { family: "solana", account }, geoOpToken)
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
      const admit = Effect.flatMap(solanaChainOf(directory, quote.originChain), (chain) =>
        admitSwap(dependencies, { account, visitor }, context, chain, { ...operation, transaction })
      )
      return yield* once(account, context, admit)
    })
  )
}
