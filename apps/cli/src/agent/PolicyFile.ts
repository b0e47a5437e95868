/** The file of a wallet's policy, authenticated with a key that is derived from the wallet's secret. */
import { existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { Chain, type Store } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Deployments } from "../config/ConfigFile.js"
import { Settings } from "../config/Settings.js"
import type { Source } from "../keys/KeySource.js"
import { Host, variable } from "../node/Host.js"
import { describeFileError, readIfExists, writePrivate } from "../node/secretFile.js"
import { isMac, type MacKeys, macOf } from "./mac.js"
import { PolicyTampered } from "./PolicyError.js"
import { addressKey } from "./tokens.js"

const Raw = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,77})$/))
const Decimal = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/))
const Positive = Schema.Int.check(Schema.isGreaterThan(0))
const Bps = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))

/** A token on a chain. */
const TokenRef = Schema.Struct({ chainId: Schema.Int, token: Schema.String })
export type TokenRef = typeof TokenRef.Type

/** A pinned token. Its decimals never come from the service or from the configuration. */
const PinnedToken = Schema.Struct({
  chainId: Schema.Int,
  address: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 77 }))
})
export type PinnedToken = typeof PinnedToken.Type

/**
 * How much of a token may be paid without a person's approval: by each swap or, with a window, by all swaps of the
 * window together that were signed without an approval.
 */
const Threshold = Schema.Struct({
  ...TokenRef.fields,
  amount: Raw,
  window: Schema.optionalKey(Schema.Literals(["hour", "day"]))
})

/** A token's price in dollars: fixed, or from a Chainlink-style aggregator that is read through the policy's node. */
const PriceSource = Schema.Union([
  Schema.Struct({ usd: Decimal }),
  Schema.Struct({
    chainId: Schema.Int,
    rpcUrl: Schema.String,
    address: Schema.String,
    maxAgeSeconds: Positive
  })
])
export type PriceSource = typeof PriceSource.Type

/** A pair with a price that does not come from the service. */
const Pair = Schema.Union([
  Schema.Struct({ input: TokenRef, output: TokenRef, minRate: Decimal }),
  Schema.Struct({
    input: TokenRef,
    output: TokenRef,
    prices: Schema.Struct({ input: PriceSource, output: PriceSource }),
    // A loss of everything would demand nothing.
    maxLossBps: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 9_999 }))
  })
])
export type Pair = typeof Pair.Type

/** The rules of a policy. Amounts are in the smallest unit. */
export const AgentRules = Schema.Struct({
  version: Schema.Literal(1),
  /** Grows with every change, so that an older policy is not accepted with a newer store. */
  revision: Schema.Int,
  wallet: Schema.Struct({ family: Chain.Family, address: Schema.String }),
  store: Schema.Struct({ path: Schema.String, id: Schema.String }),
  service: Schema.String,
  deployments: Deployments,
  /** The user's own nodes, by chain id. */
  nodes: Schema.Record(Schema.String, Schema.String),
  chains: Schema.Array(Schema.Int),
  tokens: Schema.Array(PinnedToken),
  recipients: Schema.Array(Schema.String),
  budgets: Schema.Array(
    Schema.Struct({
      ...TokenRef.fields,
      amount: Raw,
      window: Schema.Literals(["hour", "day", "total"])
    })
  ),
  approveAbove: Schema.Array(Threshold),
  maxSlippageBps: Bps,
  maxFeeBps: Bps,
  maxTotalCostBps: Bps,
  maxSwapsPerHour: Positive,
  /** The longest time until an operation's deadline, in seconds (default: that of core). */
  maxLifetimeSeconds: Schema.optionalKey(Positive),
  pairs: Schema.Array(Pair),
  approvalSeconds: Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 86_400 })),
  elicitation: Schema.Boolean,
  /** Whether the tools may sign a swap whose outcome the policy's nodes cannot prove. */
  acceptClaims: Schema.Boolean
})
export type AgentRules = typeof AgentRules.Type

const decodeRules = Schema.decodeUnknownOption(AgentRules)

const decodeFile = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ rules: Schema.Unknown, mac: Schema.String }))
)

/** Follows links, so that a link to a keystore has the same policy as the keystore. */
const resolveLinks = (path: string) => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * Returns where the policy of a key is: next to the keystore or key file, wherever the configuration is. For a key in
 * the environment, it is in the default configuration folder.
 */
export const pathsOf = (source: Source, address: string) =>
  Effect.gen(function* () {
    const host = yield* Host
    const { devnetFile } = yield* Settings
    const name = addressKey(address)
    const home = () =>
      join(variable(host, "XDG_CONFIG_HOME") ?? join(host.home, ".config"), "geoswap", "policies", name)
    const base =
      source.kind === "environment"
        ? home()
        : source.kind === "devnet"
          ? `${resolveLinks(devnetFile ?? home())}.${name}`
          : resolveLinks(source.path)
    const storeFolder = `${base}.store`
    return { policy: `${base}.policy.json`, storeFolder, store: join(storeFolder, "store.json") }
  })
export type Paths = Effect.Success<ReturnType<typeof pathsOf>>

/** Whether a wallet has a policy, or a store that a policy left behind. No key is opened. */
export const exists = ({ storeFolder, policy }: Paths) => existsSync(policy) || existsSync(storeFolder)

/** Creates the error for something that cannot be trusted. */
export const tampered = (message: string) =>
  new PolicyTampered({
    message,
    next: "Find out who changed it. Restore the latest copy, or create the policy again with geoswap policy init."
  })

/** Creates the error for a file that cannot be trusted. */
export const untrusted = (path: string, found: string) => tampered(`${path} ${found}. Nothing was signed.`)

const textOf = (rules: unknown) => JSON.stringify(["geoswap agent policy", rules])

/** Reads and verifies a policy. Returns `undefined` if the wallet has none. */
export const read = Effect.fnUntraced(function* ({ policy: path, storeFolder }: Paths, keys: MacKeys) {
  const text = yield* Effect.try({
    try: () => readIfExists(path),
    catch: (cause) => untrusted(path, `cannot be read: ${describeFileError(cause)}`)
  })
  if (text === undefined) {
    return existsSync(storeFolder) ? yield* untrusted(path, "is missing, but its store exists") : undefined
  }
  const file = decodeFile(text)
  if (Option.isNone(file) || !isMac(file.value.mac, textOf(file.value.rules), keys.policy)) {
    return yield* untrusted(path, "has been altered, or is damaged")
  }
  const decoded = decodeRules(file.value.rules)
  return Option.isSome(decoded)
    ? decoded.value
    : yield* untrusted(path, "was written by another version of this program")
})

/** Writes a policy with its MAC. */
export const write = ({ policy }: Paths, rules: AgentRules, keys: MacKeys) =>
  Effect.flatMap(Effect.orDie(Schema.encodeEffect(AgentRules)(rules)), (encoded) =>
    writePrivate(policy, `${JSON.stringify({ rules: encoded, mac: macOf(textOf(encoded), keys.policy) }, null, 2)}\n`)
  )

/**
 * Stores the revision of a policy if it is newer than the latest one, and returns the latest one. An earlier policy is
 * refused, although its MAC is valid.
 */
export const noteRevision = (store: Store.Store, revision: number) =>
  store.records.update("agent-policy", (text) => {
    const latest = Number(text ?? 0)
    return revision > latest ? [String(revision), revision] : [text, latest]
  })
