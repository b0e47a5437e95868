/**
 * The chains and tokens that can be named, and the names that people use for them. Nothing is ever guessed, and nothing
 * that decides what is signed comes from the service.
 */
import { Amount, Chain, Client, type SwapError, type Transport } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { UsageError } from "../output/Exit.js"
import { checksumProblem } from "./addressProblem.js"
import { bundledChain, nativeTokenOf } from "./bundledChains.js"
import { clean, foreign } from "../output/text.js"
import { type ConfiguredChain, Settings } from "../config/Settings.js"

/** A token that the user's side vouches for: its symbol and its decimals can be computed with. */
export interface PinnedToken {
  readonly pinned: true
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  /** The chain's own coin, which can only be received. */
  readonly native: boolean
}

/** A token of which only the address is known. Its amounts are in smallest units. */
interface UnpinnedToken {
  readonly pinned: false
  readonly address: string
  readonly native: false
}

/** A token that can be swapped. */
export type Token = PinnedToken | UnpinnedToken

/** What the service lists and the user has not pinned. It fills a menu, and nothing is computed from it. */
interface ListedToken {
  readonly symbol: string
  readonly address: string
}

/** A chain that can be named. */
export interface KnownChain {
  readonly id: number
  /** From the configuration or this program, never from the service. */
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly kind: Chain.Family
  readonly rpcUrl: string | undefined
  /** The pinned tokens; the native token is the last of them. */
  readonly tokens: ReadonlyArray<PinnedToken>
  readonly listed: ReadonlyArray<ListedToken>
  /** The tokens that the service describes in another way than they are pinned. */
  readonly disputed: ReadonlyArray<Disputed>
  /** What the service calls it. */
  readonly listedName: string | undefined
  /** Whether the service lists it. */
  readonly served: boolean
}

/** A pinned token, and what the service says of the same address. */
interface Disputed {
  readonly token: PinnedToken
  readonly symbol: string
  readonly decimals: number
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

const toChain = (id: number, configured: ConfiguredChain | undefined, served: Chain.Chain | undefined): KnownChain => {
  const bundled = bundledChain(id)
  const kind = configured?.kind ?? bundled?.kind ?? Chain.families()(id)
  // A service that says another family has nothing that could be used.
  const agreed = served?.kind === kind ? served : undefined
  const isNative = ({ address }: { readonly address: string }) =>
    Chain.sameAddress(kind, address, Chain.nativeToken[kind])
  const own = configured?.tokens ?? []
  const pinned = own
    .filter((token) => !isNative(token) && Chain.isAddress(kind, token.address))
    .map(({ address, decimals, symbol }): PinnedToken => ({
      pinned: true,
      symbol: clean(symbol),
      address,
      decimals,
      native: false
    }))
  const { address, decimals, symbol } = own.find(isNative) ?? nativeTokenOf(id, kind)
  const tokens: ReadonlyArray<PinnedToken> = [
    ...pinned,
    { pinned: true, symbol: clean(symbol), address, decimals, native: true }
  ]
  const listed = (agreed?.tokens ?? []).filter((token) => Chain.isAddress(kind, token.address))
  const pinnedAt = (at: string) => tokens.find((token) => Chain.sameAddress(kind, token.address, at))
  const name = configured?.name ?? bundled?.name ?? `chain ${id}`
  return {
    id,
    name: clean(name),
    aliases: [
      ...new Set([...(configured?.aliases ?? []), ...(bundled ? [bundled.name, ...bundled.aliases] : [])])
    ].filter((alias) => alias !== name),
    kind,
    rpcUrl: configured?.rpcUrl,
    tokens,
    listed: listed
      .filter((token) => pinnedAt(token.address) === undefined)
      .map((token) => ({ symbol: foreign(token.symbol, 24), address: token.address })),
    disputed: listed.flatMap((said) => {
      const token = pinnedAt(said.address)
      return token === undefined || token.decimals === said.decimals
        ? []
        : [{ token, symbol: foreign(said.symbol, 24), decimals: said.decimals }]
    }),
    listedName: agreed && foreign(agreed.name, 40),
    served: agreed !== undefined
  }
}

/**
 * The chains of the service and those of the configuration as one list, by id. Names, families and tokens are the
 * configuration's and this program's; the service adds ids, and what it says besides fills menus.
 */
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

/** A name that only the service uses must not choose a chain: the service would choose it. */
const onlyListed = (name: string, { id, kind }: KnownChain) =>
  unknown(
    `"${clean(name)}" is what the service calls chain ${id}. A name from the service is not used.`,
    `Use the id ${id} if that is the chain you mean, or name it yourself: geoswap config set chains.${id} '{"kind":"${kind}","name":"…"}'`
  )

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
    const listed = chains.find(({ listedName }) => listedName !== undefined && normal(listedName) === wanted)
    if (only === undefined && listed !== undefined) return yield* onlyListed(name, listed)
    return yield* only === undefined
      ? unknown(`No chain is called "${clean(name)}".`, `Chains: ${listOf(chains.map(chainWords))}`)
      : unknown(`"${clean(name)}" means more than one chain.`, `Use the id of one: ${listOf(found.map(chainWords))}`)
  })

