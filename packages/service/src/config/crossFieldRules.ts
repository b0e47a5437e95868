/**
 * Rules that involve several fields. The rules read the raw file and skip values that the schema rejects, so that all
 * problems can be listed at once.
 */
import { Chain } from "@geoswap/core"
import { drift, feesToken, tiers } from "./feeRules.js"
import { maxQuorum } from "./fieldSchemas.js"
import { quote } from "./formatValue.js"
import { type Fields, fieldsOf, isFields, listOf, repeats, textOf } from "./rawFields.js"

const familyOf = (chain: Fields): Chain.Family | undefined =>
  chain["kind"] === "evm" || chain["kind"] === "solana" ? chain["kind"] : undefined

const nativeSymbol: Readonly<Record<Chain.Family, string>> = { evm: "ETH", solana: "SOL" }

const chainIds = (chains: ReadonlyArray<Fields>): ReadonlyArray<string> => [
  ...repeats(
    chains.map(({ id }) => (Chain.isChainId(id) ? String(id) : undefined)),
    (index, first) => `chains[${index}].id: must differ from chains[${first}].id.`
  ),
  ...chains.flatMap(({ id, kind }, index) =>
    id === Chain.solanaMainnet && kind === "evm"
      ? [`chains[${index}].id: ${Chain.solanaMainnet} is Solana's mainnet, but kind is "evm".`]
      : []
  )
]

/** Checks the quorum and the nodes. A node that is listed twice would be counted twice toward the quorum. */
const quorums = ({ quorum, rpcUrls }: Fields, at: string): ReadonlyArray<string> => {
  if (!Array.isArray(rpcUrls)) return []
  const urls: ReadonlyArray<unknown> = rpcUrls
  const { length } = urls
  return [
    ...repeats(
      urls.map((url) => (typeof url === "string" && URL.canParse(url) ? new URL(url).href : undefined)),
      (index, first) => `${at}.rpcUrls[${index}]: must differ from rpcUrls[${first}]. List each node only once.`
    ),
    ...(typeof quorum === "number" && Number.isInteger(quorum) && length > 0 && quorum > length && quorum <= maxQuorum
      ? [`${at}.quorum: expected at most ${length} (the number of rpcUrls), got ${quorum}.`]
      : [])
  ]
}

/** Checks that every node has an entry in `wsUrls`, which may be empty. */
const socketsOf = ({ kind, rpcUrls, wsUrls }: Fields, at: string): ReadonlyArray<string> =>
  kind === "evm" && Array.isArray(rpcUrls) && Array.isArray(wsUrls) && rpcUrls.length !== wsUrls.length
    ? [
        `${at}.wsUrls: expected ${rpcUrls.length} (the number of rpcUrls), got ${wsUrls.length}. Write "" for a node without one.`
      ]
    : []

const tokensOf = (chain: Fields, at: string): ReadonlyArray<string> => {
  const family = familyOf(chain)
  if (family === undefined) return []
  const tokens = listOf(chain["tokens"])
  const addresses = tokens.map(({ address }) =>
    Chain.isAddress(family, address) ? (family === "evm" ? address.toLowerCase() : address) : undefined
  )
  return [
    ...repeats(
      addresses,
      (index, first) => `${at}.tokens[${index}].address: must differ from tokens[${first}].address.`
    ),
    ...repeats(
      tokens.map(({ symbol }) => textOf(symbol)?.toLowerCase()),
      (index, first) => `${at}.tokens[${index}].symbol: must differ from tokens[${first}].symbol.`
    ),
    ...addresses.flatMap((address, index) =>
      address === Chain.nativeToken[family]
        ? [
            `${at}.tokens[${index}].address: is the native token. Remove it, because the native token is always available.`
          ]
        : []
    )
  ]
}

/**
 * Checks that each vault has exactly one account contract, and that each account contract pays into exactly one vault.
 */
const vaultsOf = (chain: Fields, at: string): ReadonlyArray<string> => {
  if (chain["kind"] !== "evm") return []
  const vaults = listOf(chain["vaults"])
  return ["address", "delegate"].flatMap((field) =>
    repeats(
      vaults.map(({ [field]: address }) => (Chain.isAddress("evm", address) ? address.toLowerCase() : undefined)),
      (index, first) => `${at}.vaults[${index}].${field}: must differ from vaults[${first}].${field}.`
    )
  )
}

