/** The single calls, each with its span and its bound in time. */
import * as Effect from "effect/Effect"
import * as Chain from "../Chain.js"
import type { Authorization, DelegationQuery } from "../Delegation.js"
import type { Signed } from "../Journal.js"
import type { BuiltOperation, BuiltTransaction } from "../Operation.js"
import * as Quote from "../Quote.js"
import { isSwapId, type Swap } from "../Swap.js"
import { type BuildError, type CallError, InvalidInput, type SubmitError } from "../SwapError.js"
import { type Shape, Transport } from "../Transport.js"
import { compact } from "../codecs/compact.js"
import { redactedSpan } from "./redactedSpan.js"
import { withTimeout } from "./timeout.js"

const call = <A, E>(endpoint: (transport: Shape) => Effect.Effect<A, E>) =>
  Effect.flatMap(Transport, (transport) => withTimeout(endpoint(transport)))

const needed = (field: string, fits: unknown) =>
  fits ? Effect.void : Effect.fail(new InvalidInput({ field, message: `${field}: missing or malformed.` }))

/** Asks for a price. One request. */
export const quote = (input: Quote.QuoteInput): Effect.Effect<Quote.Quote, CallError | InvalidInput, Transport> =>
  redactedSpan("geoswap.quote")(
    Effect.gen(function* () {
      const request = yield* Quote.request(input)
      yield* Effect.annotateCurrentSpan({ origin: request.originChain, destination: request.destinationChain })
      return yield* call((transport) => transport.quote(request))
    })
  )

/** Reads whether a wallet is delegated, and what to sign where it is not. One request. */
export const delegation = Effect.fn("geoswap.delegation")(function* (query: DelegationQuery) {
  const familyOf = yield* Chain.Families
  yield* needed("chainId", Chain.isChainId(query?.chainId))
  yield* needed("walletAddress", Chain.isAddress(familyOf(query.chainId), query.walletAddress))
  return yield* call((transport) => transport.delegation(query))
})

/** What a build call needs. */
export interface BuildInput {
  readonly originChain: number
  readonly geoQuoteToken: string
  readonly authorization?: Authorization
  /** EVM: the token of an operation that was refused. The new operation gets its nonce, so that only one can execute. */
  readonly previousGeoOpToken?: string
}

/** What was built: a hash to sign on an EVM origin, a transaction on a Solana origin. */
export type Built = ({ readonly kind: "evm" } & BuiltOperation) | ({ readonly kind: "solana" } & BuiltTransaction)

const built = Effect.fnUntraced(function* (
  input: BuildInput
): Effect.fn.Return<Built, BuildError | InvalidInput, Transport> {
  const { originChain, geoQuoteToken, authorization, previousGeoOpToken } = { ...input }
  yield* needed("geoQuoteToken", geoQuoteToken)
  const request = compact({ geoQuoteToken, authorization, previousGeoOpToken })
  const familyOf = yield* Chain.Families
  // What the answer holds besides its own fields must not pass for our `kind`: ours comes last.
  return familyOf(originChain) === "evm"
    ? { ...(yield* call((transport) => transport.buildGeoOp(request))), kind: "evm" }
    : { ...(yield* call((transport) => transport.buildSolanaTx(request))), kind: "solana" }
})

/** Turns a quote into something to sign. One request. */
export const build = (input: BuildInput): Effect.Effect<Built, BuildError | InvalidInput, Transport> =>
  redactedSpan("geoswap.build")(built(input))

/** What a submit call needs. */
export type Submission = Signed["submission"]

/** Submits what was signed. One request, safe to repeat with the same bytes. */
export const submit = Effect.fn("geoswap.submit")(function* (
  submission: Submission
): Effect.fn.Return<Swap, SubmitError | InvalidInput, Transport> {
  yield* needed("geoOpToken", submission?.geoOpToken)
  const swap = yield* call((transport) =>
    submission.kind === "evm" ? transport.submit(submission) : transport.submitSolana(submission)
  )
  yield* Effect.annotateCurrentSpan({ swapId: swap.swapId })
  return swap
})

/** Reads the status of a swap; the service holds the answer for about 15 s. One request. */
export const status = Effect.fn("geoswap.status")(function* (
  swapId: string
): Effect.fn.Return<Swap, CallError | InvalidInput, Transport> {
  yield* needed("swapId", isSwapId(swapId))
  yield* Effect.annotateCurrentSpan({ swapId })
  return yield* call((transport) => transport.status(swapId))
})

/**
 * The chains and tokens of the service, if it lists them. One request. For a menu and nothing more: symbols, addresses
 * and decimals are the service's word. Compute amounts from `Tokens.resolver`, or pin the tokens that you use.
 */
export const chains = Effect.fn("geoswap.chains")(() => call((transport) => transport.chains))
