/** The configuration file, which is a single JSON file. Unknown fields are rejected. */
import { Chain, Hex, Payment } from "@geoswap/core"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { devnetOf, Flags } from "../flags/Flags.js"
import { Host, variable } from "../node/Host.js"
import { explained, usage } from "../output/Exit.js"
import { schemaErrors } from "./schemaErrors.js"
import { isSymbol, isConfusable, symbolFormat } from "../chains/tokenSymbols.js"
import { areDistinct, nameFormat } from "./names.js"
import { type PrivateFile, readText, writeAllPrivate } from "../node/secretFile.js"

const expecting = (expected: string) => ({ expected })

const matching = (isValid: (text: string) => boolean, expected: string) =>
  Schema.String.check(Schema.makeFilter(isValid, expecting(expected)))

const between = (minimum: number, maximum: number, what: string) =>
  Schema.isBetween({ minimum, maximum }, expecting(`${what} from ${minimum} to ${maximum.toLocaleString("en-US")}`))

/** A struct whose fields are all optional. */
const partial = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct(fields).mapFields(Struct.map(Schema.optionalKey))

const Text = Schema.String.check(Schema.isMinLength(1, expecting("a non-empty string")))

const address =
  "an address: 0x followed by 40 hex digits (with a valid checksum if in mixed case), or 32 bytes in base58"
const Address = matching((text) => Chain.isAddress("evm", text) || Chain.isAddress("solana", text), address)

/** Whether a string is a valid service URL: an https URL, or an http URL on this machine. */
export const isServiceUrl = (text: string) => {
  if (!URL.canParse(text)) return false
  const { hash, hostname, password, protocol, search, username } = new URL(text)
  const local = protocol === "http:" && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return (protocol === "https:" || local) && username + password + search + hash === ""
}

/** The description of a valid service URL, for error messages. */
export const serviceUrlFormat = "https://host/path, or http:// on this machine"

/** Whether a string is an http(s) URL. */
export const isNodeUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const BasisPoints = Schema.Finite.check(between(0, 10_000, "a number of basis points"))

/** A token in the configuration. */
const TokenEntry = Schema.Struct({
  symbol: matching(isSymbol, symbolFormat),
  address: Address,
  decimals: Schema.Int.check(between(0, 255, "a whole number"))
})
export type Token = typeof TokenEntry.Type

/**
 * The tokens on one chain. Duplicate addresses and confusable symbols are rejected, because they would make a name
 * ambiguous.
 */
const Tokens = Schema.Array(TokenEntry).check(
  Schema.makeFilter(
    (tokens: ReadonlyArray<Token>) =>
      tokens.every(({ address, symbol }, at) =>
        tokens
          .slice(at + 1)
          .every(
            (other) => address.toLowerCase() !== other.address.toLowerCase() && !isConfusable(symbol, other.symbol)
          )
      ),
    expecting("a list of tokens with distinct addresses and symbols that do not look alike")
  )
)

/** A chain in the configuration. */
export const ChainEntry = Schema.Struct({
  name: Schema.optionalKey(Text),
  aliases: Schema.optionalKey(Schema.Array(Text)),
  family: Chain.Family,
  rpcUrl: Schema.optionalKey(matching(isNodeUrl, "an http(s) URL")),
  /** The pinned tokens. */
  tokens: Schema.optionalKey(Tokens)
})

const CodeHash = Schema.optionalKey(Hex.Bytes32.annotate(expecting("0x followed by 64 hex digits")))

/** A service's contracts on one chain. */
const Deployment = Schema.Struct({
  delegates: Schema.optionalKey(Schema.Array(Address)),
  codeHash: CodeHash,
  vault: Address,
  relayer: Schema.optionalKey(Address),
  older: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        delegate: Address,
        vault: Address,
        codeHash: CodeHash
      })
    )
  )
})

const byChain = <S extends Schema.Constraint>(entry: S) =>
  Schema.Record(Schema.String, entry).check(
    Schema.makeFilter(
      (record: object) => Object.keys(record).every((key) => /^[1-9]\d*$/.test(key) && Chain.isChainId(Number(key))),
      expecting("an object whose keys are chain ids, such as 8453")
    )
  )

/** A service's contracts, by chain id. */
export const Deployments = byChain(Deployment)

const TokenAmount = Schema.Struct({ token: Text, amount: Text })

