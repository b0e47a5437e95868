/** Searches the pinned and bundled tokens, and those that the service lists. */
import { Chain } from "@geoswap/core"
import { formatToken, type Names, resolveChain, type View } from "@geoswap/tools"
import { bundledChains } from "../chains/bundledChains.js"
import type { Directory } from "../chains/Directory.js"

/** The exact symbols first, and then the symbols that start with the text. */
const rankOf = ({ symbol = "", untrustedSymbol = "" }: View.FoundToken, wanted: string): number => {
  const name = (symbol || untrustedSymbol).toLowerCase()
  return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2
}

const ranks = { pinned: 0, bundled: 1, service: 2 } as const

/** Searches the tokens. Pinned tokens come first, whatever the service claims. */
export const searchTokens = (
  { chains }: Directory,
  names: Names,
  query: string,
  chainName: string | undefined
): ReadonlyArray<View.FoundToken> => {
  const only = chainName === undefined ? undefined : resolveChain(names, chainName)
  const wanted = query.toLowerCase()
  const here = chains.filter(({ id }) => only === undefined || id === only.id)
  const found = here.flatMap((chain): ReadonlyArray<View.FoundToken> => {
    const common = { chain: chain.name, chainId: chain.id }
    const named = { id: chain.id, name: chain.name, kind: chain.kind }
    const pinned = names.tokens.filter((token) => token.chain === chain.id)
    const bundled = bundledChains.find(({ id }) => id === chain.id)?.tokens ?? []
    const isKnown = (known: ReadonlyArray<{ readonly address: string }>, address: string) =>
      known.some((token) => Chain.sameAddress(chain.kind, token.address, address))
    return [
      ...pinned.map((token) => ({
        ...common,
        token: formatToken({ chain: named, token }),
        symbol: token.symbol,
        address: token.address,
        source: "pinned" as const
      })),
      ...bundled
        .filter(({ address }) => !isKnown(pinned, address))
        .map(({ address, symbol }) => ({ ...common, symbol, address, source: "bundled" as const })),
      ...chain.listed
        .filter(({ address }) => !isKnown(pinned, address) && !isKnown(bundled, address))
        .map(({ address, symbol }) => ({ ...common, untrustedSymbol: symbol, address, source: "service" as const }))
    ]
  })
  return found
    .filter(({ address, symbol, untrustedSymbol }) =>
      [address, symbol, untrustedSymbol].some((text) => text?.toLowerCase().includes(wanted))
    )
    .toSorted((one, other) => ranks[one.source] - ranks[other.source] || rankOf(one, wanted) - rankOf(other, wanted))
}
