/** The chains and tokens that the form offers. */
import { Chain } from "@geoswap/core"
import type { ChainInfo, PinnedToken } from "@geoswap/core/promise"

/** The chains and tokens that the page trusts. */
export interface PinnedTokens {
  readonly tokens: ReadonlyArray<PinnedToken>
  /** The native tokens that can be received. */
  readonly natives?: NativeTokens | undefined
  /** The chains' names, by chain id (default: the names from the service). */
  readonly chainNames?: Readonly<Record<number, string>> | undefined
}

/** A token on a chain. */
export interface TokenRef {
  readonly chain: number
  readonly token: string
}

/** What the form offers and which quotes it allows. The client's policy also applies. */
export interface FormPolicy {
  readonly allowedChains?: ReadonlyArray<number> | undefined
  readonly allowedTokens?: ReadonlyArray<TokenRef> | undefined
  /**
   * The maximum total cost in basis points of the input's value. If this is set, a quote whose total cost is unknown is
   * refused.
   */
  readonly maxTotalCostBps?: number | undefined
  readonly maxFeeBps?: number | undefined
  /** From this total cost in basis points, `isHighCost` is `true` (default: 300). */
  readonly highCostBps?: number | undefined
  /** The maximum slippage in basis points (default: 5000, as in the client's policy). */
  readonly maxSlippageBps?: number | undefined
  /**
   * Above this slippage in basis points, `slippageRisk.isHigh` is `true`, and you should ask for confirmation (default:
   * 500).
   */
  readonly highSlippageBps?: number | undefined
}

/** A token that the form offers. */
export interface FormToken {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** Whether this is the chain's native token, which can only be received. */
  readonly native?: boolean | undefined
}

/** The native tokens to offer, by chain id. */
export type NativeTokens = Readonly<Record<number, { readonly symbol: string; readonly decimals: number }>>

/** The chains and tokens that the form offers. */
export interface FormChoices {
  readonly chains: ReadonlyArray<ChainInfo>
  readonly inputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
  readonly outputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
}

/**
 * Returns the pinned tokens that the service lists and the policy allows. The service's list can only remove tokens. It
 * cannot add tokens or change their symbols or decimals.
 */
export const formChoices = (
  listed: ReadonlyArray<ChainInfo>,
  { chainNames = {}, natives = {}, tokens: pinned }: PinnedTokens,
  { allowedChains, allowedTokens }: FormPolicy = {}
): FormChoices => {
  const tokensOf = ({ id, kind, tokens }: ChainInfo): ReadonlyArray<FormToken> => {
    const nativeToken = natives[id]
    const own = pinned
      .filter(
        ({ address, chainId }) => chainId === id && tokens.some((one) => Chain.sameAddress(kind, one.address, address))
      )
      .map(({ address, decimals, symbol }) => ({ symbol, address, decimals }))
    const all: ReadonlyArray<FormToken> = [
      ...own,
      ...(nativeToken ? [{ ...nativeToken, address: Chain.nativeToken[kind], native: true }] : [])
    ]
    return allowedTokens === undefined
      ? all
      : all.filter(({ address }) =>
          allowedTokens.some(({ chain, token }) => chain === id && Chain.sameAddress(kind, token, address))
        )
  }
  const byChain = new Map(
    listed.filter(({ id }) => allowedChains?.includes(id) ?? true).map((chain) => [chain.id, tokensOf(chain)])
  )
  const outputTokens = (chainId: number | undefined) => byChain.get(chainId ?? Number.NaN) ?? []
  return {
    chains: listed
      .filter(({ id }) => outputTokens(id).length > 0)
      .map(({ id, kind, name }) => ({
        id,
        name: chainNames[id] ?? name,
        kind,
        tokens: outputTokens(id).filter(({ native }) => native !== true)
      })),
    inputTokens: (chainId) => outputTokens(chainId).filter(({ native }) => native !== true),
    outputTokens
  }
}

/** Finds a token by its address, ignoring case on EVM chains. */
export const findToken = (
  { kind }: Pick<ChainInfo, "kind">,
  tokens: ReadonlyArray<FormToken>,
  address: string | undefined
): FormToken | undefined =>
  address === undefined ? undefined : tokens.find((token) => Chain.sameAddress(kind, token.address, address))
