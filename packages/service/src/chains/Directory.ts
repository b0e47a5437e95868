/** The chains and tokens that the service supports, and functions that look them up by the fields of a request. */
import { Chain as CoreChain, type Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type { Asset } from "../domain/Asset.js"
import { hasWrongChecksum, wrongChecksum } from "../domain/checksum.js"
import { type Refusal, refuse } from "../domain/Refusal.js"
import type { Chain, EvmChain, SolanaChain } from "./Chains.js"

/** The service's chains and tokens. */
export interface Directory {
  readonly chains: ReadonlyMap<number, Chain>
  /** The symbol of each chain's native token. */
  readonly natives: ReadonlyMap<number, string>
}

/** Returns a chain's family. */
export const familyOf =
  ({ chains }: Directory) =>
  (chainId: number): CoreChain.Family =>
    chains.get(chainId)?.family ?? CoreChain.defaultFamily(chainId)

/** Returns a chain by its id. Refuses if the service does not support the chain. */
export const chainOf = ({ chains }: Directory, chainId: number): Effect.Effect<Chain, Refusal> => {
  const chain = chains.get(chainId)
  return chain === undefined
    ? Effect.fail(
        refuse("NO_ROUTE", `Chain ${chainId} is not supported. GET /swap/chains lists the supported chains and tokens.`)
      )
    : Effect.succeed(chain)
}

/** Returns the chain that a wallet query refers to. Refuses if the wallet address is not valid on that chain. */
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
      : `expected ${chain.family === "evm" ? "an EVM" : "a Solana"} address.`
  return Effect.fail(refuse("VALIDATION", `walletAddress: ${fault}`))
}

/** A chain's native token. */
export const nativeOf = ({ family, id }: Chain, symbol = "native"): Asset => ({
  chainId: id,
  address: CoreChain.nativeToken[family],
  symbol,
  decimals: CoreChain.nativeDecimals[family]
})

/** Returns a token, or the chain's native token, by its address. Refuses if the service does not support the token. */
export const assetOf = (
  { natives }: Pick<Directory, "natives">,
  chain: Chain,
  address: string
): Effect.Effect<Asset, Refusal> => {
  if (address === CoreChain.nativeToken[chain.family]) return Effect.succeed(nativeOf(chain, natives.get(chain.id)))
  const token = chain.tokens.find((one) => CoreChain.sameAddress(chain.family, one.address, address))
  return token === undefined
    ? Effect.fail(
        refuse(
          "NO_ROUTE",
          `Token ${address} is not supported on ${chain.name}. GET /swap/chains lists the supported tokens.`
        )
      )
    : Effect.succeed({ chainId: chain.id, address: token.address, symbol: token.symbol, decimals: token.decimals })
}

const gone = () =>
  refuse("NO_ROUTE", "This quote's origin chain is no longer supported. Request a new quote with another origin chain.")

/**
 * Returns a sealed quote's EVM chain. Sealed tokens are bound to a chain family, so a mismatch means that the
 * configuration has changed.
 */
export const evmChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<EvmChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "evm" ? Effect.succeed(chain) : Effect.fail(gone())
}

/** Returns a sealed quote's Solana chain. */
export const solanaChainOf = ({ chains }: Directory, chainId: number): Effect.Effect<SolanaChain, Refusal> => {
  const chain = chains.get(chainId)
  return chain?.family === "solana" ? Effect.succeed(chain) : Effect.fail(gone())
}
