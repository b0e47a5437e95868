/** The service's configuration: one JSON file without secrets, described in `docs/configuration.md`. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { addressKey } from "../chains/addressKey.js"
import type { Asset } from "../venue/Venue.js"
import { crossFieldProblems } from "./crossFieldRules.js"
import { describeIssues } from "./describeIssues.js"
import * as Fields from "./fieldSchemas.js"
import { parseJsonWithPositions } from "./parseJsonWithPositions.js"
import { ChainPayments, TokenPayments } from "./paymentSchemas.js"

export type { ChainPayments, Target, TokenPayments } from "./paymentSchemas.js"

const { Amount, Decimal, EvmAddress, fraction, Name, withDefault, Path, PositiveDecimal, Rate, SolanaAddress } = Fields
const { SocketUrl, Url, Variable, whole } = Fields

const anyToken = {
  symbol: Name,
  decimals: whole(0, 36),
  /** The token's name in the venue's table (default: its symbol). */
  asset: Schema.optionalKey(Name)
}

/** A token that can be swapped. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
  readonly asset?: string
  /** EVM: how the token can be paid with, other than with a delegation. */
  readonly payments?: TokenPayments
}

const EvmToken = Schema.Struct({
  ...anyToken,
  address: EvmAddress.pipe(Schema.decodeTo(Schema.String)),
  /** How the token can be paid with, other than with a delegation (default: in no other way). */
  payments: Schema.optionalKey(TokenPayments)
})
const SolanaToken = Schema.Struct({ ...anyToken, address: SolanaAddress })

const native = (symbol: string) =>
  withDefault(Schema.Struct({ symbol: withDefault(Name, symbol), asset: Schema.optionalKey(Name) }), {})

const anyChain = {
  id: Fields.ChainId,
  name: Name,
  /** The URLs of the nodes, in order of preference. */
  rpcUrls: Schema.NonEmptyArray(Url),
  /** How many nodes must agree on a final result (default: a majority). */
  quorum: Schema.optionalKey(whole(1, Fields.maxQuorum)),
  /** How often to poll a pending transaction. */
  pollMillis: withDefault(whole(20, 60_000), 1_000),
  /** The maximum number of swaps that share a transaction. If it is 1, each swap has separate transactions. */
  maxBatch: withDefault(whole(1, 50), 10),
  /** The timeout for one request to a node. */
  timeoutMillis: withDefault(whole(100, 60_000), 10_000)
}

/** A vault contract and the account contracts that pay into it. */
const Vault = Schema.Struct({
  address: EvmAddress,
  delegate: EvmAddress,
  /** The second version of the account. In the first vault, new wallets delegate to it instead of to `delegate`. */
  accountV2: Schema.optionalKey(EvmAddress)
})
export type Vault = typeof Vault.Type

/**
 * The vaults, in order of preference. Wallets delegate to the first vault's account contract, and deliveries are paid
 * from the first vault.
 */
const Vaults = Schema.NonEmptyArray(Vault)

const Gas = whole(0, 1_000_000_000_000)

/**
 * The limits of the gas of collections in flight, which is lost if wallets make their collections revert. A collection is in
 * flight until it is final. The defaults are far above what honest callers reach: 10 swaps per second for each account, on a
 * chain that takes two minutes to be final.
 */
const Exposure = Schema.Struct({
  gasPerWallet: withDefault(Gas, 10_000_000),
  /** Of a visitor to the page. All visitors share one account. */
  gasPerVisitor: withDefault(Gas, 5_000_000),
  gasPerAccount: withDefault(Gas, 200_000_000),
  gasPerChain: withDefault(Gas, 1_000_000_000)
})
export type Exposure = typeof Exposure.Type

/**
 * The limits of what the service loses with collections that do not collect the input. The gas is counted for each payment
 * method and clock hour. An account can use half of it, and a visitor to the page a twentieth.
 */
const Losses = Schema.Struct({
  /** The lost gas at which a method is no longer offered until the next hour. */
  gasPerHour: withDefault(Gas, 5_000_000),
  /** The number of losses in 24 hours at which a wallet that caused them can no longer pay. */
  strikes: withDefault(whole(1, 1_000_000), 3)
})
export type Losses = typeof Losses.Type

/** The maximum number of relayers that a vault allows. */
const maxRelayers = 32

