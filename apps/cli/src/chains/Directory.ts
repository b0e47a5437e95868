/**
 * The known chains and tokens, and their names. Ambiguous names are rejected, and no data from the service affects what
 * is signed.
 */
import { Amount, Chain, Client } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { explained, usage } from "../output/Exit.js"
import { checksumProblem } from "./addressProblem.js"
import { bundledChain, bundledChains, nativeTokenOf } from "./bundledChains.js"
import { formatDecimal, formatRounded } from "../output/numbers.js"
import { stripControls, sanitize } from "../output/sanitize.js"
import { type ConfiguredChain, Settings } from "../config/Settings.js"

/** A token whose symbol and decimals the user trusts. */
export interface PinnedToken {
  readonly pinned: true
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** Whether this is the chain's native token. A swap can pay out the native token but cannot take it as input. */
  readonly native: boolean
}

/** A token that can be swapped. If it is not pinned, its amounts are in its smallest unit. */
export type Token = PinnedToken | { readonly pinned: false; readonly address: string; readonly native: false }

/** The known chains and their families. */
export interface Directory {
  readonly chains: ReadonlyArray<KnownChain>
  readonly familyOf: (chainId: number) => Chain.Family
}

/** The known chains and tokens. */
export const Directory = /* @__PURE__ */ Context.Service<Directory>("@geoswap/cli/Directory")

/** A name matches no chain or token, or more than one. */
export class UnknownName extends Schema.TaggedError<UnknownName>()("UnknownName", {
  ...explained,
  exitCode: Schema.Int
}) {}

const unknown = (message: string, next: string) => new UnknownName({ message, next, exitCode: 64 })

/** Normalizes a name for comparison, so that differences in case and in the kind of whitespace are ignored. */
const normalize = (text: string) => stripControls(text).trim().toLowerCase().replaceAll(/\s+/g, "-")

const toChain = (
  id: number,
  configured: ConfiguredChain | undefined,
  served: Chain.Chain | undefined,
  devnet: boolean
) => {
  const bundled = bundledChain(id)
  const family = configured?.family ?? bundled?.family ?? Chain.defaultFamily(id)
  // If the service claims that the chain belongs to a different family, none of the service's data for this chain is
  // used.
  const matching = served?.family === family ? served : undefined
  const isNative = ({ address }: { readonly address: string }) =>
    Chain.sameAddress(family, address, Chain.nativeToken[family])
  const own = configured?.tokens ?? []
  const pinned = own.filter((token) => !isNative(token) && Chain.isAddress(family, token.address))
  const tokens = [...pinned, own.find(isNative) ?? nativeTokenOf(id, family)].map((token): PinnedToken => ({
    ...token,
    symbol: stripControls(token.symbol),
    pinned: true,
    native: isNative(token)
  }))
  const listed = (matching?.tokens ?? [])
    .filter(({ address }) => Chain.isAddress(family, address))
    .map(({ address, decimals, symbol }) => ({
      token: tokens.find((token) => Chain.sameAddress(family, token.address, address)),
      symbol: sanitize(symbol, 24),
      address,
      decimals
    }))
  const name = configured?.name ?? bundled?.name ?? `chain ${id}`
  return {
    id,
    /** The name, which comes from the configuration or from this program, never from the service. */
    name: stripControls(name),
    aliases: [
      ...new Set([...(configured?.aliases ?? []), ...(bundled ? [bundled.name, ...bundled.aliases] : [])])
    ].filter((alias) => alias !== name),
    family,
    rpcUrl: configured?.rpcUrl,
    /** The pinned tokens, with the native token last. */
    tokens,
    /** The tokens that the service lists but that the user has not pinned. They are only displayed. */
    listed: listed.flatMap(({ address, symbol, token }) => (token === undefined ? [{ symbol, address }] : [])),
    /** The pinned tokens for which the service claims different decimals. */
    disputed: listed.flatMap(({ decimals, symbol, token }) =>
      token === undefined || token.decimals === decimals ? [] : [{ token, symbol, decimals }]
    ),
    /** The service's name for the chain. */
    listedName: matching && sanitize(matching.name, 40),
    /** Whether the service lists this chain. */
    served: matching !== undefined,
    /** Whether the chain is on a devnet, whose tokens come from the devnet's file and cannot be pinned. */
    devnet,
    /** Whether only this program knows the chain. */
    isBundled: configured === undefined && served === undefined
  }
}

/** A known chain. */
export type KnownChain = ReturnType<typeof toChain>

const fromChains = (chains: ReadonlyArray<KnownChain>) => ({
  chains,
  familyOf: (chainId: number) => chains.find(({ id }) => id === chainId)?.family ?? Chain.defaultFamily(chainId)
})

