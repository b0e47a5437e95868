/** A complete server on a devnet's chains, with embedded storage, that runs until a scope closes. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Accounts, Config, Seal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as DevnetConfig from "./DevnetConfig.js"
import * as Secrets from "../secrets/Secrets.js"
import * as Server from "../Server.js"
import * as Storage from "../storage/Storage.js"

export interface Options {
  /** The port to listen on; 0 means any free port. */
  readonly port: number
  /** The port for metrics (default: none). */
  readonly adminPort?: number | undefined
  /** Whether to serve the page and offer the devnet's wallets to its visitors (default: false). */
  readonly web?: boolean | undefined
  /** Changes the configuration, for example because a test deployed more contracts. */
  readonly change?: ((file: DevnetConfig.ConfigFile) => DevnetConfig.ConfigFile) | undefined
}

/** A running server. */
export interface DevnetServer {
  readonly url: string
  /** One API key for each of two accounts. */
  readonly apiKeys: readonly [string, string]
  /** The server's database. */
  readonly database: Storage.Database
}

/** Why the server failed to start. */
export type DevnetServerError = Server.StartError | Config.InvalidConfig | Secrets.InvalidSecrets | Accounts.InvalidName

/** Starts a server that stops when the scope closes and leaves no files behind. */
export const make = Effect.fn("DevnetServer.make")(function* (
  description: DevnetConfig.Description,
  { adminPort, change = (file) => file, port, web = false }: Options
): Effect.fn.Return<DevnetServer, DevnetServerError, Scope.Scope> {
  const file: DevnetConfig.ConfigFile = {
    ...DevnetConfig.fileOf(description),
    listen: { host: "127.0.0.1", port },
    ...(adminPort !== undefined && { admin: { port: adminPort } }),
    ...(web && { web: {} })
  }
  const config = yield* Config.parse(JSON.stringify(change(file)))
  const secrets = yield* Secrets.read(config, {
    ...DevnetConfig.secretsOf(description),
    [Secrets.sealKeysVariable]: yield* Seal.generateKey
  })
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), `geoswap-server-${process.pid}-`))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const database = Storage.file(join(folder, "geoswap.db"))
  const [first, second] = yield* Effect.flatMap(Accounts.make, ({ create }) =>
    Effect.all([create({ account: "first" }), create({ account: "second" })])
  ).pipe(Effect.provide(Storage.store(database)))
  const { wallets } = description
  const context = yield* Layer.build(Server.layer({ config, secrets, database, version: "0.0.0", wallets }))
  const { address } = yield* Effect.provide(HttpServer, context)
  const apiKeys = [Redacted.value(first.key), Redacted.value(second.key)] as const
  return { url: formatAddress(address), apiKeys, database }
})