/** Checks that each token has what its payment methods require. */
const paymentsOf = (chain: Fields, at: string): ReadonlyArray<string> => {
  if (chain["kind"] !== "evm") return []
  const usesPermit2 = fieldsOf(chain["payments"])["permit2"] === true
  return [
    ...repeats(
      listOf(fieldsOf(chain["payments"])["targets"]).map(({ address }) =>
        Chain.isAddress("evm", address) ? address.toLowerCase() : undefined
      ),
      (index, first) => `${at}.payments.targets[${index}].address: must differ from targets[${first}].address.`
    ),
    ...listOf(chain["tokens"]).flatMap((token, index) => {
      const payments = fieldsOf(token["payments"])
      const methods: ReadonlyArray<unknown> = Array.isArray(payments["methods"]) ? payments["methods"] : []
      const field = `${at}.tokens[${index}].payments`
      const has = (...names: ReadonlyArray<string>) => names.find((name) => methods.includes(name))
      const [domain, permit2] = [has("eip3009", "erc2612"), has("permit2", "erc2612")]
      return [
        ...repeats(
          methods.map((method) => (typeof method === "string" ? method : undefined)),
          (method, first) => `${field}.methods[${method}]: must differ from methods[${first}].`
        ),
        ...(domain === undefined
          ? []
          : ["name", "version"].flatMap((name) =>
              payments[name] === undefined
                ? [
                    `${field}.${name}: is missing, but ${quote(domain)} requires the ${name} in the token's EIP-712 domain.`
                  ]
                : []
            )),
        ...(permit2 === undefined || usesPermit2
          ? []
          : [`${field}.methods: ${quote(permit2)} requires Permit2. Set ${at}.payments.permit2 to true.`])
      ]
    })
  ]
}

/** Checks that a chain lists each relayer's variable only once, and only in one field. */
const relayersOf = (chain: Fields, at: string): ReadonlyArray<string> => {
  const { relayer, relayers } = fieldsOf(chain["keys"])
  if (chain["kind"] !== "evm" || !Array.isArray(relayers)) return []
  return [
    ...(relayer === undefined
      ? []
      : [`${at}.keys.relayer: is not allowed together with relayers. Move it into relayers.`]),
    ...repeats(
      relayers.map((name: unknown) => (typeof name === "string" ? name : undefined)),
      (index, first) => `${at}.keys.relayers[${index}]: must differ from relayers[${first}].`
    )
  ]
}

/** All assets that must have a price in the venue's table, each with the first location that uses it. */
const assetsOf = (chains: ReadonlyArray<Fields>): ReadonlyMap<string, string> => {
  const assets = new Map<string, string>()
  const use = ({ asset, symbol }: Fields, otherwise: string | undefined, at: string) => {
    const name = asset === undefined ? (symbol === undefined ? otherwise : textOf(symbol)) : textOf(asset)
    if (name !== undefined && !assets.has(name)) assets.set(name, at)
  }
  for (const [index, chain] of chains.entries()) {
    const family = familyOf(chain)
    if (family === undefined) continue
    use(fieldsOf(chain["native"]), nativeSymbol[family], `chains[${index}].native`)
    for (const [token, fields] of listOf(chain["tokens"]).entries()) {
      use(fields, undefined, `chains[${index}].tokens[${token}]`)
    }
  }
  return assets
}

const prices = (venue: Fields, chains: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const table = venue["prices"]
  if (venue["kind"] !== "table" || !isFields(table)) return []
  return [...assetsOf(chains)].flatMap(([asset, at]) =>
    Object.hasOwn(table, asset) ? [] : [`venue.prices: has no price for ${quote(asset)}, which ${at} requires.`]
  )
}

const explorers = (web: Fields, chains: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const ids = new Set(chains.map(({ id }) => String(id)))
  return Object.keys(fieldsOf(web["explorers"])).flatMap((id) =>
    ids.has(id) ? [] : [`web.explorers: ${quote(id)} is not the id of a configured chain.`]
  )
}

const names = (web: Fields, chains: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const { chainId } = fieldsOf(web["ens"])
  return chainId === undefined || chains.some(({ id, kind }) => id === chainId && kind === "evm")
    ? []
    : [`web.ens.chainId: ${JSON.stringify(chainId)} is not the id of a configured EVM chain.`]
}

/** Lists all problems that involve several fields, one per line. */
export const crossFieldProblems = (file: unknown): ReadonlyArray<string> => {
  const { chains, fees, quotes, venue, web } = fieldsOf(file)
  const list = listOf(chains)
  return [
    ...chainIds(list),
    ...list.flatMap((chain, index) => quorums(chain, `chains[${index}]`)),
    ...list.flatMap((chain, index) => socketsOf(chain, `chains[${index}]`)),
    ...list.flatMap((chain, index) => tokensOf(chain, `chains[${index}]`)),
    ...list.flatMap((chain, index) => vaultsOf(chain, `chains[${index}]`)),
    ...list.flatMap((chain, index) => paymentsOf(chain, `chains[${index}]`)),
    ...list.flatMap((chain, index) => relayersOf(chain, `chains[${index}]`)),
    ...(list.length > 0 && list.every(({ tokens }) => Array.isArray(tokens) && tokens.length === 0)
      ? ["chains: no chain lists a token, so there is nothing to swap. List at least one token."]
      : []),
    ...prices(fieldsOf(venue), list),
    ...tiers(fieldsOf(fees)),
    ...feesToken(fieldsOf(fees), list),
    ...drift(fieldsOf(quotes), fieldsOf(fees)),
    ...explorers(fieldsOf(web), list),
    ...names(fieldsOf(web), list)
  ]
}
