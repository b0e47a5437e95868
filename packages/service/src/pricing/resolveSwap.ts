/** Resolves a quote request: checks its fields, and finds its chains and tokens. */
import { Chain as CoreChain, type Quote, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Chain } from "../chains/Chains.js"
import { assetOf, chainOf, type Directory, familyOf } from "../chains/Directory.js"
import type { Asset } from "../domain/Asset.js"
import { hasWrongChecksum, wrongChecksum } from "../domain/checksum.js"
import { refuse } from "../domain/Refusal.js"

type Request = Quote.QuoteRequest | Quote.IndicativeQuoteRequest

/** A swap with its chains and tokens. */
export interface ResolvedSwap {
  readonly origin: Chain
  readonly destination: Chain
  readonly inputToken: Asset
  readonly outputToken: Asset
  readonly amount: bigint
  readonly slippageBps?: number
}

/** The wallet that pays and the recipient, if they are known. */
export interface Parties {
  readonly wallet?: string | undefined
  readonly recipient?: string | undefined
}

/** The fields with addresses, in the order in which they are checked. */
const addressFields = ["walletAddress", "inputToken", "outputToken", "recipient"] as const

/**
 * Returns the request with its EVM addresses in lower case. Rejects an invalid checksum, because a typo in the
 * recipient would send the output to a stranger. Later steps do not need to check the checksum of a lowercase address
 * again.
 */
const checkTypos = <R extends Request>(origin: Chain, destination: Chain, request: R) => {
  const checked: { -readonly [F in (typeof addressFields)[number]]?: string } = { ...request }
  for (const field of addressFields) {
    const address = checked[field]
    const { family } = field === "walletAddress" || field === "inputToken" ? origin : destination
    if (address === undefined || family !== "evm") continue
    if (hasWrongChecksum(address)) return Effect.fail(refuse("VALIDATION", `${field}: ${wrongChecksum}`))
    checked[field] = address.toLowerCase()
  }
  return Effect.succeed(checked as R)
}

/** Rejects a wallet that belongs to this service, and a recipient that is a token or one of the service's vaults. */
export const checkParties = (
  { destination, origin }: Pick<ResolvedSwap, "destination" | "origin">,
  { recipient, wallet }: Parties
) => {
  const isAmong = (chain: Chain, address: string | undefined, others: ReadonlyArray<string>) =>
    address !== undefined && others.some((other) => CoreChain.sameAddress(chain.family, other, address))
  if (isAmong(origin, wallet, [...origin.vaults, origin.relayer])) {
    return Effect.fail(refuse("VALIDATION", "walletAddress: belongs to this service. Use the wallet that pays."))
  }
  const closed = [...destination.vaults, ...destination.tokens.map(({ address }) => address)]
  return isAmong(destination, recipient, closed)
    ? Effect.fail(
        refuse(
          "VALIDATION",
          "recipient: is a token or belongs to this service. Use a wallet that can receive the output."
        )
      )
    : Effect.void
}

/** Checks a request with `validate`, and finds its chains and tokens. */
export const resolveSwap = Effect.fnUntracedEager(function* <R extends Request>(
  directory: Directory,
  input: R,
  validate: (input: R) => Effect.Effect<R, SwapError.InvalidInput>
) {
  const origin = yield* chainOf(directory, input.originChain)
  const destination = yield* chainOf(directory, input.destinationChain)
  const { amount, slippageBps, ...request } = yield* validate(yield* checkTypos(origin, destination, input)).pipe(
    Effect.provideService(CoreChain.Families, familyOf(directory)),
    Effect.mapError((error) => refuse("VALIDATION", error.message))
  )
  return {
    origin,
    destination,
    inputToken: yield* assetOf(directory, origin, request.inputToken),
    outputToken: yield* assetOf(directory, destination, request.outputToken),
    amount,
    ...(slippageBps !== undefined && { slippageBps })
  }
})
