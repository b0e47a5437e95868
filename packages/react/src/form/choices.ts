/** What can be chosen in the form. */
import { Chain } from "@geoswap/core"
import type { ChainInfo } from "@geoswap/core/promise"

/** A token that the page vouches for. Amounts are computed with these decimals, never with those that a service lists. */
export interface PinnedToken {
  readonly chain: number
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** What the page itself knows about chains and tokens. */
export interface PinnedTokens {
  readonly tokens: ReadonlyArray<PinnedToken>
  /** The native tokens that can be received. */
  readonly natives?: NativeTokens | undefined
  /** Names of chains by id. Default: the names that the service lists. */
  readonly chainNames?: Readonly<Record<number, string>> | undefined
}

/** A token on a chain. */
export interface TokenRef {
  readonly chain: number
  readonly token: string
}

/** What may be chosen, and which quotes may be taken. The client's own policy has the last word. */
export interface FormPolicy {
  readonly allowedChains?: ReadonlyArray<number> | undefined
  readonly allowedTokens?: ReadonlyArray<TokenRef> | undefined
  /** The largest loss of value, as a positive number; a quote that does not tell it is refused. */
  readonly maxPriceImpactBps?: number | undefined
  readonly maxFeeBps?: number | undefined
  /** From which loss on the impact is `high`, 300 where absent. */
  readonly highImpactBps?: number | undefined
  /** The largest slippage that the form accepts. Default: 5000, as in the client's policy. */
  readonly maxSlippageBps?: number | undefined
  /** Above this slippage, `risk.isWide` is `true`: ask for a confirmation. Default: 500. */
  readonly confirmSlippageBps?: number | undefined
}

/** A token to choose. */
export interface FormToken {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** The chain's own coin, which can only be received. */
  readonly native?: boolean | undefined
}

/** The chain's own coins by chain id, where they are to be offered. */
export type NativeTokens = Readonly<Record<number, { readonly symbol: string; readonly decimals: number }>>

/** What can be chosen. */
export interface FormChoices {
  readonly chains: ReadonlyArray<ChainInfo>
  readonly inputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
  readonly outputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
}

/**
 * What can be chosen: the pinned tokens that the service lists and the policy allows. The list of the service only leaves
 * tokens out. It adds none, and changes no symbol and no decimals.
 */
export const formChoices = (
  listed: ReadonlyArray<ChainInfo>,
  { chainNames = {}, natives = {}, tokens: pinned }: PinnedTokens,
  { allowedChains, allowedTokens }: FormPolicy = {}
): FormChoices => {
  const tokensOf = ({ id, kind, tokens }: ChainInfo): ReadonlyArray<FormToken> => {
    const coin = natives[id]
    const own = pinned
      .filter(
        ({ address, chain }) => chain === id && tokens.some((one) => Chain.sameAddress(kind, one.address, address))
      )
      .map(({ address, decimals, symbol }) => ({ symbol, address, decimals }))
    const all: ReadonlyArray<FormToken> = [
      ...own,
      ...(coin ? [{ ...coin, address: Chain.nativeToken[kind], native: true }] : [])
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

/** The token of that address, in whatever case it is written. */
export const findToken = (
  { kind }: Pick<ChainInfo, "kind">,
  tokens: ReadonlyArray<FormToken>,
  address: string | undefined
): FormToken | undefined =>
  address === undefined ? undefined : tokens.find((token) => Chain.sameAddress(kind, token.address, address))
