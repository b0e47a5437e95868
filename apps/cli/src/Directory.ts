/** The chains and tokens that can be named, and the words that people name them with. Nothing is ever guessed. */
import { Amount, Chain, Client, type SwapError, type Transport } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { UsageError } from "./Exit.js"
import { nativeSymbolOf } from "./internal/natives.js"
import { clean } from "./internal/text.js"
import { type ConfiguredChain, Settings, type Token as ConfiguredToken } from "./Settings.js"

/** A token that can be named. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** The chain's own coin, which can only be received. */
  readonly native: boolean
}

/** A chain that can be named. */
export interface KnownChain {
  readonly id: number
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly kind: Chain.Family
  readonly rpcUrl: string | undefined
  /** The native token is the last of them. */
  readonly tokens: ReadonlyArray<Token>
  /** Whether the service lists it. */
  readonly served: boolean
}

/** The chains, and the family of each. */
export interface Shape {
  readonly chains: ReadonlyArray<KnownChain>
  readonly familyOf: (chainId: number) => Chain.Family
}

/** The chains and tokens that can be named. */
export class Directory extends Context.Service<Directory, Shape>()("@geoswap/cli/Directory") {}

/** A name that is not one chain or one token. */
export class UnknownName extends Schema.TaggedError<UnknownName>()("UnknownName", {
  message: Schema.String,
  next: Schema.String,
  exitCode: Schema.Int
}) {}

const unknown = (message: string, next: string) => new UnknownName({ message, next, exitCode: 64 })

/** Two texts are the same name: case and the kind of space do not count. */
const normal = (text: string): string => clean(text).trim().toLowerCase().replaceAll(/\s+/g, "-")

/** What is configured stands in place of what the service says about the same token, by symbol or by address. */
const mergeTokens = (
  kind: Chain.Family,
  configured: ReadonlyArray<ConfiguredToken>,
  served: ReadonlyArray<ConfiguredToken>
): ReadonlyArray<ConfiguredToken> => [
  ...configured,
  ...served.filter(({ address, symbol }) =>
    configured.every((own) => normal(own.symbol) !== normal(symbol) && !Chain.sameAddress(kind, own.address, address))
  )
]

const toChain = (id: number, configured: ConfiguredChain | undefined, served: Chain.Chain | undefined): KnownChain => {
  const kind = configured?.kind ?? served?.kind ?? "evm"
  // A service that says another family than the configuration has nothing that could be used.
  const agreed = served?.kind === kind ? served : undefined
  const merged = mergeTokens(kind, configured?.tokens ?? [], agreed?.tokens ?? [])
  const isNative = ({ address }: ConfiguredToken) => Chain.sameAddress(kind, address, Chain.nativeToken[kind])
  const native = merged.find(isNative)
  const tokens = merged.flatMap((token) =>
    isNative(token) || !Chain.isAddress(kind, token.address)
      ? []
      : [{ symbol: clean(token.symbol), address: token.address, decimals: token.decimals, native: false }]
  )
  return {
    id,
    name: clean(configured?.name ?? agreed?.name ?? `chain ${id}`),
    aliases: configured?.aliases ?? [],
    kind,
    rpcUrl: configured?.rpcUrl,
    tokens: [
      ...tokens,
      {
        symbol: clean(native?.symbol ?? nativeSymbolOf(id, kind)),
        address: Chain.nativeToken[kind],
        decimals: native?.decimals ?? Chain.nativeDecimals[kind],
        native: true
      }
    ],
    served: agreed !== undefined
  }
}

/** The chains of the service and those of the configuration as one list, by id. */
export const make = (configured: ReadonlyArray<ConfiguredChain>, served: ReadonlyArray<Chain.Chain>): Shape => {
  const ids = [...new Set([...served, ...configured].map(({ id }) => id))]
  const chains = ids.map((id) =>
    toChain(
      id,
      configured.find((chain) => chain.id === id),
      served.find((chain) => chain.id === id)
    )
  )
  return { chains, familyOf: Chain.families(Object.fromEntries(chains.map(({ id, kind }) => [id, kind]))) }
}

/** What the service lists; nothing where it has no such list. */
const served = Effect.catchTag(Client.chains(), "Rejected", (error) =>
  error.status === 404 ? Effect.succeed([]) : Effect.fail(error)
)

/** The chains of the service beside the configured ones. */
export const layer: Layer.Layer<Directory, SwapError.CallError, Settings | Transport.Transport> = Layer.effect(
  Directory,
  Effect.gen(function* () {
    const { chains } = yield* Settings
    return make(chains, yield* served)
  })
)

/** The configured chains alone, without a service. */
export const layerConfigured: Layer.Layer<Directory, never, Settings> = Layer.effect(
  Directory,
  Effect.map(Settings, ({ chains }) => make(chains, []))
)

