/** The configuration as it is written: one JSON file, in which an unknown field is a mistake. */
import { Chain, Hex } from "@geoswap/core"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Shape as FlagsShape } from "../commands/Flags.js"
import { type Host, variable } from "../node/Host.js"
import { mistakesOf } from "./schemaErrors.js"
import { isSymbol, looksLike, symbolWords } from "../chains/tokenSymbols.js"
import { type FileProblem, reasonOf, writePrivate } from "../node/secretFile.js"

const words = (expected: string) => ({ expected })

const Text = Schema.String.check(Schema.isMinLength(1, words("a text")))

const address = "an address: 0x and 40 hex digits, with a valid checksum if in mixed case, or base58 of 32 bytes"
const Address = Schema.String.check(
  Schema.makeFilter((text) => Chain.isAddress("evm", text) || Chain.isAddress("solana", text), words(address))
)

/** Whether a text is the address of a service: https, or http on this machine. */
export const isServiceUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { hash, hostname, password, protocol, search, username } = new URL(text)
  const local = protocol === "http:" && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return (protocol === "https:" || local) && username + password + search + hash === ""
}

/** What the address of a service looks like. */
export const serviceUrlWords = "https://host/path, or http:// on this machine"

const ServiceUrl = Schema.String.check(Schema.makeFilter(isServiceUrl, words(serviceUrlWords)))

const RpcUrl = Schema.String.check(
  Schema.makeFilter((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), words("an http(s) URL"))
)

const BasisPoints = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 10_000 }, words("basis points from 0 to 10000"))
)

const decimals = Schema.isBetween({ minimum: 0, maximum: 255 }, words("a whole number from 0 to 255"))
const Token = Schema.Struct({
  symbol: Schema.String.check(Schema.makeFilter(isSymbol, words(symbolWords))),
  address: Address,
  decimals: Schema.Int.check(decimals)
})

/** Tokens of one chain: one address or two symbols that look alike would leave it open which one is meant. */
const Tokens = Schema.Array(Token).check(
  Schema.makeFilter(
    (tokens: ReadonlyArray<typeof Token.Type>) =>
      tokens.every(({ address, symbol }, at) =>
        tokens
          .slice(at + 1)
          .every((other) => address.toLowerCase() !== other.address.toLowerCase() && !looksLike(symbol, other.symbol))
      ),
    words("a list of tokens with different addresses, and with symbols that do not look alike")
  )
)

const ChainEntry = Schema.Struct({
  name: Schema.optionalKey(Text),
  aliases: Schema.optionalKey(Schema.Array(Text)),
  kind: Chain.Family,
  rpcUrl: Schema.optionalKey(RpcUrl),
  /** The tokens that the user vouches for. */
  tokens: Schema.optionalKey(Tokens)
})

const CodeHash = Schema.optionalKey(Hex.Bytes32.annotate(words("0x and 64 hex digits")))

/** The contracts of a service on one chain. */
const Deployment = Schema.Struct({
  delegates: Schema.optionalKey(Schema.Array(Address)),
  codeHash: CodeHash,
  vault: Address,
  relayer: Schema.optionalKey(Address),
  older: Schema.optionalKey(Schema.Array(Schema.Struct({ delegate: Address, vault: Address, codeHash: CodeHash })))
})

const byChain = <S extends Schema.Constraint>(entry: S) =>
  Schema.Record(Schema.String, entry).check(
    Schema.makeFilter(
      (record: object) => Object.keys(record).every((key) => /^[1-9]\d*$/.test(key) && Chain.isChainId(Number(key))),
      words("an object whose names are chain ids, such as 8453")
    )
  )

/** The contracts of a service by chain id. */
export const Deployments = byChain(Deployment)

const TokenAmount = Schema.Struct({ token: Text, amount: Text })

const Budget = Schema.Struct({
  ...TokenAmount.fields,
  /** `total` if omitted. */
  window: Schema.optionalKey(Schema.Literals(["hour", "day", "total"]))
})

const lifetime = Schema.isBetween({ minimum: 1, maximum: 900 }, words("seconds from 1 to 900"))

/** What may be signed, in words: tokens as `usdc@base`, amounts in whole tokens. */
export const Policy = Schema.Struct({
  verification: Schema.optionalKey(Schema.Literals(["required", "when-possible"])),
  maxPriceImpactBps: Schema.optionalKey(BasisPoints),
  maxFeeBps: Schema.optionalKey(BasisPoints),
  /** The least of an output token that any swap into it may give. */
  minOutput: Schema.optionalKey(Schema.Array(TokenAmount)),
  allowedChains: Schema.optionalKey(Schema.Array(Text)),
  allowedTokens: Schema.optionalKey(Schema.Array(Text)),
  allowedRecipients: Schema.optionalKey(Schema.Array(Address)),
  /** The largest slippage that a swap may ask for; 5000 if omitted. */
  maxSlippageBps: Schema.optionalKey(BasisPoints),
  /** How much of each input token may be signed away in a window. Once set, a token that is not listed has no budget. */
  budgets: Schema.optionalKey(Schema.Array(Budget)),
  /** What happens once the service refuses something that was signed; `resume` if omitted. */
  afterRefusal: Schema.optionalKey(Schema.Literals(["resume", "trust-service"])),
  /** How far in the future the deadline of what is signed may lie; 180 if omitted. */
  maxLifetimeSeconds: Schema.optionalKey(Schema.Finite.check(lifetime))
})
export type Policy = typeof Policy.Type

