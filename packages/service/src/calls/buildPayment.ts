/** `POST /swap/build-geo-op` with a payment method other than `delegation`: typed data that pays without a delegation. */
import { Delegation, type Operation, Payment, type Transport } from "@geoswap/core"
import { paymentTypedData, permitTypedData, type TypedData } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem/utils"
import { unavailableMethod } from "../admission/paymentMethods.js"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { EvmChain } from "../chains/Chains.js"
import { chainOf, evmChainOf } from "../chains/Directory.js"
import type { PaymentMethod } from "../chains/Wallet.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import {
  alive,
  checkPrevious,
  lifetimeFrom,
  lower,
  otherThan,
  sameIndex,
  unusedIndex
} from "../operations/buildRules.js"
import { paymentDigestOf, permitDigestOf, termsOf, typedTermsOf } from "../operations/geoOpHash.js"
import { type EvmContext, open, type QuoteContext, seal } from "../operations/tokenContents.js"
import type { Dependencies } from "./Dependencies.js"

/** A built operation or payment, and what a wallet can display of it. */
export type BuiltWithTypedData = Operation.BuiltOperation & {
  readonly typedData?: TypedData
  /** `erc2612`: the typed data of the permit. */
  readonly permitTypedData?: TypedData
}

/** The name of the nonce of a payment, unique within the wallet. */
const nonceOf = (payment: Payment.Payment): string =>
  payment.method === "eip3009" ? `eip3009:${payment.orderId}` : `permit2:${payment.nonce - Payment.permit2Nonces}`

/** The index of a previous payment through Permit2. The new payment reuses it, so at most one of them can be collected. */
const previousIndex = ({ operation: { method, nonce } }: EvmContext): bigint | undefined =>
  method === "permit2" || method === "erc2612" ? BigInt(nonce.slice("permit2:".length)) : undefined

export const buildPayment = ({ directory, paymentMethods, sealer, store }: Dependencies) => {
  const makePayment = Effect.fnUntraced(function* (
    chain: EvmChain,
    quote: QuoteContext,
    method: PaymentMethod,
    deadline: number,
    previous: bigint | undefined
  ): Effect.fn.Return<Payment.Payment, Refusal> {
    const common = {
      chainId: chain.id,
      wallet: lower(quote.wallet),
      token: lower(quote.inputToken),
      amount: quote.amount,
      vault: lower(chain.vault),
      orderId: lower(quote.orderId),
      terms: termsOf(quote),
      deadline
    }
    const domain = chain.payments.domainOf(quote.inputToken) ?? { name: "", version: "" }
    if (method === "eip3009") return { method, ...common, domain }
    const permitNonce =
      method === "erc2612"
        ? yield* Effect.mapError(chain.payments.permitNonceOf(quote.inputToken, quote.wallet), chainRefusal)
        : 0n
    const index = yield* previous === undefined
      ? unusedIndex(store, chain, quote.wallet, "permit2")
      : sameIndex(store, chain, quote.wallet, previous, "permit2")
    const nonce = Payment.permit2Nonces + index
    return method === "permit2" ? { method, ...common, nonce } : { method, ...common, nonce, domain, permitNonce }
  })

  return Effect.fnUntraced(function* (
    account: string,
    request: Transport.BuildRequest,
    method: PaymentMethod
  ): Effect.fn.Return<BuiltWithTypedData, Refusal> {
    if (request.authorization !== undefined) {
      return yield* refuse(
        "VALIDATION",
        `authorization: is not allowed with the payment method ${method}, which needs no delegation. Omit it.`
      )
    }
    const binding = { family: "evm", account } as const
    const quote = yield* open(sealer, "quote", binding, request.geoQuoteToken)
    const { previousGeoOpToken } = request
    const previous =
      previousGeoOpToken === undefined ? undefined : yield* open(sealer, "operation", binding, previousGeoOpToken)
    if (previous !== undefined) yield* checkPrevious(previous, quote)
    const index = previous && previousIndex(previous)
    if (previous !== undefined && (index === undefined || method === "eip3009")) {
      return yield* otherThan("paymentMethod")
    }
    const now = yield* alive(quote)
    const origin = yield* evmChainOf(directory, quote.originChain)
    const destination = yield* chainOf(directory, quote.destinationChain)
    yield* paymentMethods.require({ ...quote, account, origin, destination, token: quote.inputToken }, method)
    // A refund comes from the vault that collected, which may not be the vault that the quote assumed.
    const largest = yield* Effect.mapError(origin.largestInput(quote.inputToken), chainRefusal)
    if (largest < quote.amount) {
      return yield* unavailableMethod(method, `at most ${largest} of the token's smallest unit can be paid this way`)
    }
    const { deadline, until } = lifetimeFrom(now)
    const payment = yield* makePayment(origin, quote, method, deadline, index)
    const geoOpHash = paymentDigestOf(payment)
    const geoOpToken = yield* seal(sealer, "operation", binding, {
      quote,
      until,
      operationHash: geoOpHash,
      terms: payment.terms,
      operation: {
        _tag: "evm",
        delegate: Delegation.zeroAddress,
        nonce: nonceOf(payment),
        deadline,
        vault: payment.vault,
        method
      },
      ...(payment.method === "erc2612" && { permitHash: permitDigestOf(payment) })
    })
    return {
      geoOpHash,
      geoOpToken,
      payment,
      typedData: paymentTypedData(payment, typedTermsOf(quote), keccak256),
      ...(payment.method === "erc2612" && { permitTypedData: permitTypedData(payment) })
    }
  })
}
