/** Operations as a service builds them, honest or not: hash and terms always fit the fields, unless the lie is there. */
import type { Operation, Signer } from "@geoswap/core"
import { type ChainLibrary, Vectors } from "@geoswap/core/testing"
import { vi } from "vitest"
import { digestOf, library } from "./chainLibrary.js"

const [vector] = Vectors.operations

/** What the destination is to get, as the service claims it. */
export type Terms = ChainLibrary.Terms

/** What a service can lie about. */
export interface Claim {
  readonly geoOp?: Partial<Operation.GeoOp>
  readonly terms?: Partial<Terms>
  /** What the EIP-712 domain is made of where it is not the operation's own. */
  readonly domain?: Partial<Operation.GeoOp>
  /** In place of the operation's hash. */
  readonly geoOpHash?: Operation.BuiltOperation["geoOpHash"]
}

// Time stands still: what is built here stays valid, however long the tests take.
vi.useFakeTimers({ toFake: ["Date"] })

/** What was agreed: ten USDC from Base to Arbitrum, valid for the next 90 seconds. */
export const agreement = {
  request: vector.request,
  quote: vector.quote,
  deployment: Vectors.evmDeployment
} satisfies Operation.Agreement

/** The operation of an agreement with what the service claims; consistent in itself. */
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
    orderId: `0x${"a1".repeat(32)}`,
    terms,
    nonce: 7n,
    deadline: Math.floor(now / 1000) + 90,
    ...claim.geoOp
  }
  return { ...agreed, geoOp, geoOpHash: claim.geoOpHash ?? digestOf(geoOp, claim.domain) }
}