const evmChain = {
  ...anyChain,
  kind: Schema.tag("evm"),
  /**
   * The websocket URLs of the nodes in `rpcUrls`, in the same order. A node whose URL is empty does not announce its
   * blocks.
   */
  wsUrls: Schema.optionalKey(Schema.Array(SocketUrl)),
  native: native("ETH"),
  tokens: Schema.Array(EvmToken),
  /** The number of blocks until a transaction is final, including the block that contains the transaction. */
  confirmations: withDefault(whole(1, 10_000), 12),
  /** How long a transaction can be pending before it is replaced by one with a higher fee. */
  stuckAfterMillis: withDefault(whole(100, 3_600_000), 30_000),
  /** The maximum fee per unit of gas, in wei. */
  maxFeePerGas: withDefault(Amount, "500000000000"),
  /** The limits of the gas of collections in flight. */
  exposure: withDefault(Exposure, {}),
  /** The limits of what collections may lose. */
  losses: withDefault(Losses, {}),
  /** The limits of payments without a delegation. Each token lists its methods. */
  payments: withDefault(ChainPayments, {}),
  keys: withDefault(
    Schema.Struct({
      relayer: withDefault(Variable, "GEOSWAP_EVM_RELAYER_KEY"),
      /** The variables for several relayers, instead of `relayer`. Each relayer has a separate sequence of nonces. */
      relayers: Schema.optionalKey(Schema.NonEmptyArray(Variable).check(Schema.isMaxLength(maxRelayers)))
    }),
    {}
  )
}

/**
 * An EVM chain as written in the file. It contains either `vaults`, or `vault`, `delegate` and optionally `accountV2` for
 * a single vault.
 */
const EvmChainFile = Schema.Struct({
  ...evmChain,
  vault: Schema.optionalKey(EvmAddress),
  delegate: Schema.optionalKey(EvmAddress),
  accountV2: Schema.optionalKey(EvmAddress),
  vaults: Schema.optionalKey(Vaults)
})

const missing = (field: string) => new SchemaIssue.Pointer([field], new SchemaIssue.MissingKey(undefined))

export const EvmChain = EvmChainFile.pipe(
  Schema.decodeTo(
    Schema.toType(Schema.Struct({ ...evmChain, vaults: Vaults })),
    SchemaTransformation.transformEffect({
      decode: ({ accountV2, delegate, vault, vaults, ...chain }) => {
        if (vaults !== undefined) return Effect.succeed({ ...chain, vaults })
        if (vault === undefined) return Effect.fail(missing("vault"))
        if (delegate === undefined) return Effect.fail(missing("delegate"))
        const only = { address: vault, delegate, ...(accountV2 !== undefined && { accountV2 }) }
        return Effect.succeed({ ...chain, vaults: [only] as const })
      },
      encode: Effect.succeed
    })
  )
)
export type EvmChain = typeof EvmChain.Type

/** The environment variables with the keys of an EVM chain's relayers. */
export const relayerKeysOf = ({ keys }: Pick<EvmChain, "keys">): readonly [string, ...ReadonlyArray<string>] =>
  keys.relayers ?? [keys.relayer]

export const SolanaChain = Schema.Struct({
  ...anyChain,
  kind: Schema.tag("solana"),
  native: native("SOL"),
  tokens: Schema.Array(SolanaToken),
  /** The owner of the token accounts that hold the inventory. */
  vault: SolanaAddress,
  /** The priority fee, in micro-lamports per compute unit. */
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

/**
 * Prices listed in the file. A swap moves the price according to the swap's size, as if the asset were traded against
 * US dollars in a pool with the given depth.
 */
export const TableVenue = Schema.Struct({
  kind: Schema.tag("table"),
  prices: Schema.Record(
    Name,
    Schema.Struct({
      usd: PositiveDecimal,
      /** The value of each side of the pool, in US dollars. */
      depthUsd: PositiveDecimal,
      /** Whether quotes include values in US dollars. */
      showUsd: withDefault(Schema.Boolean, true)
    })
  )
})
export type TableVenue = typeof TableVenue.Type

/** Prices from an HTTP service, as described in `docs/venue.md`. */
export const HttpVenue = Schema.Struct({
  kind: Schema.tag("http"),
  url: Url,
  /** The environment variable that contains the bearer token, if the venue requires one. */
  token: Schema.optionalKey(Variable),
  timeoutMillis: withDefault(whole(50, 30_000), 2_000),
  /** The maximum age of a price. Older prices are rejected. */
  maxAgeMillis: withDefault(whole(100, 600_000), 10_000),
  /** How far the dollar values of the input and the output may differ before a price is rejected. */
  maxDeviationBps: withDefault(whole(1, 10_000), 3_000)
})
export type HttpVenue = typeof HttpVenue.Type

const Tier = Schema.Struct({
  tier: Name,
  /** The minimum balance of the service's token that this tier requires, in tokens. */
  minimum: Decimal,
  discountPercent: fraction(100)
})

const Fees = Schema.Struct({
  baseFeeBps: fraction(5_000),
  /** The symbol of the service's token. A wallet that holds this token on the origin chain gets a discount. */
  token: Schema.optionalKey(Name),
  /** The tiers, ordered from the lowest minimum to the highest. */
  tiers: withDefault(Schema.Array(Tier), [])
})
export type Fees = typeof Fees.Type

const Bucket = Schema.Struct({
  perSecond: Rate,
  burst: whole(1, 1_000_000)
})

const Limits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 20, burst: 40 }),
  delegation: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  build: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  submit: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  changeDelegation: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  status: withDefault(Bucket, { perSecond: 20, burst: 40 }),
  chains: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  /** The limit for requests without a valid key, by network address. */
  failedAuth: withDefault(Bucket, { perSecond: 1, burst: 20 }),
  /** The maximum number of concurrent long-polling status requests per account. */
  heldPerAccount: withDefault(whole(1, 1_000_000), 1_000)
})
export type Limits = typeof Limits.Type

