/** Operations of an honest or hostile service. Hash and terms match the fields unless they are the lie. */
import type { Operation, Signer } from "@geoswap/core"
import { type ChainLibrary, Vectors } from "@geoswap/core/testing"
import { digestOf, library } from "../../../tooling/testing/evm/chainLibrary.js"

const [vector] = Vectors.operations

/** The terms as the service claims them. */
export type Terms = ChainLibrary.Terms

/** The lies of a service. */
export interface Claim {
  readonly geoOp?: Partial<Operation.GeoOp>
  readonly terms?: Partial<Terms>
  /** Overrides of the EIP-712 domain. */
  readonly domain?: Partial<Operation.GeoOp>
  /** Replaces the hash of the operation. */
  readonly geoOpHash?: Operation.BuiltOperation["geoOpHash"]
}

/** The agreement: 10 USDC from Base to Arbitrum, valid for the next 90 seconds. */
export const agreement = {
  request: vector.request,
  quote: vector.quote,
  deployment: Vectors.evmDeployment
} satisfies Operation.Agreement

/** Builds a consistent operation from an agreement and the claims of the service. */
export const built = (
  agreed: Operation.Agreement,
  claim: Claim = {},
  now = Date.now()
): Signer.OperationToSign & { readonly geoOp: Operation.GeoOp } => {
  const { deployment, quote, request } = agreed
  const terms = library.hashTerms({
    destinationChain: request.destinationChain,
    outputToken: request.outputToken,
    recipient: request.recipient ?? request.walletAddress,
    minOutput: quote.minOutput ?? quote.output,
    ...claim.terms
  })
  const lower = (text: string) => text.toLowerCase() as `0x${string}`
  const geoOp: Operation.GeoOp = {
    chainId: request.originChain,
    wallet: lower(request.walletAddress),
    delegate: lower(deployment?.delegates?.[0] ?? `0x${"00".repeat(20)}`),
    token: lower(request.inputToken),
    amount: request.amount,
    vault: lower(deployment?.vault ?? `0x${"00".repeat(20)}`),
    orderId: `0x${"a1".repeat(32)}` as const,
    terms,
    nonce: 7n,
    deadline: Math.floor(now / 1000) + 90,
    ...claim.geoOp
  }
  return { ...agreed, geoOp, geoOpHash: claim.geoOpHash ?? digestOf(geoOp, claim.domain) }
}
