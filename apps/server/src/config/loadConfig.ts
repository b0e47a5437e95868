/** What a server is set up with: the configuration file and the secrets that it names, and how mistakes are told. */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { Failure, failureList } from "../output/Failure.js"
import * as Secrets from "../secrets/Secrets.js"
import * as Storage from "../storage/Storage.js"

/** A configuration with the place that its paths are relative to. */
export interface LoadedConfig {
  readonly config: Config.Config
  readonly database: Storage.Database
}

const unreadable = (path: string, cause: unknown): Failure => {
  const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT"
  return new Failure({
    message: missing
      ? `There is no configuration ${path}: name one with --config <file>. docs/configuration.md describes it, and geoswap-server devnet prints one for a devnet.`
      : `The configuration ${path} cannot be read: check that it is a file, and that this user may read it.`
  })
}

/** The configuration with the page, where it or the command line asks for one; its folder is relative to the file. */
const withPage = (config: Config.Config, beside: string, asked: boolean): Config.Config => {
  const web = config.web ?? (asked ? Config.plainWeb() : undefined)
  return web?.folder === undefined
    ? { ...config, ...(web !== undefined && { web }) }
    : { ...config, web: { ...web, folder: resolve(beside, web.folder) } }
}

/** Reads and checks the configuration file; with the page, where `web` asks for it or the file has it. */
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
    failureList(`${path} has mistakes:`, problems)
  )
  const config = withPage(parsed, dirname(path), web)
  const url = yield* Effect.mapError(Secrets.databaseUrl(process.env), (problem) =>
    failureList("The secrets in the environment have mistakes:", [problem])
  )
  const database: Storage.Database =
    url === undefined
      ? Storage.file(resolve(dirname(path), config.database))
      : { kind: "postgres", url, connections: config.databaseConnections }
  return { config, database }
})

/** Reads the secrets from the environment of this process. */
export const loadSecrets = (config: Config.Config): Effect.Effect<Secrets.Secrets, Failure> =>
  Effect.mapError(Secrets.read(config, process.env), ({ problems }) =>
    failureList("The secrets in the environment have mistakes:", problems)
  )
