/** Loads the configuration file, the secrets, and the location of the database. */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { errorCode } from "../node/errorCode.js"
import { Failure, failureList } from "../output/Failure.js"
import * as Secrets from "../secrets/Secrets.js"
import * as Storage from "../storage/Storage.js"

/** A configuration and its database, with absolute paths. */
export interface LoadedConfig {
  readonly config: Config.Config
  readonly database: Storage.Database
}

const unreadable = (path: string, cause: unknown) => {
  const missing = errorCode(cause) === "ENOENT"
  return new Failure({
    message: missing
      ? `There is no configuration file at ${path}. Pass one with --config <file>. docs/configuration.md describes the format, and geoswap-server devnet prints a configuration for a devnet.`
      : `The configuration file ${path} cannot be read. Check that it is a file that the current user can read.`
  })
}

/** Adds the page if `--web` requests it. The page's folder is relative to the configuration file. */
const withPage = (config: Config.Config, beside: string, requested: boolean) => {
  const web = config.web ?? (requested ? Config.plainWeb() : undefined)
  return web?.folder === undefined
    ? { ...config, ...(web !== undefined && { web }) }
    : { ...config, web: { ...web, folder: resolve(beside, web.folder) } }
}

/** Reads and validates the configuration file; `web` adds the page. */
export const loadConfig = Effect.fn("loadConfig")(function* (
  file: string = "geoswap.json",
  web: boolean = false
): Effect.fn.Return<LoadedConfig, Failure> {
  const path = resolve(file)
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) => unreadable(path, cause)
  })
  const parsed = yield* Effect.mapError(Config.parse(text), ({ problems }) =>
    failureList(`${path} is invalid:`, problems)
  )
  const config = withPage(parsed, dirname(path), web)
  const url = yield* Effect.mapError(Secrets.databaseUrl(process.env), (problem) =>
    failureList("The secrets in the environment are invalid:", [problem])
  )
  const database: Storage.Database =
    url === undefined
      ? Storage.file(resolve(dirname(path), config.database))
      : { kind: "postgres", url, connections: config.databaseConnections }
  return { config, database }
})

/** Reads the secrets from the environment. */
export const loadSecrets = (config: Config.Config): Effect.Effect<Secrets.Secrets, Failure> =>
  Effect.mapError(Secrets.read(config, process.env), ({ problems }) =>
    failureList("The secrets in the environment are invalid:", problems)
  )
