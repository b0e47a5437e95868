/** An EVM signer of a third party with viem that also pays without a delegation, and signs operations as typed data. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { hashTypedData, type Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import {
  hashTerms,
  keccak256,
  operationTypedData,
  paymentTypedData,
  permitTypedData,
  type TypedData
} from "../../src/adapters.js"
import { Chain, Operation, Quote, type Signer, SwapError } from "../../src/index.js"
import { fromPrivateKey } from "./evmSigner.js"

const padded = (address: string): Hex => `0x${Chain.toWord(address).toString(16).padStart(64, "0")}`

const termsOf = ({ quote, request }: Operation.Agreement) => ({
  destinationChain: request.destinationChain,
  outputToken: padded(request.outputToken),
  recipient: padded(request.recipient ?? request.walletAddress),
  minOutput: Quote.minOutputOf(quote)
})

/** The digest that a wallet computes from what it shows. */
const digestOf = (data: TypedData): Hex => hashTypedData(data as never)

/** The problem with a payment, or `undefined`. */
export const paymentProblemOf = (
  input: Signer.PaymentToSign,
  wallet: string,
  now: number
): SwapError.UnsafeOperation | undefined => {
  const { geoOpHash, payment, request } = input
  if (!Chain.sameAddress("evm", request.walletAddress, wallet))
    return Operation.unsafe("walletAddress", wallet, "another")
  const broken = Operation.comparePayment(payment, input, now)
  if (broken !== undefined) return broken
  const terms = hashTerms(Operation.encodeTerms(input), keccak256)
  if (terms !== payment.terms) return Operation.unsafe("terms", terms, payment.terms)
  const digest = digestOf(paymentTypedData(payment, termsOf(input), keccak256))
  return digest === geoOpHash ? undefined : Operation.unsafe("geoOpHash", digest, geoOpHash)
}

const failed = (cause: unknown) =>
  new SwapError.SignerError({ reason: "failed", message: "The key could not be used.", cause })

const unless = (problem: SwapError.SignError | undefined): Effect.Effect<void, SwapError.SignError> =>
  problem === undefined ? Effect.void : Effect.fail(problem)

export type PayingSigner = Required<Signer.Evm>

/** A signer with effects for a key in memory. */
export const payingSigner = (privateKey: Hex): PayingSigner => {
  const account = privateKeyToAccount(privateKey)
  const base = fromPrivateKey(privateKey)
  const sign = (data: TypedData) =>
    Effect.tryPromise({ try: () => account.signTypedData(data as never), catch: failed })
  const verifyPayment = (input: Signer.PaymentToSign) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => unless(paymentProblemOf(input, account.address, now)))
  return {
    ...(base as PayingSigner),
    capabilities: { authorization: true, typedData: true },
    signOperation: (operation) =>
      operation.geoOp ? sign(operationTypedData(operation.geoOp, termsOf(operation))) : base.signOperation(operation),
    verifyPayment,
    signPayment: (input) =>
      Effect.gen(function* () {
        yield* verifyPayment(input)
        const { payment } = input
        const permitSignature = payment.method === "erc2612" ? yield* sign(permitTypedData(payment)) : undefined
        const signature = yield* sign(paymentTypedData(payment, termsOf(input), keccak256))
        return { signature, ...(permitSignature && { permitSignature }) }
      })
  }
}
