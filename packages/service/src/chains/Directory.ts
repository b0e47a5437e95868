/** The chains and tokens that the service swaps, and lookups by the fields of a request. */
import { Chain as CoreChain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type Refusal, refuse } from "../Refusal.js"
import type { Asset } from "../venue/Venue.js"
import type { Chain, EvmChain, SolanaChain } from "./Chains.js"
import { hasWrongChecksum, wrongChecksum } from "./checksum.js"

/** The chains and tokens of the service. */
export interface Directory {
  readonly chains: ReadonlyMap<number, Chain>
  /** The symbol of each chain's native token. */
  readonly natives: ReadonlyMap<number, string>
}

/** Returns the family of a chain. */
export const familyOf =
  ({ chains }: Directory) =>
  (chainId: number): CoreChain.Family =>
    chains.get(chainId)?.family ?? CoreChain.families()(chainId)

/** Returns a chain of the service. */
export const chainOf = ({ chains }: Directory, chainId: number): Effect.Effect<Chain, Refusal> => {
  const chain = chains.get(chainId)
  return chain === undefined
    ? Effect.fail(
        refuse("NO_ROUTE", `Chain ${chainId} is not supported. GET /swap/chains lists the supported chains and tokens.`)
      )
    : Effect.succeed(chain)
}

/** Returns the chain of a query about a wallet. */
export const chainOfWallet = (
  chains: Directory["chains"],
  { chainId, walletAddress }: Delegation.DelegationQuery
): Effect.Effect<Chain, Refusal> => {
  const chain = chains.get(chainId)
  if (chain === undefined) {
    return Effect.fail(
      refuse("VALIDATION", `chainId: chain ${chainId} is not supported. GET /swap/chains lists the supported chains.`)
    )
  }
  if (CoreChain.isAddress(chain.family, walletAddress)) return Effect.succeed(chain)
  const fault =
    chain.family === "evm" && hasWrongChecksum(walletAddress)
      ? wrongChecksum
      : `expected an address on a chain of kind ${chain.family}.`
  return Effect.fail(refuse("VALIDATION", `walletAddress: ${fault}`))
}

/** The native token of a chain. */
const nativeOf = ({ natives }: Directory, chain: Chain): Asset => ({
  chainId: chain.id,
  address: CoreChain.nativeToken[chain.family],
  symbol: natives.get(chain.id) ?? "native",
  decimals: CoreChain.nativeDecimals[chain.family]
})

/** Returns a token of a chain, or its native token. */
export const assetOf = (directory: Directory, chain: Chain, address: string): Effect.Effect<Asset, Refusal> => {
  if (address === CoreChain.nativeToken[chain.family]) return Effect.succeed(nativeOf(directory, chain))
  const token = chain.tokens.find((one) => CoreChain.sameAddress(chain.family, one.address, address))
  return token === undefined
    ? Effect.fail(
        refuse("NO_ROUTE", `${chain.name} does not support token ${address}. GET /swap/chains lists its tokens.`)
      )
    : Effect.succeed({ chainId: chain.id, address: token.address, symbol: token.symbol, decimals: token.decimals })
}

const gone = () =>
  refuse("NO_ROUTE", "The origin chain of this quote is no longer supported. Request a new quote from another chain.")

/** Returns the EVM chain of a sealed quote. Tokens are bound to a family, so a mismatch means a changed configuration. */
export const evmChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<EvmChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "evm" ? Effect.succeed(chain) : Effect.fail(gone())
}

/** Returns the Solana chain of a sealed quote. */
export const solanaChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<SolanaChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "solana" ? Effect.succeed(chain) : Effect.fail(gone())
}