/** A chain in a few words: `Base (8453)`. */
export const chainWords = ({ id, name }: Pick<KnownChain, "id" | "name">): string => `${name} (${id})`

const listOf = (names: ReadonlyArray<string>): string => (names.length === 0 ? "there are none" : names.join(", "))

/** The chain that a name, an alias or an id means. */
export const resolveChain = (name: string): Effect.Effect<KnownChain, UnknownName, Directory> =>
  Effect.gen(function* () {
    const { chains } = yield* Directory
    const wanted = normal(name)
    const found = chains.filter(
      (chain) => String(chain.id) === wanted || [chain.name, ...chain.aliases].some((own) => normal(own) === wanted)
    )
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) return only
    return yield* only === undefined
      ? unknown(`No chain is called "${clean(name)}".`, `Chains: ${listOf(chains.map(chainWords))}`)
      : unknown(`"${clean(name)}" means more than one chain.`, `Use the id of one: ${listOf(found.map(chainWords))}`)
  })

/** The token that a symbol or an address means on a chain; `native` is the chain's own coin. */
export const resolveToken = (name: string, chain: KnownChain): Effect.Effect<Token, UnknownName> =>
  Effect.suspend(() => {
    const byAddress = Chain.isAddress(chain.kind, name)
    const wanted = normal(name)
    const found = chain.tokens.filter((token) =>
      byAddress
        ? Chain.sameAddress(chain.kind, token.address, name)
        : normal(token.symbol) === wanted || (token.native && wanted === "native")
    )
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) return Effect.succeed(only)
    if (only !== undefined) {
      const candidates = listOf(found.map(({ address, symbol }) => `${symbol} ${address}`))
      return Effect.fail(
        unknown(
          `"${clean(name)}" means more than one token on ${chainWords(chain)}.`,
          `Use the address of one: ${candidates}`
        )
      )
    }
    return Effect.fail(
      unknown(
        byAddress
          ? `${name} is no token that is known on ${chainWords(chain)}.`
          : `No token on ${chainWords(chain)} is called "${clean(name)}".`,
        `Tokens there: ${listOf(chain.tokens.map(({ symbol }) => symbol))}; others go into chains.${chain.id}.tokens of the configuration`
      )
    )
  })

/** A token on its chain. */
export interface Place {
  readonly chain: KnownChain
  readonly token: Token
}

/** What `usdc@base` means. */
export const resolvePair = (text: string): Effect.Effect<Place, UnknownName, Directory> =>
  Effect.gen(function* () {
    const at = text.lastIndexOf("@")
    if (at <= 0 || at === text.length - 1) {
      return yield* unknown(
        `"${clean(text)}" names no token on a chain.`,
        "Write it as token@chain, such as usdc@base."
      )
    }
    const chain = yield* resolveChain(text.slice(at + 1))
    return { chain, token: yield* resolveToken(text.slice(0, at), chain) }
  })

/** The token of an address, where it is known. */
export const tokenAt = (chain: KnownChain | undefined, address: string): Token | undefined =>
  chain?.tokens.find((token) => Chain.sameAddress(chain.kind, token.address, address))

const usage = (message: string, next: string) => new UsageError({ message, next })

const positive = (amount: bigint, family: Chain.Family, text: string): Effect.Effect<bigint, UsageError> =>
  amount > 0n && amount <= Amount.max(family)
    ? Effect.succeed(amount)
    : Effect.fail(
        usage(`The amount ${clean(text)} is ${amount === 0n ? "nothing" : "too large"}.`, "Try another amount.")
      )

/** An amount in whole tokens, `10` or `0.5`, in the token's smallest unit. */
export const parseAmount = (text: string, { chain, token }: Place): Effect.Effect<bigint, UsageError> => {
  const amount = Amount.parse(text, token.decimals)
  if (amount !== undefined) return positive(amount, chain.kind, text)
  return Effect.fail(
    /^[0-9]+\.[0-9]+$/.test(text)
      ? usage(`${text} is finer than ${token.symbol}, which has ${token.decimals} decimals.`, "Use fewer decimals.")
      : usage(`"${clean(text)}" is no amount.`, "Write it in whole tokens with a dot, such as 10 or 0.5.")
  )
}

/** An amount in the token's smallest unit, as `--amount-raw` takes it. */
export const parseRawAmount = (text: string, { chain }: Pick<Place, "chain">): Effect.Effect<bigint, UsageError> => {
  const amount = Amount.fromInput(text)
  return amount === undefined
    ? Effect.fail(usage(`"${clean(text)}" is no raw amount.`, "Write it as a whole number of the smallest unit."))
    : positive(amount, chain.kind, text)
}

/** An amount for people: `10.5 USDC`. */
export const formatAmount = (amount: bigint, { decimals, symbol }: Pick<Token, "decimals" | "symbol">): string =>
  `${Amount.format(amount, decimals)} ${symbol}`
