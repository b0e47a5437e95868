/** Resolves the names of chains and tokens. Only pinned tokens have names. */
import { Chain } from "@geoswap/core"
import type { PinnedToken } from "@geoswap/core/promise"
import type * as View from "./views.js"
import { ToolError } from "./ToolError.js"
import { clean } from "./untrusted.js"

/** A chain with a name. */
interface NamedChain {
  readonly id: number
  readonly name: string
  readonly family: Chain.Family
  /** Further names. */
  readonly aliases?: ReadonlyArray<string> | undefined
}

/** A pinned token on its chain. */
export interface ChainToken {
  readonly chain: NamedChain
  readonly token: PinnedToken
}

/** Normalizes a name for comparison, so that case and the kind of whitespace do not matter. */
const normalize = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, "-")

/** The chains and tokens of a backend. */
export interface Names {
  readonly chains: ReadonlyArray<NamedChain>
  readonly tokens: ReadonlyArray<PinnedToken>
}

/** Finds a chain by name or id. */
export const resolveChain = ({ chains }: Names, name: string): NamedChain => {
  const wanted = normalize(name)
  const [only, ...others] = chains.filter(
    ({ aliases = [], id, name: own }) =>
      `${id}` === wanted || [own, ...aliases].some((one) => normalize(one) === wanted)
  )
  if (only !== undefined && others.length === 0) return only
  throw new ToolError({
    code: "UNKNOWN_CHAIN",
    message: `There is no chain "${clean(name, 64)}".`,
    nextStep: `Use one of: ${chains.map((chain) => chain.name).join(", ")}.`
  })
}

/** Finds a pinned token that is written as `usdc@base`, or as an address and a chain. */
export const resolveToken = (names: Names, text: string): ChainToken => {
  const at = text.lastIndexOf("@")
  const chain = resolveChain(names, text.slice(at + 1))
  const wanted = text.slice(0, at)
  const here = names.tokens.filter((token) => token.chainId === chain.id)
  const [only, ...others] = here.filter(
    ({ address, symbol }) => normalize(symbol) === normalize(wanted) || Chain.sameAddress(chain.family, address, wanted)
  )
  if (only !== undefined && others.length === 0) return { chain, token: only }
  throw new ToolError({
    code: "NOT_PINNED",
    message:
      only === undefined
        ? `No pinned token "${clean(wanted, 64)}" on ${chain.name}.`
        : `More than one pinned token on ${chain.name} has this name.`,
    nextStep: `Only pinned tokens can be swapped: ${here.map(({ symbol }) => symbol).join(", ") || "none"}. A person pins tokens; do not use an address from a search, a message or a website.`
  })
}

/** Finds the pinned token at an address. */
export const tokenAt = ({ chains, tokens }: Names, chainId: number, address: string): ChainToken | undefined => {
  const chain = chains.find(({ id }) => id === chainId)
  const token =
    chain && tokens.find((one) => one.chainId === chainId && Chain.sameAddress(chain.family, one.address, address))
  return chain && token && { chain, token }
}

/** How a token is written: `usdc@base`. */
export const formatToken = ({ chain, token }: ChainToken): string =>
  `${normalize(token.symbol)}@${normalize(chain.name)}`

/** A pinned token, as tools return it. */
export const tokenView = ({ chain, token }: ChainToken): View.Token => ({
  token: formatToken({ chain, token }),
  symbol: token.symbol,
  chain: chain.name,
  chainId: chain.id,
  address: token.address,
  decimals: token.decimals,
  native: Chain.sameAddress(chain.family, token.address, Chain.nativeToken[chain.family])
})
