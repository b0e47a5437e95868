/** The service on the chains of a devnet, with embedded storage, for as long as a scope lasts. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Description, Devnet } from "@geoswap/devnet"
import { DevnetConfig, Secrets, Server, Storage } from "@geoswap/server"
import { Accounts, Config, Seal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"

/** What runs where, the service included. */
export type Place = Description.Description & Required<Pick<Description.Description, "service">>

/** The file of the service's configuration. */
export type ConfigFile = DevnetConfig.ConfigFile

export interface Options {
  /** 0 for any free one. */
  readonly port: number
  /** Where metrics are to be had; nowhere where absent. */
  readonly adminPort?: number | undefined
  /** Another configuration, where there is more on the chains than a devnet puts there. */
  readonly change?: ((file: ConfigFile) => ConfigFile) | undefined
}

/** A service that runs. */
export interface Stack {
  readonly place: Place
  /** Where the service remembers its swaps. */
  readonly database: Storage.Database
}

/** Why it does not run. */
export type StackError = Server.StartError | Config.InvalidConfig | Secrets.InvalidSecrets | Accounts.InvalidName

/** A folder that goes with the scope. */
const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-local-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An API key for each of two accounts. */
const apiKeysIn = (database: Storage.Database) =>
  Effect.gen(function* () {
    const { create } = yield* Accounts.Accounts
    const [first, second] = yield* Effect.all([create({ account: "first" }), create({ account: "second" })])
    return [Redacted.value(first.key), Redacted.value(second.key)] as const
  }).pipe(Effect.provide(Accounts.layer.pipe(Layer.provide(Storage.store(database)))))

/** Starts the service. It ends with the scope, and leaves nothing behind. */
export const make = Effect.fn("Stack.make")(function* (
  { description }: Pick<Devnet.Shape, "description">,
  { adminPort, change = (file) => file, port }: Options
): Effect.fn.Return<Stack, StackError, Scope.Scope> {
  const file: ConfigFile = {
    ...DevnetConfig.fileOf(description),
    listen: { host: "127.0.0.1", port },
    ...(adminPort !== undefined && { admin: { port: adminPort } })
  }
  const config = yield* Config.parse(JSON.stringify(change(file)))
  const secrets = yield* Secrets.read(config, {
    ...DevnetConfig.secretsOf(description),
    [Secrets.sealKeysVariable]: yield* Seal.generateKey
  })
  const database = Storage.file(join(yield* temporary, "geoswap.db"))
  const apiKeys = yield* apiKeysIn(database)
  const context = yield* Layer.build(Server.layer({ config, secrets, database, version: "0.0.0" }))
  const { address } = yield* Effect.provide(HttpServer, context)
  return { database, place: { service: { url: formatAddress(address), apiKeys }, ...description } }
})