/**
 * Merges the service's chains with the configured chains by id. Names, families and tokens come from the configuration
 * and this program. The service can only add ids. All other data from the service is used only for display.
 */
export const make = (configured: ReadonlyArray<ConfiguredChain>, served: ReadonlyArray<Chain.Chain>, devnet = false) =>
  fromChains(
    [...new Set([...served, ...configured].map(({ id }) => id))].map((id) =>
      toChain(
        id,
        configured.find((chain) => chain.id === id),
        served.find((chain) => chain.id === id),
        devnet
      )
    )
  )

/** Adds the bundled chains to the known ones. */
export const withBundled = ({ chains }: Directory) =>
  fromChains([
    ...chains,
    ...bundledChains
      .filter(({ id }) => chains.every((chain) => chain.id !== id))
      .map(({ id }) => toChain(id, undefined, undefined, false))
  ])

/** The chains that the service lists, or an empty list if the service does not list its chains. */
const served = Effect.catchTag(Client.chains(), "Rejected", (error) =>
  error.status === 404 ? Effect.succeed([]) : Effect.fail(error)
)

/** Provides the service's chains and the configured chains. */
export const layer = Layer.effect(
  Directory,
  Effect.gen(function* () {
    const { chains, devnetFile } = yield* Settings
    return make(chains, yield* served, devnetFile !== undefined)
  })
)

/** Provides only the configured chains, without contacting the service. */
export const layerConfigured = Layer.effect(
  Directory,
  Effect.map(Settings, ({ chains, devnetFile }) => make(chains, [], devnetFile !== undefined))
)

/** Formats a chain: `Base (8453)`, or `chain 99` if it has no name. */
export const formatChain = ({ id, name }: Pick<KnownChain, "id" | "name">) =>
  name === `chain ${id}` ? name : `${name} (${id})`

const listOf = (names: ReadonlyArray<string>) => (names.length === 0 ? "none" : names.join(", "))

/** Resolves a chain by name, alias or id. */
export const resolveChain = Effect.fnUntraced(function* (name: string) {
  const { chains } = yield* Directory
  const wanted = normalize(name)
  const found = chains.filter(
    (chain) => String(chain.id) === wanted || [chain.name, ...chain.aliases].some((own) => normalize(own) === wanted)
  )
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    return yield* unknown(
      `"${stripControls(name)}" matches more than one chain.`,
      `Use one of these ids: ${listOf(found.map(formatChain))}`
    )
  }
  const listed = chains.find(({ listedName }) => listedName !== undefined && normalize(listedName) === wanted)
  if (listed === undefined) {
    return yield* unknown(`Unknown chain "${stripControls(name)}".`, `Known chains: ${listOf(chains.map(formatChain))}`)
  }
  // Otherwise, the service could decide which chain a name refers to.
  const { family, id } = listed
  return yield* unknown(
    `"${stripControls(name)}" is the service's name for chain ${id}. Names from the service are not accepted.`,
    `Use the id ${id} if you mean this chain, or name it yourself: geoswap config set chains.${id} '{"family":"${family}","name":"…"}'`
  )
})

/** Resolves a chain, or returns all chains if none is named. */
export const chooseChains = Effect.fnUntraced(function* (name: string | undefined) {
  return name === undefined ? (yield* Directory).chains : [yield* resolveChain(name)]
})

/** The pinned tokens of a chain, as `--json` prints them. */
export const pinnedTokens = ({ id, name, tokens }: KnownChain) =>
  tokens.map((token) => ({ chainId: id, chain: name, ...token }))

/** Returns the command that pins a token. */
export const pinCommand = (chain: Pick<KnownChain, "id">, token: string) => `geoswap token add ${chain.id} ${token}`

const notPinned = (name: string, chain: KnownChain) => {
  const bundled = bundledChain(chain.id)?.tokens.find(({ symbol }) => normalize(symbol) === normalize(name))
  const listed = chain.listed.some(({ symbol }) => normalize(symbol) === normalize(name))
  if (chain.devnet) {
    return unknown(
      `There is no token "${stripControls(name)}" on ${formatChain(chain)}.`,
      `Tokens: ${listOf(chain.tokens.map(({ symbol }) => symbol))}.`
    )
  }
  return unknown(
    `You have not pinned a token "${stripControls(name)}" on ${formatChain(chain)}.${
      listed ? " The service lists a token with this symbol, but its list is not trusted." : ""
    }`,
    [
      `Pinned tokens, whose address and decimals you trust: ${listOf(chain.tokens.map(({ symbol }) => symbol))}.`,
      bundled === undefined
        ? `Pin it, using an address you trust: ${pinCommand(chain, "<address>")} --rpc <url>`
        : `Pin it: ${pinCommand(chain, bundled.symbol.toLowerCase())}`
    ].join(" ")
  )
}

