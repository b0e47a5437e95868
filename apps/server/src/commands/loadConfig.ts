/** Loads the configuration file, the secrets, and the location of the database. */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { attempt, failureList } from "../output/Failure.js"
import * as Secrets from "../secrets/Secrets.js"
import * as Storage from "../storage/Storage.js"
import { ConfigFile } from "./flags.js"

/** Reads and validates the file that `--config` names; `web` adds the page, whose folder is relative to that file. */
export const loadConfig = Effect.fn("loadConfig")(function* (web: boolean = false) {
  const path = resolve((yield* ConfigFile) ?? "geoswap.json")
  const text = yield* attempt(
    () => readFileSync(path, "utf8"),
    (code) =>
      code === "ENOENT"
        ? `There is no configuration file at ${path}. Pass one with --config <file>. docs/configuration.md describes the format, and geoswap-server devnet prints a configuration for a devnet.`
        : `The configuration file ${path} cannot be read. Check that it is a file that the current user can read.`
  )
  const parsed = yield* Effect.mapError(Config.parse(text), ({ problems }) =>
    failureList(`${path} is invalid:`, problems)
  )
  const page = parsed.web ?? (web ? Config.plainWeb(parsed.chains) : undefined)
  const folder = page?.folder
  const config: Config.Config = {
    ...parsed,
    ...(page && { web: { ...page, ...(folder !== undefined && { folder: resolve(dirname(path), folder) }) } })
  }
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
export const loadSecrets = (config: Config.Config) =>
  Effect.mapError(Secrets.read(config, process.env), ({ problems }) =>
    failureList("The secrets in the environment are invalid:", problems)
  )
