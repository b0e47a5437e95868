/** The service's configuration: one JSON file without secrets, described in `docs/configuration.md`. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressKey } from "../domain/addressKey.js"
import type { Asset } from "../domain/Asset.js"
import { EvmChain, SolanaChain } from "./chainSchemas.js"
import { crossFieldProblems } from "./crossFieldRules.js"
import { describeIssues } from "./describeIssues.js"
import * as Fields from "./fieldSchemas.js"
import { quote } from "./formatValue.js"
import { ClientLimits, Limits } from "./limitSchemas.js"
import { findFault, inspectJson, placeOf } from "./inspectJson.js"
import { explorersOf, fillNetworks } from "./publicNetworks.js"

export { relayerKeysOf } from "./chainSchemas.js"
export type { Depth, Exposure, EvmChain, Losses, SolanaChain, Token, Vault } from "./chainSchemas.js"
export type { ClientLimits, Limits } from "./limitSchemas.js"
export type { ChainPayments, Target, TokenPayments } from "./paymentSchemas.js"

const { Decimal, EvmAddress, fraction, Name, Path, PositiveDecimal, Url, Variable, whole, withDefault } = Fields

/**
 * Prices listed in the file. A swap moves the price according to the swap's size, as if the asset were traded against
 * US dollars in a pool with the given depth.
 */
export const TableVenue = Schema.Struct({
  kind: Schema.tag("table"),
  /** Whether `geoswap-server check` accepts these prices in production, where they do not follow the market. */
  allowStaticPrices: withDefault(Schema.Boolean, false),
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

/** The ENS registry on Ethereum and its test networks. */
const ensRegistry = "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e"

/** The swap page and its limits. */
const Web = Schema.Struct({
  /** The folder that contains a page to serve instead of `@geoswap/web`, relative to the configuration file. */
  folder: Schema.optionalKey(Path),
  /** The account that owns the page's swaps. The account does not need a key. */
  account: withDefault(Fields.AccountName, "web"),
  limits: withDefault(ClientLimits, {}),
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
  deliveryRetryMillis: withDefault(whole(0, 86_400_000), 60_000),
  /**
   * How long to retry an unavailable venue before refunding the input, counted from the time when the input becomes
   * final.
   */
  venueRetryMillis: withDefault(whole(0, 86_400_000), 120_000),
  /** How long to retry an unavailable destination chain before refunding the input. */
  destinationRetryMillis: withDefault(whole(0, 86_400_000), 600_000),
  /** The maximum age of a quote when its output is delivered. If the quote is older, the input is refunded. */
  maxQuoteAgeMillis: withDefault(whole(300_000, 7_200_000), 2_700_000),
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
      /** How many proxies in front of the service append to `X-Forwarded-For`. If it is 0, the header is ignored. */
      trustedProxies: withDefault(whole(0, 10), 0)
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

const jsonProblems = (text: string): ReadonlyArray<string> => {
  const at = (position: number) => placeOf(text, position).replace("line", "Line")
  const fault = findFault(text)
  if (fault === undefined) {
    return inspectJson(text).repeated.map(
      ({ at: start, name }) => `${at(start)}: the ${quote(name)} field appears more than once.`
    )
  }
  const char = text.charAt(fault.at)
  const found = char === "" ? "the end of the file" : char < " " ? "a control character" : JSON.stringify(char)
  return [`${at(fault.at)}: expected ${fault.expected}, got ${found}.`]
}

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
    const fail = (problems: ReadonlyArray<string>) => Effect.fail(new InvalidConfig({ problems }))
    // Some editors put a byte order mark before the first character.
    const body = text.replace(/^\uFEFF/, "")
    const invalid = jsonProblems(body)
    if (invalid.length > 0) return fail(invalid)
    const filled = fillNetworks(JSON.parse(body))
    // Without its network, a chain would lack most fields, and each of them would be reported.
    if (filled.problems.length > 0) return fail(filled.problems)
    const decoded = decode(filled.file)
    if (Result.isFailure(decoded)) return fail(describeIssues(decoded.failure.issue))
    const config = complete(decoded.success)
    const problems = crossFieldProblems(config)
    return problems.length === 0 ? Effect.succeed(config) : fail(problems)
  })

/** The page configuration with all defaults, for these chains. */
export const plainWeb = (chains: Config["chains"] | readonly [] = []): Web =>
  Schema.decodeSync(Web)({ explorers: explorersOf(chains) })

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