/** Resolves a token by symbol or address. `native` refers to the chain's native token. */
export const resolveToken = Effect.fnUntraced(function* (
  name: string,
  chain: KnownChain
): Effect.fn.Return<Token, UnknownName> {
  if (Chain.isAddress(chain.family, name)) {
    return tokenAt(chain, name) ?? { pinned: false, address: name, native: false }
  }
  const problem = chain.family === "evm" ? checksumProblem(name) : undefined
  if (problem !== undefined) return yield* unknown(problem.what, problem.next)
  const wanted = normalize(name)
  const found = chain.tokens.filter(
    (token) => normalize(token.symbol) === wanted || (token.native && wanted === "native")
  )
  const [only, ...others] = found
  if (only === undefined) return yield* notPinned(name, chain)
  if (others.length === 0) return only
  return yield* unknown(
    `"${stripControls(name)}" matches more than one token on ${formatChain(chain)}.`,
    `Use one of these addresses: ${listOf(found.map(({ address, symbol }) => `${symbol} ${address}`))}`
  )
})

/** A token on a chain. */
export interface ChainToken {
  readonly chain: KnownChain
  readonly token: Token
}

/** The two tokens of a swap. */
export interface Pair {
  readonly origin: ChainToken
  readonly destination: ChainToken
}

/** Resolves a token written as `usdc@base`. */
export const resolveChainToken = Effect.fnUntraced(function* (text: string) {
  const [, token, name] = /^(.+)@([^@]+)$/.exec(text) ?? []
  if (token === undefined || name === undefined) {
    return yield* unknown(
      `"${stripControls(text)}" does not name a token and a chain.`,
      "Write token@chain, such as usdc@base. To list the tokens, run 'geoswap tokens'."
    )
  }
  const chain = yield* resolveChain(name)
  return { chain, token: yield* resolveToken(token, chain) }
})

/** Finds the pinned token at an address. */
export const tokenAt = (chain: KnownChain | undefined, address: string) =>
  chain?.tokens.find((token) => Chain.sameAddress(chain.family, token.address, address))

const positive = Effect.fnUntraced(function* (amount: bigint, family: Chain.Family, text: string) {
  if (amount > 0n && amount <= Amount.max(family)) return amount
  return yield* usage(
    amount === 0n ? "The amount must be greater than zero." : `The amount ${stripControls(text)} is too large.`,
    "Use a different amount."
  )
})

/** Parses an amount in tokens, such as `10` or `0.5`. Fails if the token is not pinned. */
export const parseAmount = Effect.fnUntraced(function* (
  text: string,
  { chain, token }: ChainToken,
  rawFlag = "--amount-raw"
) {
  if (!token.pinned) {
    return yield* usage(
      `${token.address} on ${formatChain(chain)} is not pinned, so amounts must be in its smallest unit.`,
      `Use ${rawFlag} <units>${chain.devnet ? "." : `, or pin the token: ${pinCommand(chain, token.address)}`}`
    )
  }
  const amount = Amount.parse(text, token.decimals)
  if (amount !== undefined) return yield* positive(amount, chain.family, text)
  return yield* /^[0-9]+\.[0-9]+$/.test(text)
    ? usage(
        `${text} has too many decimal places: ${token.symbol} has ${token.decimals} decimals.`,
        "Use fewer decimal places."
      )
    : usage(
        `"${stripControls(text)}" is not an amount.`,
        "Write the amount in tokens, with a decimal point and without separators: 10 or 0.5."
      )
})

/** Parses an amount in the smallest unit, as in `--amount-raw`. */
export const parseRawAmount = Effect.fnUntraced(function* (text: string, { chain }: Pick<ChainToken, "chain">) {
  const amount = Amount.fromInput(text)
  return amount === undefined
    ? yield* usage(
        `"${stripControls(text)}" is not a raw amount.`,
        "Write a whole number, in the token's smallest unit."
      )
    : yield* positive(amount, chain.family, text)
})

/** Formats an amount, rounded, as in `10.5 USDC`, or in the smallest unit if the token is not pinned. */
export const formatAmount = (amount: bigint, token: Token, rounding?: "down" | "up") =>
  token.pinned
    ? `${formatRounded(Amount.format(amount, token.decimals), rounding)} ${token.symbol}`
    : `${amount} units of ${token.address}`

/** Formats an amount exactly, together with the number that is signed, as in `10.5 USDC (10500000 units)`. */
export const formatExactAmount = (amount: bigint, token: Token) =>
  token.pinned
    ? `${formatDecimal(Amount.format(amount, token.decimals))} ${token.symbol} (${amount} units)`
    : formatAmount(amount, token)
