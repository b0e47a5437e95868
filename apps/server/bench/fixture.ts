/** The setup of the servers: a configuration without limits, secrets, and an API key. */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Storage } from "@geoswap/server"
import { Accounts } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type Process, start } from "./childProcess.ts"
import { chains, contracts, tokens } from "./contracts.ts"
import { type Database, storageOf } from "./database.ts"

const calls = { perSecond: 1_000_000, burst: 1_000_000 }

/** Limits that no section reaches. */
export const limits = {
  quote: calls,
  indicative: calls,
  delegation: calls,
  build: calls,
  submit: calls,
  status: calls,
  chains: calls,
  heldPerAccount: 1_000_000
}

const gas = 1_000_000_000_000
const exposure = { gasPerWallet: gas, gasPerVisitor: gas, gasPerAccount: gas, gasPerChain: gas }

/** The executor works on one swap at a time and keeps the first: nothing is ever included. */
const fileFor = (nodeUrl: string) => ({
  environment: "bench",
  listen: { host: "127.0.0.1", port: 0 },
  chains: chains.map(({ id, name }) => ({
    kind: "evm",
    exposure,
    id,
    name,
    rpcUrls: [`${nodeUrl}/${id}`],
    vaults: [{ address: contracts.vault, delegate: contracts.delegate }],
    tokens
  })),
  venue: {
    kind: "table",
    prices: {
      USDC: { usd: "1", depthUsd: "1000000000" },
      WETH: { usd: "4000", depthUsd: "50000000" },
      ETH: { usd: "4000", depthUsd: "50000000" }
    }
  },
  fees: { baseFeeBps: 10 },
  execution: { concurrency: 1 },
  limits
})

/** A folder to run servers in. */
export interface Fixture {
  readonly folder: string
  /** Returns a new database file. */
  readonly newFile: () => Database
  /** Creates an account and a key in a database. */
  readonly newKey: (database: Database) => Promise<{ readonly key: string; readonly accountId: string }>
  /** Starts a whole server, or one that only answers and executes nothing. */
  readonly serve: (
    database: Database,
    kind?: "whole" | "answering",
    flags?: ReadonlyArray<string>
  ) => Promise<{ readonly process: Process; readonly port: number }>
  readonly node: Process
  readonly end: () => Promise<void>
}

/** Creates an account and a key as `geoswap-server keys create` does. */
const newKey = (database: Database) =>
  Effect.gen(function* () {
    const { apiKey, key } = yield* (yield* Accounts.Accounts).create({ account: "bench" })
    return { key: Redacted.value(key), accountId: apiKey.accountId }
  }).pipe(Effect.provide(Accounts.layer.pipe(Layer.provide(Storage.store(storageOf(database))))), Effect.runPromise)

/** Creates a folder with a configuration, and a node for its chains. */
export const makeFixture = async (): Promise<Fixture> => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-bench-"))
  const node = start("./fakeNode.ts")
  const started: Array<Process> = [node]
  const config = join(folder, "geoswap.json")
  writeFileSync(config, JSON.stringify(fileFor(await node.ask<string>("listen"))))
  const secrets = {
    GEOSWAP_SEAL_KEYS: `k1:${randomBytes(32).toString("base64url")}`,
    GEOSWAP_EVM_RELAYER_KEY: `0x${randomBytes(32).toString("hex")}`
  }
  let files = 0
  return {
    folder,
    node,
    newKey,
    newFile: () => ({ kind: "sqlite", path: join(folder, `${++files}.db`) }),
    serve: async (database, kind = "whole", flags = []) => {
      const server = start("./server.ts", secrets, flags)
      started.push(server)
      return { process: server, port: await server.ask<number>("serve", { config, database, kind }) }
    },
    end: async () => {
      await Promise.all(started.map(({ end }) => end()))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
