/** The tokens that can be picked for one side of a swap, and how they are searched. */
import { Chain } from "@geoswap/core"
import type { ChainInfo } from "@geoswap/core/promise"
import type { FormToken } from "@geoswap/react"
import { chainOf, type Config } from "../config.js"
import { nameOfToken, popularity } from "./wellKnown.js"

/** A token on a chain. */
export interface TokenOption {
  readonly chain: ChainInfo
  readonly token: FormToken
}

/** A side of the swap. The native token can only be received. */
export type Side = "from" | "to"

/** A key that is unique among all chains. */
export const keyOf = ({ chain, token }: TokenOption) => `${chain.id}:${token.address}`

/** Returns every token of every chain. */
export const tokenOptions = (
  chains: ReadonlyArray<ChainInfo>,
  config: Config,
  side: Side
): ReadonlyArray<TokenOption> =>
  chains.flatMap((chain) => {
    const native = side === "to" ? chainOf(config, chain.id)?.native : undefined
    const tokens: ReadonlyArray<FormToken> = [
      ...chain.tokens,
      ...(native ? [{ ...native, address: Chain.nativeToken[chain.family], native: true }] : [])
    ]
    return tokens.map((token) => ({ chain, token }))
  })

/** How well an option matches, from 0 (exactly) to 3, or `Infinity` if it does not. */
const rankOf = ({ chain, token }: TokenOption, query: string) => {
  const [symbol, name] = [token.symbol.toLowerCase(), nameOfToken(token).toLowerCase()]
  if (symbol === query || token.address.toLowerCase() === query) return 0
  if (symbol.startsWith(query)) return 1
  if (name.split(/\s+/).some((word) => word.startsWith(query))) return 2
  // An address is pasted whole, but may still be typed.
  const isAddress = query.length > 3 && token.address.toLowerCase().startsWith(query)
  return isAddress || symbol.includes(query) || chain.name.toLowerCase().startsWith(query) ? 3 : Infinity
}

/** Returns the options that match a search on a chain (default: all): the best matches first, then what the wallet holds, then popular tokens. */
export const searchTokens = (
  options: ReadonlyArray<TokenOption>,
  query: string,
  chainId: number | undefined,
  isHeld: (option: TokenOption) => boolean
): ReadonlyArray<TokenOption> => {
  // Each word has to match, so that "usdc base" finds a token on a chain.
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return options
    .filter(({ chain }) => chainId === undefined || chain.id === chainId)
    .map((option) => {
      const rank = words.reduce((sum, word) => sum + rankOf(option, word), 0)
      return { option, order: rank * 1_000 + (isHeld(option) ? 0 : 100) + popularity(option.token) }
    })
    .filter(({ order }) => order < Infinity)
    .toSorted((one, other) => one.order - other.order)
    .map(({ option }) => option)
}
