/** The configuration of the service: one JSON file without secrets, described in `docs/configuration.md`. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Fields from "./fieldSchemas.js"
import { describeIssues } from "./describeIssues.js"
import { parseJsonWithPositions } from "./parseJsonWithPositions.js"
import { crossFieldProblems } from "./crossFieldRules.js"
import { addressKey } from "../chains/addressKey.js"
import type { Asset } from "../venue/Venue.js"

const { Amount, Decimal, EvmAddress, fraction, Name, withDefault, Path, PositiveDecimal, Rate, SolanaAddress } = Fields
const { Url, Variable, whole } = Fields

const anyToken = {
  symbol: Name,
  decimals: whole(0, 36),
  /** What the venue's table calls it; its symbol where absent. */
  asset: Schema.optionalKey(Name)
}

/** A token that can be swapped, at an address of its chain's family. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  readonly asset?: string
}

const EvmToken = Schema.Struct({ ...anyToken, address: EvmAddress.pipe(Schema.decodeTo(Schema.String)) })
const SolanaToken = Schema.Struct({ ...anyToken, address: SolanaAddress })

const native = (symbol: string) =>
  withDefault(Schema.Struct({ symbol: withDefault(Name, symbol), asset: Schema.optionalKey(Name) }), {})

const anyChain = {
  id: Fields.ChainId,
  name: Name,
  /** In order of preference. */
  rpcUrls: Schema.NonEmptyArray(Url),
  /** How many of them must agree on a terminal fact; a majority unless set. */
  quorum: Schema.optionalKey(whole(1, Fields.maxQuorum)),
  /** How often to look at a transaction under way. */
  pollMillis: withDefault(whole(20, 60_000), 1_000),
  /** How long one request to a node may take. */
  timeoutMillis: withDefault(whole(100, 60_000), 10_000)
}

/** A contract where inputs go and outputs come from, and the version of the account that pays it. */
const Vault = Schema.Struct({ address: EvmAddress, delegate: EvmAddress })
export type Vault = typeof Vault.Type

/** In order of preference: wallets are asked to delegate to the first one's account, and deliveries leave from it. */
const Vaults = Schema.NonEmptyArray(Vault)

const evmChain = {
  ...anyChain,
  kind: Schema.tag("evm"),
  native: native("ETH"),
  tokens: Schema.Array(EvmToken),
  /** Blocks, the first included, until a transaction counts. */
  confirmations: withDefault(whole(1, 10_000), 12),
  /** Until a transaction that waits is sent again with a higher fee. */
  stuckAfterMillis: withDefault(whole(100, 3_600_000), 30_000),
  /** The most that is ever offered per gas, in wei. */
  maxFeePerGas: withDefault(Amount, "500000000000"),
  keys: withDefault(Schema.Struct({ relayer: withDefault(Variable, "GEOSWAP_EVM_RELAYER_KEY") }), {})
}

/** The file has either `vaults`, or `vault` and `delegate` for a list of one. */
const EvmChainFile = Schema.Struct({
  ...evmChain,
  vault: Schema.optionalKey(EvmAddress),
  delegate: Schema.optionalKey(EvmAddress),
  vaults: Schema.optionalKey(Vaults)
})

const missing = (field: string) => new SchemaIssue.Pointer([field], new SchemaIssue.MissingKey(undefined))

export const EvmChain = EvmChainFile.pipe(
  Schema.decodeTo(
    Schema.toType(Schema.Struct({ ...evmChain, vaults: Vaults })),
    SchemaTransformation.transformEffect({
      decode: ({ delegate, vault, vaults, ...chain }) => {
        if (vaults !== undefined) return Effect.succeed({ ...chain, vaults })
        if (vault === undefined) return Effect.fail(missing("vault"))
        if (delegate === undefined) return Effect.fail(missing("delegate"))
        return Effect.succeed({ ...chain, vaults: [{ address: vault, delegate }] as const })
      },
      encode: Effect.succeed
    })
  )
)
export type EvmChain = typeof EvmChain.Type

export const SolanaChain = Schema.Struct({
  ...anyChain,
  kind: Schema.tag("solana"),
  native: native("SOL"),
  tokens: Schema.Array(SolanaToken),
  /** The owner of the token accounts that hold the inventory. */
  vault: SolanaAddress,
  /** In micro-lamports, for every transaction. */
  computeUnitPrice: withDefault(Amount, "1000"),
  keys: withDefault(
    Schema.Struct({
      relayer: withDefault(Variable, "GEOSWAP_SOLANA_RELAYER_KEY"),
      vault: withDefault(Variable, "GEOSWAP_SOLANA_VAULT_KEY")
    }),
    {}
  )
})
export type SolanaChain = typeof SolanaChain.Type

