/** Finds the chains and tokens that a request names. */
import { Chain as CoreChain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Chain, EvmChain, SolanaChain } from "./Chains.js"
import { refuse, type Refusal } from "../Refusal.js"
import type { Asset } from "../venue/Venue.js"
import { hasWrongChecksum, wrongChecksum } from "./checksum.js"

/** What the service swaps. */
export interface Directory {
  readonly chains: ReadonlyMap<number, Chain>
  /** The symbol of each chain's native token. */
  readonly natives: ReadonlyMap<number, string>
}

/** The family of every chain that is served. */
export const familyOf =
  ({ chains }: Directory) =>
  (chainId: number): CoreChain.Family =>
    chains.get(chainId)?.family ?? CoreChain.families()(chainId)

/** A chain of the service. */
export const chainOf = ({ chains }: Directory, chainId: number): Effect.Effect<Chain, Refusal> => {
  const chain = chains.get(chainId)
  return chain === undefined
    ? Effect.fail(
        refuse("NO_ROUTE", `Chain ${chainId} is not served. GET /swap/chains lists the chains and tokens that are.`)
      )
    : Effect.succeed(chain)
}

/** The chain of a wallet that somebody asks about, by itself and not for a swap. */
export const chainOfWallet = (
  chains: Directory["chains"],
  { chainId, walletAddress }: Delegation.DelegationQuery
): Effect.Effect<Chain, Refusal> => {
  const chain = chains.get(chainId)
  if (chain === undefined) {
    return Effect.fail(
      refuse("VALIDATION", `chainId: chain ${chainId} is not served. GET /swap/chains lists those that are.`)
    )
  }
  if (CoreChain.isAddress(chain.family, walletAddress)) return Effect.succeed(chain)
  const fault =
    chain.family === "evm" && hasWrongChecksum(walletAddress)
      ? wrongChecksum
      : `should be an address on a chain of kind ${chain.family}.`
  return Effect.fail(refuse("VALIDATION", `walletAddress: ${fault}`))
}

/** The native token of a chain. */
const nativeOf = ({ natives }: Directory, chain: Chain): Asset => ({
  chainId: chain.id,
  address: CoreChain.nativeToken[chain.family],
  symbol: natives.get(chain.id) ?? "native",
  decimals: CoreChain.nativeDecimals[chain.family]
})

/** A token of a chain, or its native one. */
export const assetOf = (directory: Directory, chain: Chain, address: string): Effect.Effect<Asset, Refusal> => {
  if (address === CoreChain.nativeToken[chain.family]) return Effect.succeed(nativeOf(directory, chain))
  const token = chain.tokens.find((one) => CoreChain.sameAddress(chain.family, one.address, address))
  return token === undefined
    ? Effect.fail(
        refuse("NO_ROUTE", `${chain.name} has no token ${address} here. GET /swap/chains lists the tokens that it has.`)
      )
    : Effect.succeed({ chainId: chain.id, address: token.address, symbol: token.symbol, decimals: token.decimals })
}

const gone = () =>
  refuse("NO_ROUTE", "The origin chain of this quote is not served any more: request a fresh quote from another chain.")

/** The EVM chain of a token's quote; the token is bound to the family, so that another is a change of configuration. */
export const evmChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<EvmChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "evm" ? Effect.succeed(chain) : Effect.fail(gone())
}

/** The Solana chain of a token's quote. */
export const solanaChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<SolanaChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "solana" ? Effect.succeed(chain) : Effect.fail(gone())
}
