/**
 * `POST /swap/build-geo-op` and `POST /swap/build-solana-tx`: turn a quote into an operation, a payment without a
 * delegation, or a transaction to sign.
 */
import { Chain as CoreChain, Delegation, type Operation, Payment, type Transport } from "@geoswap/core"
import {
  hashOperation,
  hashPayment,
  hashPermit,
  operationTypedData,
  paymentTypedData,
  permitTypedData,
  type TypedData
} from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { unavailableMethod } from "../admission/paymentMethods.js"
import type { EvmChain } from "../chains/Chains.js"
import { chainOf, evmChainOf, solanaChainOf } from "../chains/Directory.js"
import * as SolanaTransaction from "../chains/solana/SolanaTransaction.js"
import type { PaymentMethod } from "../chains/Wallet.js"
import { refuse } from "../domain/Refusal.js"
import { paymentMethodOf } from "../domain/SwapRecord.js"
import { checkPrevious, indexFor, lifetimeOf, lower, otherThan } from "../operations/buildRules.js"
import { termsOf, typedTermsOf } from "../operations/geoOpHash.js"
import { type EvmContext, open, type QuoteContext, seal } from "../operations/tokenContents.js"
import { call } from "./call.js"
import { readiness } from "./delegation.js"
import type { Dependencies } from "./Dependencies.js"

/** A built operation or payment, and what a wallet can display of it. */
export type BuiltWithTypedData = Operation.BuiltOperation & {
  readonly typedData?: TypedData
  /** `erc2612`: the typed data of the permit. */
  readonly permitTypedData?: TypedData
}

/** A quote to build from, and what an operation and a payment have in common. */
interface Build {
  readonly account: string
  readonly request: Transport.BuildRequest
  readonly quote: QuoteContext
  readonly previous: EvmContext | undefined
  readonly chain: EvmChain
  readonly common: ReturnType<typeof commonOf>
}

const commonOf = (chain: EvmChain, quote: QuoteContext, deadline: number) => ({
  chainId: chain.id,
  wallet: lower(quote.wallet),
  token: lower(quote.inputToken),
  amount: quote.amount,
  vault: lower(chain.vault),
  orderId: lower(quote.orderId),
  terms: termsOf(quote),
  deadline
})

/** Builds an operation of the wallet's account. */
const buildOperation = Effect.fnUntraced(function* (
  { paymentMethods, store }: Dependencies,
  { account, chain, common, previous, quote, request: { authorization: signed, paymentMethod } }: Build
) {
  yield* paymentMethods.requireDelegation({ account, origin: chain, wallet: quote.wallet })
  const { authorization, ...ready } = yield* readiness(chain, quote.wallet, signed)
  const [delegate, vault] = [lower(ready.delegate), lower(ready.vault)]
  if (previous !== undefined && paymentMethodOf(previous.operation) !== undefined)
    return yield* otherThan("paymentMethod")
  if (previous !== undefined && !CoreChain.sameAddress("evm", previous.operation.delegate, delegate)) {
    return yield* otherThan("delegate")
  }
  const nonce = yield* indexFor(store, chain, quote.wallet, "account", previous && BigInt(previous.operation.nonce))
  const geoOp: Operation.GeoOp = { ...common, vault, delegate, nonce }
  return {
    operation: {
      delegate,
      nonce: `${nonce}`,
      vault,
      method: "message" as const,
      ...(authorization !== undefined && { authorization })
    },
    geoOpHash: hashOperation(geoOp, keccak256),
    built: { geoOp, ...(paymentMethod !== undefined && { typedData: operationTypedData(geoOp, typedTermsOf(quote)) }) }
  }
})

/** The payment, and the name of its nonce, which is unique within the wallet. */
const paymentOf = Effect.fnUntraced(function* (
  { store }: Dependencies,
  { chain, common, previous, quote: { inputToken, wallet } }: Build,
  method: PaymentMethod
) {
  const domain = chain.payments.domainOf(inputToken) ?? { name: "", version: "" }
  const reused = previous?.operation
  // Only payments through Permit2 have an index. If the new payment reuses it, at most one of the two can be collected.
  const isReusable = method !== "eip3009" && (reused?.method === "permit2" || reused?.method === "erc2612")
  if (reused !== undefined && !isReusable) return yield* otherThan("paymentMethod")
  if (method === "eip3009") {
    const payment: Payment.Payment = { method, ...common, domain }
    return { payment, nonce: `eip3009:${common.orderId}` }
  }
  const permitNonce = method === "erc2612" ? yield* chain.payments.permitNonceOf(inputToken, wallet) : 0n
  const previousIndex = reused && BigInt(reused.nonce.slice("permit2:".length))
  const index = yield* indexFor(store, chain, wallet, "permit2", previousIndex)
  const nonce = Payment.permit2Nonces + index
  const payment: Payment.Payment =
    method === "permit2" ? { method, ...common, nonce } : { method, ...common, nonce, domain, permitNonce }
  return { payment, nonce: `permit2:${index}` }
})

