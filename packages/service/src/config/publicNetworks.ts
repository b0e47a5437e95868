/**
 * Fills in the fields of the chains that name a public network: the chain id, the tokens and how they can be paid with,
 * the model of its fees, and the block explorer. Fields in the file take precedence.
 */
import { type PublicNetwork, publicNetworks, type PublicToken } from "@geoswap/deployments/networks"
import { formatValue, nearest, quote } from "./formatValue.js"

/** An object in the file. */
type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const find = (name: unknown): PublicNetwork | undefined => publicNetworks.find((network) => network.name === name)

/** Every method except `eip3009` uses Permit2. */
const payments = ({ domain, methods }: PublicToken, permit2: boolean): Fields => {
  const usable = methods.filter((method) => permit2 || method === "eip3009")
  if (usable.length === 0) return {}
  const signsDomain = usable.some((method) => method !== "permit2")
  return {
    payments: { methods: usable, ...(signsDomain && { name: domain?.name, version: domain?.version }) }
  }
}

const token = (known: PublicToken, permit2: boolean): Fields => {
  const { address, asset, decimals, symbol } = known
  return { symbol, address, decimals, ...(asset !== undefined && { asset }), ...payments(known, permit2) }
}

/** The fields that a network determines. */
const defaults = (network: PublicNetwork, permit2: boolean): Fields => ({
  kind: network.family,
  id: network.id,
  name: network.title,
  native: { symbol: network.nativeSymbol },
  tokens: network.tokens.map((known) => token(known, permit2)),
  ...(network.family === "evm" && { feeModel: network.feeModel, payments: { permit2 }, finality: network.finality })
})

/** Replaces symbols in a list of tokens with the network's tokens. */
const resolveTokens = (tokens: unknown, network: PublicNetwork, permit2: boolean): unknown => {
  if (!Array.isArray(tokens)) return tokens
  const all = [...network.tokens, ...network.otherTokens]
  return tokens.map((entry: unknown) => {
    const known = all.find(({ symbol }) => symbol === entry)
    return known === undefined ? entry : token(known, permit2)
  })
}

const fillChain = (chain: Fields, network: PublicNetwork): Fields => {
  const given = isFields(chain["payments"]) ? chain["payments"]["permit2"] : undefined
  const permit2 = typeof given === "boolean" ? given : network.permit2
  const known = defaults(network, permit2)
  const merged = Object.entries(chain).map(([name, value]): readonly [string, unknown] => {
    const other = known[name]
    return [name, isFields(value) && isFields(other) ? { ...other, ...value } : value]
  })
  const filled: Fields = { ...known, ...Object.fromEntries<unknown>(merged) }
  return { ...filled, tokens: resolveTokens(filled["tokens"], network, permit2) }
}

const unknownNetwork = (name: unknown, at: string): string => {
  const names = publicNetworks.map((network) => network.name)
  const meant = typeof name === "string" ? nearest(name, names) : undefined
  const hint = meant === undefined ? "" : ` Did you mean ${quote(meant)}?`
  return `${at}.network: expected the name of a public network, got ${formatValue(name)}.${hint} The names are ${names.join(", ")}.`
}

const unknownTokens = ({ tokens }: Fields, { name, otherTokens, tokens: listed }: PublicNetwork, at: string) => {
  const symbols = [...listed, ...otherTokens].map(({ symbol }) => symbol)
  const entries: ReadonlyArray<unknown> = Array.isArray(tokens) ? tokens : []
  return entries.flatMap((entry, index) =>
    typeof entry !== "string" || symbols.includes(entry)
      ? []
      : [`${at}.tokens[${index}]: expected a token of ${name} (${symbols.join(", ")}), got ${quote(entry)}.`]
  )
}

/** The block explorers of the chains that name a network, by chain id. */
export const explorersOf = (
  chains: ReadonlyArray<{ readonly id?: unknown; readonly network?: unknown }>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    chains.flatMap(({ id, network }) => {
      const explorer = find(network)?.explorer
      return explorer === undefined ? [] : [[String(id), explorer]]
    })
  )

/** The file with every named network filled in, and the problems with the names. */
export const fillNetworks = (file: unknown): { readonly file: unknown; readonly problems: ReadonlyArray<string> } => {
  if (!isFields(file) || !Array.isArray(file["chains"])) return { file, problems: [] }
  const problems: Array<string> = []
  const chains = file["chains"].map((chain: unknown, index) => {
    if (!isFields(chain) || chain["network"] === undefined) return chain
    const at = `chains[${index}]`
    const network = find(chain["network"])
    problems.push(
      ...(network === undefined ? [unknownNetwork(chain["network"], at)] : unknownTokens(chain, network, at))
    )
    return network === undefined ? chain : fillChain(chain, network)
  })
  const { web } = file
  const explorers = explorersOf(chains.filter(isFields))
  const given = isFields(web) ? (web["explorers"] ?? {}) : undefined
  const page = isFields(web) && isFields(given) ? { web: { ...web, explorers: { ...explorers, ...given } } } : {}
  return { file: { ...file, chains, ...page }, problems }
}