/** Prices in the file itself: size moves them as if each asset were a pool against dollars of that depth. */
export const TableVenue = Schema.Struct({
  kind: Schema.tag("table"),
  prices: Schema.Record(
    Name,
    Schema.Struct({
      usd: PositiveDecimal,
      /** US dollars on each side of the pool. */
      depthUsd: PositiveDecimal,
      /** Whether callers are told dollars; a price all the same. */
      showUsd: withDefault(Schema.Boolean, true)
    })
  )
})
export type TableVenue = typeof TableVenue.Type

/** Prices from elsewhere, by the contract in `docs/venue.md`. */
export const HttpVenue = Schema.Struct({
  kind: Schema.tag("http"),
  url: Url,
  /** The environment variable of a bearer token, where the venue wants one. */
  token: Schema.optionalKey(Variable),
  timeoutMillis: withDefault(whole(50, 30_000), 2_000),
  /** Prices that are older are refused. */
  maxAgeMillis: withDefault(whole(100, 600_000), 10_000),
  /** How far the dollars of both sides may be apart before a price counts as absurd. */
  maxDeviationBps: withDefault(whole(1, 10_000), 3_000)
})
export type HttpVenue = typeof HttpVenue.Type

const Tier = Schema.Struct({
  tier: Name,
  /** Whole tokens of the service's token. */
  minimum: Decimal,
  discountPercent: fraction(100)
})

const Fees = Schema.Struct({
  baseFeeBps: fraction(5_000),
  /** The symbol of the service's token, whose holders pay less: what a wallet has of it on the origin chain counts. */
  token: Schema.optionalKey(Name),
  /** From low to high. */
  tiers: withDefault(Schema.Array(Tier), [])
})
export type Fees = typeof Fees.Type

const Bucket = Schema.Struct({
  perSecond: Rate,
  burst: whole(1, 1_000_000)
})

const Limits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  delegation: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  build: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  submit: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  status: withDefault(Bucket, { perSecond: 20, burst: 40 }),
  chains: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  /** Requests without an accepted key, by network address. */
  failedAuth: withDefault(Bucket, { perSecond: 1, burst: 20 }),
  /** Status requests of an account that are held at once. */
  heldPerAccount: withDefault(whole(1, 1_000_000), 1_000)
})
export type Limits = typeof Limits.Type

/** What all visitors of the page may do together. */
const TotalLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  delegation: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  build: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  submit: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  status: withDefault(Bucket, { perSecond: 200, burst: 800 }),
  chains: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  balances: withDefault(Bucket, { perSecond: 50, burst: 200 })
})

/** What the visitors of the page may do, each by their address. */
const ClientLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  delegation: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  build: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  submit: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  status: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  chains: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  balances: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  /** Status requests of an address that are held at once. */
  heldPerClient: withDefault(whole(1, 1_000_000), 8),
  /** Of all visitors together: they share one account. */
  total: withDefault(TotalLimits, {})
})
export type ClientLimits = typeof ClientLimits.Type

/** How many proxies in front of the service add to `X-Forwarded-For`; with none the header is ignored. */
const Proxies = whole(0, 10)

/** The swap page, and what it may ask for. */
const Web = Schema.Struct({
  /** Another page than that of `@geoswap/web`, relative to this file. */
  folder: Schema.optionalKey(Path),
  /** Whom the swaps of the page belong to. It needs no key. */
  account: withDefault(Fields.AccountName, "web"),
  limits: withDefault(ClientLimits, {}),
  /** The same as `listen.trustedProxies`, where it was before: see `trustedProxies`. */
  trustedProxies: withDefault(Proxies, 0),
  /** Where people look transactions up, by the id of the chain. */
  explorers: withDefault(Schema.Record(Schema.String, Fields.Explorer), {})
})
export type Web = typeof Web.Type

const Execution = Schema.Struct({
  /** How long a delivery that the chain would refuse is tried again before the input goes back. */
  deliveryPatienceMillis: withDefault(whole(0, 86_400_000), 60_000),
  /** How long a venue that does not answer is asked again, when the origin is final, before the input goes back. */
  venuePatienceMillis: withDefault(whole(0, 86_400_000), 120_000),
  /** How long a destination whose node does not answer is waited for, before the input goes back. */
  destinationPatienceMillis: withDefault(whole(0, 86_400_000), 600_000),
  /** How old a quote may be when its output is delivered. Beyond this age the input is refunded. */
  maxQuoteAgeMillis: withDefault(whole(300_000, 7_200_000), 1_200_000),
  /** Swaps that one process works on at once. */
  concurrency: withDefault(whole(1, 100_000), 2_000)
})
export type Execution = typeof Execution.Type

