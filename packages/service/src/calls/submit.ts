/** `POST /swap/submit` and `POST /swap/submit-solana`: turn a signed operation into a swap, once per quote. */
import { Chain as CoreChain, type Swap, type Transport } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { parseSignature } from "viem"
import { hashMessage, hexToBigInt } from "viem/utils"
import { evmChainOf, solanaChainOf } from "../chains/Directory.js"
import { halfOrder } from "../chains/evm/secp256k1.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import { recover } from "../crypto/Recovery.js"
import { type Refusal, refuse } from "../Refusal.js"
import type { Store } from "../store/Store.js"
import { storeRefusal } from "../store/storeRefusal.js"
import type { SwapRecord } from "../store/SwapRecord.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { accept, alreadyUsed, expired } from "./acceptSubmit.js"
import { readiness } from "./delegation.js"
import type { Dependencies } from "./Service.js"
import * as SingleFlight from "./singleFlight.js"
import { viewOf } from "./swapView.js"
import { type EvmContext, open, type SolanaContext } from "./tokenContents.js"

const invalidSignature = (why: string) =>
  refuse(
    "INVALID_SIGNATURE",
    `The signature ${why}. Sign the raw 32 bytes of geoOpHash with personal_sign, using the quote's wallet.`
  )

/**
 * Verifies the wallet's personal_sign signature over the raw 32 bytes of the hash. The signature must have a low `s`
 * value.
 */
const checkSignature = Effect.fnUntraced(function* (
  hash: string,
  signature: string,
  wallet: string
): Effect.fn.Return<void, Refusal> {
  const parsed = yield* Effect.try({
    try: () => parseSignature(signature as `0x${string}`),
    catch: () => invalidSignature("is invalid: expected 65 bytes with a v of 27 or 28")
  })
  if (hexToBigInt(parsed.s) > halfOrder) return yield* invalidSignature("has a high s value")
  const signer = yield* recover(hashMessage({ raw: hash as `0x${string}` }), parsed)
  if (signer === undefined) return yield* invalidSignature("is invalid")
  if (!CoreChain.sameAddress("evm", signer, wallet))
    return yield* invalidSignature("was not made by the quote's wallet")
})

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
    signature: string
  ): Effect.fn.Return<SwapRecord, Refusal> {
    const { operation, quote } = context
    const known = yield* existingOrExpired(dependencies, account, context)
    if (known !== undefined) return known
    const chain = yield* evmChainOf(dependencies.directory, quote.originChain)
    const ready = yield* readiness(chain, quote.wallet, operation.authorization)
    if (!CoreChain.sameAddress("evm", ready.delegate, operation.delegate)) {
      return yield* refuse(
        "INVALID_AUTHORIZATION",
        "The wallet's delegation has changed since the build. Nothing was executed. Build again."
      )
    }
    return yield* accept(dependencies, account, context, chain, { ...operation, signature })
  })

  const run = Effect.fnUntraced(function* (
    account: string,
    { geoOpToken, signature }: Transport.SubmitRequest
  ): Effect.fn.Return<Swap.Swap, Refusal> {
    const context = yield* open(dependencies.sealer, "operation", { family: "evm", account }, geoOpToken)
    yield* checkSignature(context.operationHash, signature, context.quote.wallet)
    return viewOf(yield* once(keyOf(account, context), take(account, context, signature)))
  })
  return withSpanIfTraced("Service.submit", run)
}

export const submitSolana = (dependencies: Dependencies) => {
  const once = SingleFlight.make<SwapRecord, Refusal>()
  const take = Effect.fnUntraced(function* (
    account: string,
    context: SolanaContext,
    transaction: string
  ): Effect.fn.Return<SwapRecord, Refusal> {
    const known = yield* existingOrExpired(dependencies, account, context)
    if (known !== undefined) return known
    const chain = yield* solanaChainOf(dependencies.directory, context.quote.originChain)
    return yield* accept(dependencies, account, context, chain, { ...context.operation, transaction })
  })

  const run = Effect.fnUntraced(function* (
    account: string,
    { geoOpToken, signedTransaction }: Transport.SubmitSolanaRequest
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
    return viewOf(yield* once(keyOf(account, context), take(account, context, transaction)))
  })
  return withSpanIfTraced("Service.submitSolana", run)
}