/** The combined limits for all visitors to the page. */
const TotalLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 100, burst: 400 }),
  delegation: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  build: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  submit: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  changeDelegation: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  status: withDefault(Bucket, { perSecond: 200, burst: 800 }),
  chains: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  balances: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  names: withDefault(Bucket, { perSecond: 20, burst: 100 })
})

/** The limits for each visitor to the page, by network address. */
const ClientLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  delegation: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  build: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  submit: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  /** All visitors share the account's gas budget, so none of them may use most of it: this allows about 12 per day. */
  changeDelegation: withDefault(Bucket, { perSecond: 0.0001, burst: 4 }),
  status: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  chains: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  balances: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  names: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  /** The maximum number of concurrent long-polling status requests per address. */
  heldPerClient: withDefault(whole(1, 1_000_000), 8),
  /** The combined limits for all visitors, who share one account. */
  total: withDefault(TotalLimits, {})
})
export type ClientLimits = typeof ClientLimits.Type

/** How many proxies in front of the service append to `X-Forwarded-For`. If the number is 0, the header is ignored. */
const Proxies = whole(0, 10)

/** The ENS registry on Ethereum and its test networks. */
const ensRegistry = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"

/** The swap page and its limits. */
const Web = Schema.Struct({
  /** The folder that contains a page to serve instead of `@geoswap/web`, relative to the configuration file. */
  folder: Schema.optionalKey(Path),
  /** The account that owns the page's swaps. The account does not need a key. */
  account: withDefault(Fields.AccountName, "web"),
  limits: withDefault(ClientLimits, {}),
  /** The former location of `listen.trustedProxies`. */
  trustedProxies: withDefault(Proxies, 0),
  /** Block explorers, by chain id. */
  explorers: withDefault(Schema.Record(Schema.String, Fields.Explorer), {}),
  /** The ENS registry in which the names of recipients are looked up, and the configured chain that it is on. */
  ens: Schema.optionalKey(Schema.Struct({ chainId: Fields.ChainId, registry: withDefault(EvmAddress, ensRegistry) }))
})
export type Web = typeof Web.Type

/** The settings of an admin listener for which the file contains none. */
export const adminDefaults = { host: "127.0.0.1", port: 9464, sampleMillis: 120_000 }

const Execution = Schema.Struct({
  /** How long to retry a delivery whose simulation fails before refunding the input. */
  deliveryPatienceMillis: withDefault(whole(0, 86_400_000), 60_000),
  /**
   * How long to retry an unavailable venue before refunding the input, counted from the time when the input becomes
   * final.
   */
  venuePatienceMillis: withDefault(whole(0, 86_400_000), 120_000),
  /** How long to retry an unavailable destination chain before refunding the input. */
  destinationPatienceMillis: withDefault(whole(0, 86_400_000), 600_000),
  /** The maximum age of a quote when its output is delivered. If the quote is older, the input is refunded. */
  maxQuoteAgeMillis: withDefault(whole(300_000, 7_200_000), 1_200_000),
  /** The maximum number of swaps that one process works on at once. */
  concurrency: withDefault(whole(1, 100_000), 2_000)
})
export type Execution = typeof Execution.Type

/** Delegations that callers change without a swap. The relayer pays for these transactions. */
const Delegations = Schema.Struct({
  /**
   * The gas that each account may use for them in 24 hours. If it is 0, they are refused. A quarter is kept for wallets
   * that have paid for a swap and remove their delegation.
   */
  gasPerDay: withDefault(whole(0, 1_000_000_000_000), 2_000_000)
})
export type Delegations = typeof Delegations.Type