/** Builds typed data that pays without a delegation. */
const buildPayment = Effect.fnUntraced(function* (dependencies: Dependencies, build: Build, method: PaymentMethod) {
  const { account, chain, common, quote, request } = build
  if (request.authorization !== undefined) {
    return yield* refuse(
      "VALIDATION",
      `authorization: is not allowed with the payment method ${method}, which needs no delegation. Omit it.`
    )
  }
  const destination = yield* chainOf(dependencies.directory, quote.destinationChain)
  const query = { ...quote, account, origin: chain, destination, token: quote.inputToken }
  yield* dependencies.paymentMethods.require(query, method)
  // A refund comes from the vault that collected, which may not be the vault that the quote assumed.
  const largest = yield* chain.largestInput(quote.inputToken)
  if (largest < quote.amount) {
    return yield* unavailableMethod(method, `at most ${largest} of the token's smallest unit can be paid this way`)
  }
  const { nonce, payment } = yield* paymentOf(dependencies, build, method)
  const permit = payment.method === "erc2612" ? payment : undefined
  return {
    operation: { delegate: Delegation.zeroAddress, nonce, vault: common.vault, method },
    ...(permit && { permitHash: hashPermit(permit, keccak256) }),
    geoOpHash: hashPayment(payment, keccak256),
    built: {
      payment,
      typedData: paymentTypedData(payment, typedTermsOf(quote), keccak256),
      ...(permit && { permitTypedData: permitTypedData(permit) })
    }
  }
})

export const buildGeoOp = (dependencies: Dependencies) => {
  const { directory, sealer } = dependencies
  return call(
    "Service.buildGeoOp",
    Effect.fnUntraced(function* (account: string, request: Transport.BuildRequest) {
      const { paymentMethod: method = "delegation", previousGeoOpToken: token } = request
      const binding = { family: "evm", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const previous = token === undefined ? undefined : yield* open(sealer, "operation", binding, token)
      if (previous !== undefined) yield* checkPrevious(previous, quote)
      const { deadline, until } = yield* lifetimeOf(quote)
      const chain = yield* evmChainOf(directory, quote.originChain)
      const common = commonOf(chain, quote, deadline)
      const build = { account, request, quote, previous, chain, common }
      const { built, geoOpHash, operation, ...hashes } = yield* method === "delegation"
        ? buildOperation(dependencies, build)
        : buildPayment(dependencies, build, method)
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until,
        operationHash: geoOpHash,
        terms: common.terms,
        operation: { _tag: "evm", deadline, ...operation },
        ...hashes
      })
      return { geoOpHash, geoOpToken, ...built }
    })
  )
}

export const buildSolanaTx = ({ directory, sealer }: Dependencies) =>
  call(
    "Service.buildSolanaTx",
    Effect.fnUntraced(function* (account: string, request: Transport.BuildRequest) {
      const binding = { family: "solana", account } as const
      const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
      const { until } = yield* lifetimeOf(quote)
      const chain = yield* solanaChainOf(directory, quote.originChain)
      const terms = termsOf(quote)
      const { lastValidBlockHeight, transaction } = yield* chain.buildCollect({
        wallet: quote.wallet,
        token: quote.inputToken,
        amount: quote.amount,
        memo: `geoswap:${quote.orderId}:${terms}`
      })
      const geoOpToken = yield* seal(sealer, "operation", binding, {
        quote,
        until,
        operationHash: yield* SolanaTransaction.messageHash(transaction),
        terms,
        operation: { _tag: "solana", transaction, lastValidBlockHeight: `${lastValidBlockHeight}` }
      })
      return { unsignedTransaction: transaction, geoOpToken }
    })
  )
