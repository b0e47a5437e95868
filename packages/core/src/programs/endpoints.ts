/** Calls to the service's endpoints, each with a span and a timeout. */
import * as Effect from "effect/Effect"
import * as Chain from "../Chain.js"
import type { Authorization, DelegationQuery } from "../Delegation.js"
import type { Signed } from "../store/flow.js"
import type { BuiltOperation, BuiltTransaction } from "../Operation.js"
import type { Method } from "../Payment.js"
import * as Quote from "../Quote.js"
import { isSwapId, type SwapId } from "../Id.js"
import type { Swap } from "../Swap.js"
import { type BuildError, type CallError, InvalidInput, type QuoteError } from "../SwapError.js"
import { Transport } from "../Transport.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import { withTimeout } from "./timeout.js"

const call = <A, E>(endpoint: (transport: Transport) => Effect.Effect<A, E>) =>
  Effect.flatMap(Transport, (transport) => withTimeout(endpoint(transport)))

const ensureValid = (field: string, isValid: unknown) =>
  isValid ? Effect.void : Effect.fail(new InvalidInput({ field, message: `${field}: missing or invalid.` }))

/** Requests a quote. Sends exactly one request. */
export const quote = (input: Quote.QuoteInput): Effect.Effect<Quote.Quote, QuoteError | InvalidInput, Transport> =>
  redactedSpan("geoswap.quote")(
    Effect.gen(function* () {
      const request = yield* Quote.request(input)
      yield* Effect.annotateCurrentSpan({ origin: request.originChain, destination: request.destinationChain })
      return Quote.withCosts(request, yield* call((transport) => transport.quote(request)))
    })
  )

/**
 * Requests an indicative quote: a price that needs no wallet and cannot be built. Sends exactly one request. Fails with
 * `Rejected` if the service does not offer indicative quotes and the request has no wallet.
 */
export const indicativeQuote = Effect.fn("geoswap.indicativeQuote")(function* (
  input: Quote.IndicativeQuoteInput
): Effect.fn.Return<Quote.IndicativeQuote, QuoteError | InvalidInput, Transport> {
  const request = yield* Quote.indicativeRequest(input)
  yield* Effect.annotateCurrentSpan({ origin: request.originChain, destination: request.destinationChain })
  return Quote.withCosts(request, yield* call((transport) => transport.indicativeQuote(request)))
})

/** Checks whether a wallet is delegated, and returns what to sign if it is not. Sends exactly one request. */
export const delegation = Effect.fn("geoswap.delegation")(function* (query: DelegationQuery) {
  const familyOf = yield* Chain.Families
  yield* ensureValid("chainId", Chain.isChainId(query?.chainId))
  yield* ensureValid("walletAddress", Chain.isAddress(familyOf(query.chainId), query.walletAddress))
  return yield* call((transport) => transport.delegation(query))
})

/** The input for a build call. */
export interface BuildInput {
  readonly originChain: number
  readonly geoQuoteToken: string
  readonly authorization?: Authorization
  /**
   * EVM only: the token of a refused operation. The new operation reuses the refused operation's nonce, so only one of
   * the two can be executed.
   */
  readonly previousGeoOpToken?: string
  /** EVM only: how the wallet pays (default: with a delegation). */
  readonly paymentMethod?: Method
}

/** The result of a build call for an EVM chain. */
export type EvmBuilt = BuiltOperation & {
  readonly family: "evm"
  /** The payment method in the build call. */
  readonly paymentMethod?: Method
}

/** The result of a build call: a hash or a payment to sign for EVM chains, or a transaction to sign for Solana. */
export type Built = EvmBuilt | ({ readonly family: "solana" } & BuiltTransaction)

/**
 * Returns the result of a build call that named a payment method other than `delegation`. The response does not decide
 * this.
 */
export const asPayment = (result: Built): EvmBuilt | undefined =>
  result.family === "evm" && (result.paymentMethod ?? "delegation") !== "delegation" ? result : undefined

const built = Effect.fnUntraced(function* (
  input: BuildInput
): Effect.fn.Return<Built, BuildError | InvalidInput, Transport> {
  const { originChain, geoQuoteToken, authorization, previousGeoOpToken, paymentMethod } = { ...input }
  yield* ensureValid("geoQuoteToken", geoQuoteToken)
  const request = compact({ geoQuoteToken, authorization, previousGeoOpToken, paymentMethod })
  const familyOf = yield* Chain.Families
  // `family` and `paymentMethod` come last, so that unknown fields in the response cannot replace them.
  return familyOf(originChain) === "evm"
    ? compact({ ...(yield* call((transport) => transport.buildGeoOp(request))), family: "evm" as const, paymentMethod })
    : { ...(yield* call((transport) => transport.buildSolanaTx(request))), family: "solana" }
})

/** Builds the operation or transaction for a quote. Sends exactly one request. */
export const build = (input: BuildInput): Effect.Effect<Built, BuildError | InvalidInput, Transport> =>
  redactedSpan("geoswap.build")(built(input))

/** The input for a submit call. */
export type Submission = Signed["submission"]

/** Submits a signature. Sends exactly one request. It is safe to repeat the call with the same bytes. */
export const submit = Effect.fn("geoswap.submit")(function* (
  submission: Submission
): Effect.fn.Return<Swap, BuildError | InvalidInput, Transport> {
  yield* ensureValid("geoOpToken", submission?.geoOpToken)
  const swap = yield* call((transport) =>
    submission.family === "evm" ? transport.submit(submission) : transport.submitSolana(submission)
  )
  yield* Effect.annotateCurrentSpan({ swapId: swap.swapId })
  return swap
})

/** Reads the status of a swap. Sends exactly one request. The service may take up to about 15 s to respond. */
export const status = Effect.fn("geoswap.status")(function* (
  swapId: SwapId
): Effect.fn.Return<Swap, CallError | InvalidInput, Transport> {
  yield* ensureValid("swapId", isSwapId(swapId))
  yield* Effect.annotateCurrentSpan({ swapId })
  return yield* call((transport) => transport.status(swapId))
})

/**
 * Lists the service's chains and tokens, if the service supports this. Sends exactly one request. Use the list for
 * display only, because the service could lie about symbols, addresses and decimals. Compute amounts with
 * `Tokens.resolver`, or pin the tokens that you use.
 */
export const chains = Effect.fn("geoswap.chains")(() => call((transport) => transport.chains))