/** The whole configuration file. */
export const Config = Schema.Struct({
  /**
   * The name of the environment. Sealed tokens from one environment are rejected in another, even with the same keys.
   */
  environment: withDefault(Name, "production"),
  listen: withDefault(
    Schema.Struct({
      host: withDefault(Path, "127.0.0.1"),
      port: withDefault(whole(0, 65_535), 8787),
      /** The public host names (default: on a loopback address, only this machine's; otherwise, any). */
      hosts: Schema.optionalKey(Schema.Array(Fields.HostName)),
      /** The number of trusted proxies (default: `web.trustedProxies`). */
      trustedProxies: Schema.optionalKey(Proxies)
    }),
    {}
  ),
  /** The path to the embedded database, relative to the configuration file. */
  database: withDefault(Path, "geoswap.db"),
  /** The maximum number of PostgreSQL connections per process. */
  databaseConnections: withDefault(whole(2, 1_000), 10),
  /** The private address on which metrics are served. If it is omitted, metrics are not served. */
  admin: Schema.optionalKey(
    Schema.Struct({
      host: withDefault(Path, adminDefaults.host),
      port: withDefault(whole(0, 65_535), adminDefaults.port),
      /** How often to sample the chains. Each sample costs node calls. */
      sampleMillis: withDefault(whole(100, 3_600_000), adminDefaults.sampleMillis)
    })
  ),
  chains: Schema.NonEmptyArray(Schema.Union([EvmChain, SolanaChain])),
  venue: Schema.Union([TableVenue, HttpVenue]),
  fees: Fees,
  quotes: withDefault(
    Schema.Struct({
      defaultSlippageBps: withDefault(whole(0, 500), 50),
      /** A quote carries a warning if its price impact, which is negative for a loss, is at or below this value. */
      highPriceImpactBps: withDefault(whole(-10_000, 0), -300),
      /**
       * How far the venue's price may fall below a quote's output before delivery. If the price falls further, the
       * quote is not honored, no matter what minimum output the caller accepts. Default: half of `fees.baseFeeBps`,
       * rounded down.
       */
      maxDriftBps: Schema.optionalKey(whole(0, 10_000))
    }),
    {}
  ),
  execution: withDefault(Execution, {}),
  delegations: withDefault(Delegations, {}),
  limits: withDefault(Limits, {}),
  /** The origins of web pages that may call the service. */
  cors: withDefault(Schema.Struct({ origins: withDefault(Schema.Array(Fields.Origin), []) }), {}),
  /** The swap page. If this field is omitted, the page is not served. */
  web: Schema.optionalKey(Web)
})
type File = typeof Config.Type

/** A configuration with every default filled in. */
export type Config = Omit<File, "quotes"> & { readonly quotes: Required<File["quotes"]> }

/**
 * Fills in the default `maxDriftBps`, which is half the fee, so that a caller cannot profit from a price that moves
 * after the quote.
 */
const complete = ({ quotes, ...file }: File): Config => ({
  ...file,
  quotes: { maxDriftBps: Math.floor(file.fees.baseFeeBps / 2), ...quotes }
})

/** The file is invalid. The message lists all problems, one per line. */
export class InvalidConfig extends Schema.TaggedError<InvalidConfig>()("InvalidConfig", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

const decode = Schema.decodeUnknownResult(Config, { errors: "all", onExcessProperty: "error", reportInput: true })

/**
 * Parses a configuration file and checks everything that does not require network access.
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

/**
 * How many proxies are trusted to report a client's address. The value is read from either of its two locations in the
 * file.
 */
export const trustedProxies = ({ listen, web }: Pick<Config, "listen" | "web">): number =>
  listen.trustedProxies ?? web?.trustedProxies ?? 0

/** The page configuration with all defaults. */
export const plainWeb = (): Web => Schema.decodeSync(Web)({})

/** Returns a function that maps a token to its name in the venue's table. */
export const priceNames = (config: Pick<Config, "chains">): ((asset: Asset) => string) => {
  const names = new Map<string, string>()
  const key = (chainId: number, address: string) => `${chainId}:${addressKey(address)}`
  for (const { id, kind, native, tokens } of config.chains) {
    names.set(key(id, Chain.nativeToken[kind]), native.asset ?? native.symbol)
    for (const { address, asset, symbol } of tokens) names.set(key(id, address), asset ?? symbol)
  }
  // A symbol proves nothing about an unlisted token, so the token's address is used as its name, and the token has no
  // price.
  return ({ address, chainId }) => names.get(key(chainId, address)) ?? address
}