/** The whole file. */
export const Config = Schema.Struct({
  /** Tokens of one environment are refused by another, even with the same keys. */
  environment: withDefault(Name, "production"),
  listen: withDefault(
    Schema.Struct({
      host: withDefault(Path, "127.0.0.1"),
      port: withDefault(whole(0, 65_535), 8787),
      /** That of `web` if omitted. */
      trustedProxies: Schema.optionalKey(Proxies)
    }),
    {}
  ),
  /** Where the embedded database is, relative to this file. */
  database: withDefault(Path, "geoswap.db"),
  /** The most connections to PostgreSQL, where that is in use, of one process. */
  databaseConnections: withDefault(whole(2, 1_000), 10),
  /** Where metrics are to be had, which are nobody's business outside; absent, nowhere. */
  admin: Schema.optionalKey(
    Schema.Struct({ host: withDefault(Path, "127.0.0.1"), port: withDefault(whole(0, 65_535), 9464) })
  ),
  chains: Schema.NonEmptyArray(Schema.Union([EvmChain, SolanaChain])),
  venue: Schema.Union([TableVenue, HttpVenue]),
  fees: Fees,
  quotes: withDefault(
    Schema.Struct({
      defaultSlippageBps: withDefault(whole(0, 500), 50),
      /** At this price impact or worse, a quote carries a warning. */
      highPriceImpactBps: withDefault(whole(-10_000, 0), -300),
      /**
       * How far the venue's price may fall below a quote's output until it is delivered. Beyond that, the quote is not
       * honored, no matter which minimum the caller accepts. Default: half of `fees.baseFeeBps`, rounded down.
       */
      maxDriftBps: Schema.optionalKey(whole(0, 10_000))
    }),
    {}
  ),
  execution: withDefault(Execution, {}),
  limits: withDefault(Limits, {}),
  /** The web pages that may call the service. */
  cors: withDefault(Schema.Struct({ origins: withDefault(Schema.Array(Fields.Origin), []) }), {}),
  /** The page for people who swap; absent, there is none. */
  web: Schema.optionalKey(Web)
})
type File = typeof Config.Type

/** What a file means: with every default filled in. */
export type Config = Omit<File, "quotes"> & { readonly quotes: Required<File["quotes"]> }

/** The default of `maxDriftBps`: half of the fee, so that a price that moves after the quote earns the caller nothing. */
const complete = ({ quotes, ...file }: File): Config => ({
  ...file,
  quotes: { maxDriftBps: Math.floor(file.fees.baseFeeBps / 2), ...quotes }
})

/** The file makes no sense. All that is wrong with it, one line each. */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>()("InvalidConfig", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

const decode = Schema.decodeUnknownResult(Config, { errors: "all", onExcessProperty: "error", reportInput: true })

/**
 * Reads the text of a configuration file, and checks all that can be checked without asking anybody.
 *
 * @example
 * ```ts
 * const config = Config.parse(readFileSync("geoswap.json", "utf8"))
 * ```
 */
export const parse = (text: string): Effect.Effect<Config, InvalidConfig> =>
  Effect.suspend(() => {
    const parsed = parseJsonWithPositions(text)
    if ("problems" in parsed) return Effect.fail(new InvalidConfig({ problems: parsed.problems }))
    const decoded = decode(parsed.value)
    const crossField = crossFieldProblems(parsed.value)
    return Result.isSuccess(decoded) && crossField.length === 0
      ? Effect.succeed(complete(decoded.success))
      : Effect.fail(
          new InvalidConfig({
            problems: [...(Result.isFailure(decoded) ? describeIssues(decoded.failure.issue) : []), ...crossField]
          })
        )
  })

/** How many proxies are trusted to name the address of a client, wherever the file says so. */
export const trustedProxies = ({ listen, web }: Pick<Config, "listen" | "web">): number =>
  listen.trustedProxies ?? web?.trustedProxies ?? 0

/** The page as it is where the file says no more than that there is one. */
export const plainWeb = (): Web => Schema.decodeSync(Web)({})

/** What the venue's table calls the tokens of a configuration. */
export const priceNames = (config: Pick<Config, "chains">): ((asset: Asset) => string) => {
  const names = new Map<string, string>()
  const key = (chainId: number, address: string) => `${chainId}:${addressKey(address)}`
  for (const { id, kind, native, tokens } of config.chains) {
    names.set(key(id, Chain.nativeToken[kind]), native.asset ?? native.symbol)
    for (const { address, asset, symbol } of tokens) names.set(key(id, address), asset ?? symbol)
  }
  // A symbol proves nothing about a token that is not listed: its address has no price.
  return ({ address, chainId }) => names.get(key(chainId, address)) ?? address
}
