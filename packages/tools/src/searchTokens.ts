/** Searches the pinned and bundled tokens, and those that the service lists. */
import type { ChainInfo } from "@geoswap/core/promise"
import * as Names from "./names.js"
import type { Session } from "./session.js"
import { identifierOf } from "./untrusted.js"
import type * as View from "./views.js"

/** The exact symbols first, and then the symbols that start with the text. */
const rankOf = ({ symbol = "", untrustedSymbol = "" }: View.FoundToken, wanted: string): number => {
  const name = (symbol || untrustedSymbol).toLowerCase()
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2
}

const ranks = { pinned: 0, bundled: 1, service: 2 } as const

/** Searches the tokens. Pinned tokens come first, whatever the service claims. */
export const searchTokens = (
  { bundled = [], names }: Pick<Session, "bundled" | "names">,
  served: ReadonlyArray<ChainInfo>,
  query: string,
  chainName: string | undefined
): ReadonlyArray<View.FoundToken> => {
  const only = chainName === undefined ? undefined : Names.resolveChain(names, chainName)
  const wanted = query.toLowerCase()
  const found = names.chains.flatMap((chain): ReadonlyArray<View.FoundToken> => {
    if (only !== undefined && chain.id !== only.id) return []
    const common = { chain: chain.name, chainId: chain.id }
    const further = { chains: names.chains, tokens: bundled }
    const isNew = (known: ReadonlyArray<Names.Names>, address: string) =>
      known.every((one) => Names.tokenAt(one, chain.id, address) === undefined)
    return [
      ...names.tokens
        .filter((token) => token.chainId === chain.id)
        .map((token) => ({
          ...common,
          token: Names.formatToken({ chain, token }),
          symbol: token.symbol,
          address: token.address,
          source: "pinned" as const
        })),
      ...bundled
        .filter((token) => token.chainId === chain.id && isNew([names], token.address))
        .map(({ address, symbol }) => ({ ...common, symbol, address, source: "bundled" as const })),
      ...(served.find(({ id }) => id === chain.id)?.tokens ?? [])
        .filter(({ address }) => identifierOf(address) !== undefined && isNew([names, further], address))
        .map(({ address, symbol }) => ({ ...common, untrustedSymbol: symbol, address, source: "service" as const }))
    ]
  })
  return found
    .filter(({ address, symbol, untrustedSymbol }) =>
      [address, symbol, untrustedSymbol].some((text) => text?.toLowerCase().includes(wanted))
    )
    .toSorted((one, other) => ranks[one.source] - ranks[other.source] || rankOf(one, wanted) - rankOf(other, wanted))
}
