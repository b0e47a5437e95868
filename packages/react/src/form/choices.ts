/** The chains and tokens that the form offers. */
import { Chain } from "@geoswap/core"
import type { ChainInfo, Network, NetworkChain, NetworkToken, PolicyOptions } from "@geoswap/core/promise"

/** What the form offers and which quotes it allows: limits of the client's policy, which also applies. */
export interface FormPolicy extends Pick<
  PolicyOptions,
  "allowedChains" | "allowedTokens" | "maxFeeBps" | "maxSlippageBps" | "maxTotalCostBps"
> {
  /** From this total cost in basis points, `isHighCost` is `true` (default: 300). */
  readonly highCostBps?: number | undefined
  /**
   * Above this slippage in basis points, `slippageRisk.isHigh` is `true`, and you should ask for confirmation (default:
   * 500).
   */
  readonly highSlippageBps?: number | undefined
}

/** A token that the form offers. */
export interface FormToken extends NetworkToken {
  /** Whether this is the chain's native token, which can only be received. */
  readonly native?: boolean | undefined
}

/** The chains and tokens that the form offers. */
export interface FormChoices {
  readonly chains: ReadonlyArray<ChainInfo>
  readonly inputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
  readonly outputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
}

/**
 * Returns the network's tokens that the service lists and the policy allows. The service's list can only remove tokens.
 * It cannot add tokens or change their symbols or decimals.
 */
export const formChoices = (
  listed: ReadonlyArray<ChainInfo>,
  { chains }: Network,
  { allowedChains, allowedTokens }: FormPolicy = {}
): FormChoices => {
  const tokensOn = ({ family, id, nativeSymbol, tokens = [] }: NetworkChain): ReadonlyArray<FormToken> => {
    const here = listed.find((chain) => chain.id === id)?.tokens ?? []
    const own = tokens
      .filter(({ address }) => here.some((one) => Chain.sameAddress(family, one.address, address)))
      .map(({ address, decimals, symbol }) => ({ symbol, address, decimals }))
    const native = { address: Chain.nativeToken[family], decimals: Chain.nativeDecimals[family], native: true }
    const all: ReadonlyArray<FormToken> =
      nativeSymbol === undefined ? own : [...own, { symbol: nativeSymbol, ...native }]
    return allowedTokens === undefined
      ? all
      : all.filter(({ address }) =>
          allowedTokens.some(({ chainId, token }) => chainId === id && Chain.sameAddress(family, token, address))
        )
  }
  const offered = listed
    .flatMap(({ id }) => chains.find((chain) => chain.id === id) ?? [])
    .filter(({ id }) => allowedChains?.includes(id) ?? true)
    .map((chain) => ({ chain, tokens: tokensOn(chain) }))
    .filter(({ tokens }) => tokens.length > 0)
  const outputTokens = (chainId: number | undefined) => offered.find(({ chain }) => chain.id === chainId)?.tokens ?? []
  const inputTokens = (chainId: number | undefined) => outputTokens(chainId).filter(({ native }) => native !== true)
  return {
    chains: offered.map(({ chain: { family, id, name } }) => ({ id, name, family, tokens: inputTokens(id) })),
    inputTokens,
    outputTokens
  }
}

/** Finds a token by its address, ignoring case on EVM chains. */
export const findToken = (
  { family }: Pick<ChainInfo, "family">,
  tokens: ReadonlyArray<FormToken>,
  address: string | undefined
): FormToken | undefined =>
  address === undefined ? undefined : tokens.find((token) => Chain.sameAddress(family, token.address, address))