/** The signing policy as the user writes it: tokens as `usdc@base`, amounts in tokens. */
const Policy = partial({
  verification: Schema.Literals(["required", "when-possible"]),
  maxTotalCostBps: BasisPoints,
  maxFeeBps: BasisPoints,
  /** For each listed token, the minimum output of a swap to that token. */
  minOutput: Schema.Array(TokenAmount),
  /**
   * Your own price of each token, in dollars per whole token. `maxLossBps` and `--max-loss` measure a swap between two of
   * them. A price of zero would demand nothing.
   */
  prices: Schema.Record(
    Text,
    Schema.String.check(
      Schema.isPattern(
        /^(?=.*[1-9])(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?$/,
        expecting('a price in dollars, such as "2500.5"')
      )
    )
  ),
  /** The most that the minimum output may be worth less than the input, at `prices`. Not 100%, which demands nothing. */
  maxLossBps: Schema.Finite.check(between(0, 9_999, "a number of basis points")),
  allowedChains: Schema.Array(Text),
  allowedTokens: Schema.Array(Text),
  allowedRecipients: Schema.Array(Address),
  /** The maximum slippage for a swap, in basis points (default: 5,000). */
  maxSlippageBps: BasisPoints,
  /**
   * The maximum amount of each input token that may be authorized within the budget's window. A token that is not
   * listed has a budget of zero.
   */
  budgets: Schema.Array(
    Schema.Struct({
      ...TokenAmount.fields,
      /** The window to which the budget applies (default: `total`). */
      window: Schema.optionalKey(Schema.Literals(["hour", "day", "total"]))
    })
  ),
  /** The ways to pay on EVM chains that are allowed, with the preferred one first (default: all of them). */
  paymentMethods: Schema.Array(Schema.Literals(["delegation", ...Payment.methods])).check(
    Schema.isMinLength(1, expecting("at least one way to pay"))
  ),
  /** What to do after the service rejects a signature (default: `resume`). */
  afterRefusal: Schema.Literals(["resume", "trust-service"]),
  /** The maximum time from signing to the operation's deadline, in seconds (default: 180). */
  maxLifetimeSeconds: Schema.Finite.check(between(1, 900, "a number of seconds"))
})

const byName = <S extends Schema.Constraint>(entry: S) =>
  Schema.Record(Schema.String, entry).check(
    Schema.makeFilter(
      (record: object) => areDistinct(Object.keys(record)),
      expecting(`an object whose keys are names: ${nameFormat}, and no two that look alike`)
    )
  )

/** Where a key is stored. */
const Key = Schema.Struct({
  family: Chain.Family,
  ...partial({ keystore: Text, file: Text, env: Text }).fields
}).check(
  Schema.makeFilter(
    ({ family, ...sources }: { readonly family: Chain.Family; readonly keystore?: string }) =>
      Object.keys(sources).length === 1 && (family === "evm" || sources.keystore === undefined),
    expecting("an object with a family and exactly one of: keystore (EVM only), file, env")
  )
)
export type Key = typeof Key.Type

/** The user's keys by name. The first key of a chain family is the default. */
const Keys = byName(Key)

/** The complete configuration file. */
export const ConfigFile = partial({
  service: Schema.Struct({ url: matching(isServiceUrl, serviceUrlFormat), apiKeyFile: Schema.optionalKey(Text) }),
  chains: byChain(ChainEntry),
  deployments: Deployments,
  policy: Policy,
  keys: Keys,
  /** The address book: addresses by name. */
  contacts: byName(Address),
  timeoutSeconds: Schema.Finite.check(between(1, 86_400, "a number of seconds"))
})
export type ConfigFile = typeof ConfigFile.Type

/** The configuration is missing or invalid. */
class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  ...explained,
  /** The invalid fields of a file, one sentence each. */
  errors: Schema.optionalKey(Schema.Array(Schema.String))
}) {}

/** Creates a `SettingsError`. */
export const settingsError = (message: string, next = "Correct it and run the command again.") =>
  new SettingsError({ message, next })

/** Decodes JSON with a schema. Reports all errors at once. */
export const decode =
  <A>(schema: Schema.ConstraintDecoder<A>, file: string) =>
  (text: string) =>
    Effect.suspend(() => {
      const fail = (errors: ReadonlyArray<string>) =>
        Effect.fail(
          new SettingsError({
            message: [`${file} is invalid:`, ...errors.map((error) => `  - ${error}`)].join("\n"),
            next: "Correct the file and run the command again.",
            errors
          })
        )
      let value: unknown
      try {
        value = JSON.parse(text.replace(/^\uFEFF/, ""))
      } catch (cause) {
        // The parser's message can quote the file, so only the position is reported.
        const [, position] = /\(line (\d+ column \d+)\)/.exec(String(cause)) ?? []
        return fail([
          `Not valid JSON${position === undefined ? "" : ` at line ${position.replace(" column", ", column")}`}.`
        ])
      }
      const result = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)
      return Result.isSuccess(result) ? Effect.succeed(result.success) : fail(schemaErrors(result.failure.issue))
    })

/** Reads the configuration file at a path. */
const readAt = (path: string) =>
  Effect.flatMap(
    readText(path, `The configuration ${path}`, "Run geoswap init to create one, or pass another file with --config."),
    decode(ConfigFile, path)
  )

/** The configuration file. `read` returns an empty configuration if the file does not exist and was not named. */
export const file = Effect.gen(function* () {
  const { config } = yield* Flags
  const host = yield* Host
  const named = config ?? variable(host, "GEOSWAP_CONFIG")
  const path =
    named === undefined
      ? join(variable(host, "XDG_CONFIG_HOME") ?? join(host.home, ".config"), "geoswap", "config.json")
      : resolve(host.folder, named)
  const exists = existsSync(path)
  return { path, exists, read: exists || named !== undefined ? readAt(path) : Effect.succeed<ConfigFile>({}) }
})

/** Reads the configuration to change it. `save` writes a valid configuration, together with other private files. */
export const edit = Effect.gen(function* () {
  if (devnetOf(yield* Flags, yield* Host) !== undefined) {
    return yield* usage(
      "With --devnet, the keys, tokens and contracts come from the devnet file.",
      "Omit --devnet to change your configuration."
    )
  }
  const { exists, path } = yield* file
  const config = exists ? yield* readAt(path) : {}
  return {
    path,
    config,
    save: (changed: unknown, files: ReadonlyArray<PrivateFile> = []) =>
      Effect.tap(decode(ConfigFile, path)(JSON.stringify(changed)), (valid) =>
        writeAllPrivate([...files, { path, text: `${JSON.stringify(valid, null, 2)}\n` }])
      )
  }
})
