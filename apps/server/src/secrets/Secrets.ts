/** Reads a server's secrets from environment variables, or from the files named by `…_FILE` variables. */
import { readFileSync } from "node:fs"
import { Config, EvmKeys, type Keys, Seal, SolanaKeys } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { errorCode } from "../node/errorCode.js"

/** Secrets are missing or invalid. Lists all problems at once, without the secrets. */
export class InvalidSecrets extends Schema.TaggedError<InvalidSecrets>()("InvalidSecrets", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return this.problems.join("\n")
  }
}

/** The secrets that a configuration needs. */
export interface Secrets {
  readonly sealKeys: ReadonlyArray<Seal.Key>
  /** The EVM keys, by variable name. */
  readonly evm: ReadonlyMap<string, Keys.EvmKey>
  readonly solana: ReadonlyMap<string, Keys.SolanaKey>
  readonly venueToken?: Redacted.Redacted
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The variable that contains the sealing keys. */
export const sealKeysVariable = "GEOSWAP_SEAL_KEYS"

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the current user is not allowed to read it",
  EISDIR: "it is a directory"
}

/** The value of a variable, or the contents of the file named by `<name>_FILE`. */
const valueOf = Effect.fnUntraced(function* (environment: Environment, name: string) {
  const direct = environment[name]?.trim() ?? ""
  const file = environment[`${name}_FILE`]?.trim() ?? ""
  if (direct !== "" && file !== "") {
    return yield* Effect.fail(`${name} and ${name}_FILE are both set. Set only one of them.`)
  }
  if (direct !== "") return Redacted.make(direct)
  if (file === "") {
    return yield* Effect.fail(
      `${name} is not set. Set it, or set ${name}_FILE to the path of a file that contains the value.`
    )
  }
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8").trim(),
    // The message omits the path, because users sometimes set the `_FILE` variable to the secret itself.
    catch: (cause) => `${name}_FILE: the file cannot be read: ${reasons[errorCode(cause)] ?? "check the path"}.`
  })
  return text === "" ? yield* Effect.fail(`${name}_FILE: the file is empty.`) : Redacted.make(text)
})

/**
 * The variable with the PostgreSQL URL. If neither this variable nor its `_FILE` variable is set, the storage is a
 * SQLite file.
 */
export const databaseVariable = "DATABASE_URL"

/** Returns the URL of the shared PostgreSQL database, if one is set. */
export const databaseUrl = (environment: Environment): Effect.Effect<Redacted.Redacted | undefined, string> =>
  [databaseVariable, `${databaseVariable}_FILE`].some((name) => (environment[name]?.trim() ?? "") !== "")
    ? valueOf(environment, databaseVariable)
    : Effect.undefined

/** Checks that a bearer token can be sent in a header. */
const headerValue = (token: Redacted.Redacted) =>
  /^[\x21-\x7e]+$/.test(Redacted.value(token))
    ? Effect.succeed(token)
    : Effect.fail({
        message: "The token contains characters that are invalid in a header. Use only visible ASCII characters."
      })

/** Reads every secret named in a configuration. */
export const read = Effect.fn("Secrets.read")(function* (
  config: Config.Config,
  environment: Environment
): Effect.fn.Return<Secrets, InvalidSecrets> {
  const problems: Array<string> = []
  const take = <A>(name: string, use: (value: Redacted.Redacted) => Effect.Effect<A, { readonly message: string }>) =>
    valueOf(environment, name).pipe(
      Effect.flatMap((value) => Effect.mapError(use(value), (error) => `${name}: ${error.message}`)),
      Effect.catch((problem) => Effect.sync((): A | undefined => void problems.push(problem)))
    )

  const sealKeys = yield* take(sealKeysVariable, Seal.parseKeys)
  const evm = new Map<string, Keys.EvmKey>()
  const solana = new Map<string, Keys.SolanaKey>()
  for (const chain of config.chains) {
    if (chain.kind === "solana") {
      for (const name of Object.values(chain.keys)) {
        const key = solana.get(name) ?? (yield* take(name, SolanaKeys.fromBase58))
        if (key !== undefined) solana.set(name, key)
      }
      continue
    }
    const names = new Map<string, string>()
    for (const name of Config.relayerKeysOf(chain)) {
      const key = evm.get(name) ?? (yield* take(name, EvmKeys.fromPrivateKey))
      if (key === undefined) continue
      evm.set(name, key)
      const other = names.get(key.address)
      if (other === undefined) names.set(key.address, name)
      else problems.push(`${name} contains the same key as ${other}. Use a different key for each relayer.`)
    }
  }
  const venueVariable = config.venue.kind === "http" ? config.venue.token : undefined
  const venueToken = venueVariable === undefined ? undefined : yield* take(venueVariable, headerValue)
  // Several chains can use the same variable.
  if (problems.length > 0 || sealKeys === undefined) {
    return yield* new InvalidSecrets({ problems: [...new Set(problems)] })
  }
  return { sealKeys, evm, solana, ...(venueToken !== undefined && { venueToken }) }
})