/** The command that pins a token. */
export const pinCommand = (chain: Pick<KnownChain, "id">, token: string): string =>
  `geoswap token add ${chain.id} ${token}`

const notPinned = (name: string, chain: KnownChain): UnknownName => {
  const bundled = bundledChain(chain.id)?.tokens.find(({ symbol }) => normal(symbol) === normal(name))
  const listed = chain.listed.some(({ symbol }) => normal(symbol) === normal(name))
  return unknown(
    `No pinned token on ${chainWords(chain)} is called "${clean(name)}".${
      listed ? " The service lists one, which vouches for nothing." : ""
    }`,
    [
      `Pinned there: ${listOf(chain.tokens.map(({ symbol }) => symbol))}.`,
      bundled === undefined
        ? `Pin it by an address that you trust: ${pinCommand(chain, "<address>")} --rpc <url>`
        : `Pin it: ${pinCommand(chain, bundled.symbol.toLowerCase())}`
    ].join(" ")
  )
}

/** The token that a symbol or an address means on a chain; `native` is the chain's own coin. */
export const resolveToken = (name: string, chain: KnownChain): Effect.Effect<Token, UnknownName> =>
  Effect.suspend((): Effect.Effect<Token, UnknownName> => {
    if (Chain.isAddress(chain.kind, name)) {
      return Effect.succeed(tokenAt(chain, name) ?? { pinned: false, address: name, native: false })
    }
    const problem = chain.kind === "evm" ? checksumProblem(name) : undefined
    if (problem !== undefined) return Effect.fail(unknown(problem.what, problem.next))
    const wanted = normal(name)
    const found = chain.tokens.filter(
      (token) => normal(token.symbol) === wanted || (token.native && wanted === "native")
    )
    const [only, ...others] = found
    if (only === undefined) return Effect.fail(notPinned(name, chain))
    if (others.length === 0) return Effect.succeed(only)
    const candidates = listOf(found.map(({ address, symbol }) => `${symbol} ${address}`))
    return Effect.fail(
      unknown(
        `"${clean(name)}" means more than one token on ${chainWords(chain)}.`,
        `Use the address of one: ${candidates}`
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

/** The pinned token at an address. */
export const tokenAt = (chain: KnownChain | undefined, address: string): PinnedToken | undefined =>
  chain?.tokens.find((token) => Chain.sameAddress(chain.kind, token.address, address))

const usage = (message: string, next: string) => new UsageError({ message, next })

const positive = (amount: bigint, family: Chain.Family, text: string): Effect.Effect<bigint, UsageError> =>
  amount > 0n && amount <= Amount.max(family)
    ? Effect.succeed(amount)
    : Effect.fail(
        usage(`The amount ${clean(text)} is ${amount === 0n ? "nothing" : "too large"}.`, "Try another amount.")
      )

/** An amount in whole tokens, `10` or `0.5`, in the token's smallest unit. Only a pinned token says what that is. */
export const parseAmount = (
  text: string,
  { chain, token }: Place,
  rawFlag = "--amount-raw"
): Effect.Effect<bigint, UsageError> => {
  if (!token.pinned) {
    return Effect.fail(
      usage(
        `${token.address} on ${chainWords(chain)} is not pinned: its amounts can only be given in smallest units.`,
        `Use ${rawFlag} <units>, or pin the token: ${pinCommand(chain, token.address)}`
      )
    )
  }
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

/** An amount for people: `10.5 USDC`, or smallest units if the token is not pinned. */
export const formatAmount = (amount: bigint, token: Token): string =>
  token.pinned ? `${Amount.format(amount, token.decimals)} ${token.symbol}` : `${amount} units of ${token.address}`

/** An amount for people with the exact number that is signed: `10.5 USDC (10500000 units)`. */
export const exactAmount = (amount: bigint, token: Token): string =>
  token.pinned ? `${formatAmount(amount, token)} (${amount} units)` : formatAmount(amount, token)
