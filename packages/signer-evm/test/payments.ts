/** Payments of an honest or hostile service. Hash and terms match the fields unless they are the lie. */
import { type Operation, Payment, type Signer } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as library from "../../../tooling/testing/evm/paymentLibrary.js"
import type { Terms } from "./operations.js"

type Hex = `0x${string}`
type Method = Payment.Payment["method"]

/** The lies of a service. */
export interface PaymentClaim {
  readonly payment?: Readonly<Record<string, unknown>>
  readonly terms?: Partial<Terms>
  /** Replaces the hash. */
  readonly geoOpHash?: Hex
}

const [vector] = Vectors.operations

/** The agreement: 10 USDC from Base to the wallet itself on Arbitrum. */
export const agreement = {
  request: {
    originChain: 8453,
    destinationChain: 42161,
    inputToken: vector.request.inputToken,
    outputToken: vector.request.outputToken,
    amount: 10_000_000n,
    walletAddress: vector.request.walletAddress
  },
  quote: vector.quote,
  deployment: Vectors.evmDeployment
} satisfies Operation.Agreement

export const termsOf = ({ quote, request }: Operation.Agreement): Terms => ({
  destinationChain: request.destinationChain,
  outputToken: request.outputToken,
  recipient: request.recipient ?? request.walletAddress,
  minOutput: quote.minOutput ?? quote.output
})

/** Builds a consistent payment from an agreement and the claims of the service. */
export const paid = (
  method: Method,
  agreed: Operation.Agreement = agreement,
  claim: PaymentClaim = {},
  now = Date.now()
): Signer.PaymentToSign => {
  const { deployment, request } = agreed
  const lower = (text: string) => text.toLowerCase() as Hex
  const fields = {
    chainId: request.originChain,
    wallet: lower(request.walletAddress),
    token: lower(request.inputToken),
    amount: request.amount,
    vault: lower(deployment?.vault ?? `0x${"00".repeat(20)}`),
    orderId: `0x${"a1".repeat(32)}` as const,
    terms: library.hashTerms({ ...termsOf(agreed), ...claim.terms }),
    deadline: Math.floor(now / 1000) + 90
  }
  const domain = { name: "USD Coin", version: "2" }
  const nonce = Payment.permit2Nonces + 7n
  const byMethod = {
    eip3009: { method, ...fields, domain },
    permit2: { method, ...fields, nonce },
    erc2612: { method, ...fields, nonce, domain, permitNonce: 3n }
  }
  const payment = { ...byMethod[method], ...claim.payment } as Payment.Payment
  return { ...agreed, payment, geoOpHash: claim.geoOpHash ?? library.hashPayment(payment) }
}
