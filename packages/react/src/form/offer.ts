/** What can be chosen in the form. */
import { Chain } from "@geoswap/core"
import type { ChainInfo } from "@geoswap/core/promise"

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
export type Natives = Readonly<Record<number, { readonly symbol: string; readonly decimals: number }>>

/** What can be chosen. */
export interface Offer {
  readonly chains: ReadonlyArray<ChainInfo>
  readonly inputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
  readonly outputTokens: (chainId: number | undefined) => ReadonlyArray<FormToken>
}

/** What a policy leaves of the service's chains and tokens. */
export const formOffer = (
  listed: ReadonlyArray<ChainInfo>,
  { allowedChains, allowedTokens }: FormPolicy = {},
  natives: Natives = {}
): Offer => {
  const tokensOf = ({ id, kind, tokens }: ChainInfo): ReadonlyArray<FormToken> => {
    const coin = natives[id]
    const all: ReadonlyArray<FormToken> = [
      ...tokens,
      ...(coin ? [{ ...coin, address: Chain.nativeToken[kind], native: true }] : [])
    ]
    return allowedTokens === undefined
      ? all
      : all.filter(({ address }) =>
          allowedTokens.some(({ chain, token }) => chain === id && Chain.sameAddress(kind, token, address))
        )
  }
  const allowed = listed.filter(({ id }) => allowedChains?.includes(id) ?? true)
  const byChain = new Map(allowed.map((chain) => [chain.id, tokensOf(chain)]))
  const outputTokens = (chainId: number | undefined) => byChain.get(chainId ?? Number.NaN) ?? []
  return {
    chains: allowed.filter(({ id }) => outputTokens(id).length > 0),
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