const exactlyOne = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.Struct(fields).check(
    Schema.makeFilter(
      (given: object) => Object.keys(given).length === 1,
      words(`an object with one of: ${Object.keys(fields).join(", ")}`)
    )
  )

/** Where a key is. */
export const Keys = Schema.Struct({
  evm: Schema.optionalKey(
    exactlyOne({
      keystore: Schema.optionalKey(Text),
      file: Schema.optionalKey(Text),
      env: Schema.optionalKey(Text)
    })
  ),
  solana: Schema.optionalKey(exactlyOne({ file: Schema.optionalKey(Text), env: Schema.optionalKey(Text) }))
})
export type Keys = typeof Keys.Type

const seconds = Schema.isBetween({ minimum: 1, maximum: 86_400 }, words("seconds from 1 to 86400"))

/** The whole file. */
export const ConfigFile = Schema.Struct({
  service: Schema.optionalKey(Schema.Struct({ url: ServiceUrl, apiKeyFile: Schema.optionalKey(Text) })),
  chains: Schema.optionalKey(byChain(ChainEntry)),
  deployments: Schema.optionalKey(Deployments),
  policy: Schema.optionalKey(Policy),
  keys: Schema.optionalKey(Keys),
  timeoutSeconds: Schema.optionalKey(Schema.Finite.check(seconds))
})
export type ConfigFile = typeof ConfigFile.Type

/** The configuration is not there, or not as it should be. */
export class SettingsError extends Schema.TaggedError<SettingsError>()("SettingsError", {
  message: Schema.String,
  next: Schema.String
}) {}

/** Reads JSON by a schema; fails with every mistake at once. */
export const decode =
  <A>(schema: Schema.ConstraintDecoder<A>, file: string) =>
  (text: string): Effect.Effect<A, SettingsError> =>
    Effect.suspend(() => {
      const fail = (mistakes: ReadonlyArray<string>) =>
        Effect.fail(
          new SettingsError({
            message: [`${file} is not as it should be:`, ...mistakes.map((mistake) => `  - ${mistake}`)].join("\n"),
            next: "Correct the file and run it again."
          })
        )
      let value: unknown
      try {
        value = JSON.parse(text.replace(/^\uFEFF/, ""))
      } catch (cause) {
        // The parser's words can quote the file: only the place is told.
        const [, place] = /\(line (\d+ column \d+)\)/.exec(String(cause)) ?? []
        return fail([
          `It is no JSON${place === undefined ? "" : `, from line ${place.replace(" column", ", column")} on`}.`
        ])
      }
      const result = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)
      return Result.isSuccess(result) ? Effect.succeed(result.success) : fail(mistakesOf(result.failure.issue))
    })

/** Reads a text as a configuration. */
export const parse = (text: string, file: string): Effect.Effect<ConfigFile, SettingsError> =>
  decode(ConfigFile, file)(text)

/** The folder of the configuration. */
const folderOf = (host: Host): string =>
  join(variable(host, "XDG_CONFIG_HOME") ?? join(host.home, ".config"), "geoswap")

/** Where the configuration is. */
export const pathOf = ({ config }: Pick<FlagsShape, "config">, host: Host): string => {
  const named = config ?? variable(host, "GEOSWAP_CONFIG")
  return named === undefined ? join(folderOf(host), "config.json") : resolve(host.folder, named)
}

/** Reads the file at a path. */
const readAt = (path: string): Effect.Effect<ConfigFile, SettingsError> =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) =>
        new SettingsError({
          message: `The configuration ${path} cannot be read: ${reasonOf(cause)}.`,
          next: "Run geoswap init to write one, or name another with --config."
        })
    }),
    (text) => parse(text, path)
  )

/** Reads the file; one that is not there is an empty one. */
export const readOrEmpty = (path: string): Effect.Effect<ConfigFile, SettingsError> =>
  Effect.suspend(() => (existsSync(path) ? readAt(path) : Effect.succeed({})))

/** Reads the file; one that is not there is an empty one, unless it was named. */
export const read = (flags: Pick<FlagsShape, "config">, host: Host): Effect.Effect<ConfigFile, SettingsError> => {
  const named = flags.config !== undefined || variable(host, "GEOSWAP_CONFIG") !== undefined
  return (named ? readAt : readOrEmpty)(pathOf(flags, host))
}

/** Writes the file for this user alone. */
export const write = (path: string, file: ConfigFile): Effect.Effect<void, FileProblem> =>
  writePrivate(path, `${JSON.stringify(file, null, 2)}\n`)
