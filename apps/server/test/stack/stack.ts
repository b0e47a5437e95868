/** A devnet with a server, for tests with real swaps. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Devnet, type DevnetError } from "@geoswap/devnet"
import { Accounts, Config, Seal, Checkpoints } from "@geoswap/service"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import * as DevnetConfig from "../../src/devnet/DevnetConfig.js"
import * as Secrets from "../../src/secrets/Secrets.js"
import * as Server from "../../src/Server.js"
import * as Storage from "../../src/storage/Storage.js"
import { hurried } from "./clock.js"

export type File = DevnetConfig.ConfigFile

/**
 * Fast blocks, so that tests do not wait for the clock. A blockhash lasts for 150 slots, so that
 * signatures are still valid on a busy machine.
 */
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 100, finalitySlots: 2 } as const

/** How long a test server tries to deliver or to get a price before it refunds the input. */
export const patienceMillis = 1_500

/** A running server. */
export interface Running {
  readonly url: string
  /** API keys of two accounts. */
  readonly apiKeys: readonly [string, string]
  /** The path of its file, or the URL of its PostgreSQL. */
  readonly database: string
}

/** A temporary folder, removed with the scope. */
export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/**
 * The configuration for tests on a devnet: no limits, and fast polling, but not so fast that slow
 * chains do nothing else.
 */
export const fileFor = (devnet: Devnet.Devnet): File => {
  const file = DevnetConfig.fileOf(devnet.description)
  const calls = { perSecond: 10_000, burst: 10_000 }
  const [first, ...rest] = file.chains.map((chain) => ({ ...chain, pollMillis: 100 }))
  if (first === undefined) throw new RangeError("The devnet has no chains.")
  return {
    ...file,
    listen: { host: "127.0.0.1", port: 0 },
    chains: [first, ...rest],
    execution: {
      deliveryRetryMillis: patienceMillis,
      venueRetryMillis: patienceMillis,
      destinationRetryMillis: 60_000
    },
    limits: {
      quote: calls,
      indicative: calls,
      delegation: calls,
      build: calls,
      submit: calls,
      changeDelegation: calls,
      status: calls,
      chains: calls,
      failedAuth: calls
    }
  }
}

/** The environment of a server on a devnet. */
export const environmentFor = Effect.fnUntraced(function* (devnet: Devnet.Devnet) {
  return { ...DevnetConfig.secretsOf(devnet.description), GEOSWAP_SEAL_KEYS: yield* Seal.generateKey }
})

/** Creates two accounts with a key each; a path is a SQLite file. */
export const makeApiKeys = (database: string | Storage.Database) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts.Accounts
    const [first, second] = yield* Effect.forEach(["first", "second"], (account) => accounts.create({ account }))
    if (first === undefined || second === undefined) return yield* Effect.die("there are two accounts")
    return [Redacted.value(first.key), Redacted.value(second.key)] as const
  }).pipe(
    Effect.provide(
      Accounts.layer.pipe(
        Layer.provide(Storage.store(typeof database === "string" ? Storage.file(database) : database))
      )
    ),
    Effect.orDie
  )

/** A folder with the configuration of a server on a devnet, and its secrets, for commands that run beside the server. */
export const workspaceFor = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  change: (file: File) => File = (file) => file
) {
  const folder = yield* temporary
  writeFileSync(join(folder, "geoswap.json"), JSON.stringify(change(fileFor(devnet))))
  return { folder, environment: yield* environmentFor(devnet), database: join(folder, "geoswap.db") }
})

/** Starts a server with a configuration, and runs it until the scope closes. */
export const startServer = Effect.fnUntraced(function* (
  file: unknown,
  environment: Secrets.Environment,
  options: Pick<Server.Options, "database"> & Partial<Pick<Server.Options, "version" | "wallets">>
) {
  const config = yield* Config.parse(JSON.stringify(file))
  const secrets = yield* Secrets.read(config, environment)
  const server = Server.layer({ config, secrets, version: "0.0.0", ...options })
  const context = yield* Layer.buildWithScope(Layer.fresh(server), yield* Scope.Scope)
  return { config, context, url: formatAddress(Context.get(context, HttpServer).address) }
})

/** The options of a server besides its configuration. */
export interface Given {
  readonly database?: string | Storage.Database
  readonly environment?: Secrets.Environment
  /** Whether it pauses for less time between polls and retries (default: true). */
  readonly isHurried?: boolean
  /** Runs at every checkpoint of a swap. */
  readonly mark?: (step: string) => Effect.Effect<void>
}

/** Runs a server in this process until the scope closes. */
export const serve = Effect.fnUntraced(function* (
  devnet: Devnet.Devnet,
  change: (file: File) => File = (file) => file,
  given: Given = {}
) {
  const environment = given.environment ?? (yield* environmentFor(devnet))
  const named = given.database ?? join(yield* temporary, "geoswap.db")
  const database = typeof named === "string" ? Storage.file(named) : named
  const apiKeys = yield* makeApiKeys(database)
  const live = yield* Clock.Clock
  const clock = given.isHurried === false ? live : hurried(live)
  const { url } = yield* startServer(change(fileFor(devnet)), environment, { database }).pipe(
    Effect.provideService(Checkpoints.Checkpoints, given.mark ?? (() => Effect.void)),
    Effect.provideService(Clock.Clock, clock),
    // The log of the server would be in the output of the tests.
    Effect.provideService(References.MinimumLogLevel, "None")
  )
  const where = database.kind === "sqlite" ? database.path : Redacted.value(database.url)
  return { url, apiKeys, database: where } satisfies Running
}, Effect.orDie)

/** A separate devnet, for a file that leaves the chains changed. It stops with the layer. */
export const ownDevnetLayer: Layer.Layer<Devnet.Devnet, DevnetError.DevnetError> = Layer.fresh(Devnet.layer(pace))

let shared: Promise<Devnet.Devnet> | undefined

/**
 * The devnet of all test files in this process, with which it stops. A file that uses it adds wallets, tokens and swaps,
 * and restores everything else. Each file starts with the fees of a new chain and, even after a failed test, with
 * chains that are not held.
 */
export const devnetLayer: Layer.Layer<Devnet.Devnet> = Layer.effect(
  Devnet.Devnet,
  Effect.gen(function* () {
    shared ??= Effect.runPromise(Scope.provide(Devnet.make(pace), Scope.makeUnsafe()))
    const devnet = yield* Effect.promise(() => shared ?? Promise.reject(new Error("There is no devnet.")))
    const { evmA, evmB, solana } = devnet
    yield* solana.release
    for (const { release, setBaseFee } of [evmA, evmB]) {
      yield* Effect.orDie(setBaseFee(1_000_000_000n))
      yield* Effect.orDie(release)
    }
    return devnet
  })
)
