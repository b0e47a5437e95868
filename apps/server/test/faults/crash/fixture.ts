/** A devnet with tokens that can be stopped, and a host for servers that are killed and restarted. */
import { PausableToken } from "@geoswap/contracts/testing"
import type { Client, Network } from "@geoswap/core/promise"
import { Devnet, type DevnetError } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Address } from "viem"
import { clientOf, networkOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import { eachChain, withToken } from "../../stack/fixture.js"
import { freePort } from "../../stack/freePort.js"
import { cluster, databaseAt } from "../../stack/postgres/cluster.js"
import { environmentFor, fileFor, makeApiKeys, temporary } from "../../stack/stack.js"
import { type Facts, makeFacts } from "./orderTransactions.js"
import type { Place } from "./scenarios.js"
import { type Host, makeHost, type Options } from "./serverProcess.js"
import type { Ended } from "./swap.js"
import { makeWallets, type Wallets } from "./wallets.js"

/** Tokens that can be stopped, which the devnet does not have. */
export interface Stoppable {
  readonly STUCK: Address
  readonly STOPPED: Address
  readonly FUSE: Address
}

export interface Shape extends Options {
  readonly engine: "SQLite" | "PostgreSQL"
  readonly devnet: Devnet.Devnet
  readonly facts: Facts
  readonly host: Host
  readonly url: string
  readonly apiKeys: readonly [string, string]
  readonly client: Client
  readonly network: Network
  readonly stoppable: Stoppable
  readonly wallets: Wallets
  /** Queries the database beside the server. */
  readonly rows: (sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Lets the next server claim the swaps of a killed one at once, instead of after 15 seconds. */
  readonly expireLeases: () => Promise<void>
  /** Every swap so far. */
  readonly ended: Array<Ended>
}

export class Fixture extends Context.Service<Fixture, Shape>()("test/crash/Fixture") {}

/**
 * Fast, but a Solana transaction is valid for half a minute: a restarted server must find it valid,
 * even on a busy machine.
 */
const pace = { ports: "free", blockTime: 100, idleBlockTime: 2_000, slotTime: 200, finalitySlots: 2 } as const

const setPaused = (paused: boolean) => ({ abi: PausableToken.abi, functionName: "setPaused", args: [paused] }) as const

/** Stops or resumes a token. */
export const pause = (devnet: Devnet.Devnet, chain: Devnet.EvmChain, address: Address, paused: boolean) =>
  evm.asOwner(devnet, chain, { address, ...setPaused(paused) })

/** Stops a token before all pending transactions. */
export const pauseFirst = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, address: Address): Promise<void> => {
  const owner = evm.sender(chain, evm.operator(devnet, "owner"))
  await owner.writeContract({ address, ...setPaused(true), gas: 100_000n, ...evm.firstInBlock })
}

const inVault = 10n ** 15n

/** The address of a token on a chain, including the stoppable ones. */
export const tokenOf = ({ devnet, stoppable }: Pick<Shape, "devnet" | "stoppable">, place: Place, symbol: string) =>
  symbol in stoppable ? stoppable[symbol as keyof Stoppable] : evm.tokenOf(devnet[place], symbol)

const fileRows =
  (path: string): Shape["rows"] =>
  async (sql) => {
    const file = new DatabaseSync(path, { readOnly: true })
    try {
      return file.prepare(sql).all()
    } finally {
      file.close()
    }
  }

/** Where the servers store their swaps. */
const storageOf = Effect.fnUntraced(function* (engine: "SQLite" | "PostgreSQL", path: string) {
  // A server on a file is the only one, so it claims all swaps when it starts.
  const nothing = () => Promise.resolve()
  if (engine === "SQLite") return { database: path, variables: {}, rows: fileRows(path), expireLeases: nothing }
  const { newDatabase, query } = yield* cluster
  const url = yield* Effect.promise(newDatabase)
  const rows: Shape["rows"] = (sql) => query(url, sql)
  const expireLeases = async () => void (await rows("UPDATE swaps SET lease_until = 0 WHERE lease_until IS NOT NULL"))
  return { database: databaseAt(url), variables: { DATABASE_URL: url }, rows, expireLeases }
})

const make = Effect.fnUntraced(function* (
  engine: "SQLite" | "PostgreSQL"
): Effect.fn.Return<Shape, DevnetError.DevnetError, Scope.Scope> {
  const devnet = yield* Devnet.make(pace)
  const { evmA, evmB } = devnet
  const stoppable = yield* Effect.promise(async () => ({
    STUCK: await evm.deployPausable(devnet, evmB, inVault),
    STOPPED: await evm.deployPausable(devnet, evmA, inVault),
    FUSE: await evm.deployPausable(devnet, evmA, inVault)
  }))
  const wallets = yield* Effect.promise(() => makeWallets(devnet, [stoppable.STOPPED, stoppable.FUSE]))
  yield* Effect.promise(async () => {
    await pause(devnet, evmB, stoppable.STUCK, true)
    await pause(devnet, evmA, stoppable.STOPPED, true)
  })

  const port = yield* freePort
  const token = (chain: Devnet.EvmChain, symbol: keyof Stoppable) =>
    withToken(chain.id, { symbol, address: stoppable[symbol], decimals: 6, asset: "USDC" })
  const withTokens = [token(evmB, "STUCK"), token(evmA, "STOPPED"), token(evmA, "FUSE")]
  const quick = eachChain((chain) => ({
    ...chain,
    pollMillis: 60,
    ...(chain.kind === "evm" && { finality: [{ after: { blocks: 3 } }] as const })
  }))
  const file = withTokens.reduce((file, change) => change(file), quick(fileFor(devnet)))

  const folder = yield* temporary
  const [config, path] = [join(folder, "geoswap.json"), join(folder, "geoswap.db")]
  const { database, expireLeases, rows, variables } = yield* storageOf(engine, path)
  writeFileSync(
    config,
    JSON.stringify({
      ...file,
      listen: { host: "127.0.0.1", port },
      database: path,
      execution: { ...file.execution, deliveryRetryMillis: 300 }
    })
  )
  const apiKeys = yield* makeApiKeys(database)
  const environment = { ...(yield* environmentFor(devnet)), ...variables }
  const options = { config, database: path, environment }
  const host = yield* Effect.acquireRelease(
    Effect.promise(() => makeHost(options)),
    ({ close }) => Effect.promise(close)
  )
  yield* Effect.promise(host.start)
  const url = `http://127.0.0.1:${port}`
  const client = yield* Effect.promise(() => clientOf(devnet, { url, apiKeys, database: path }, {}))
  const network = yield* Effect.promise(() => networkOf(devnet))
  const facts = makeFacts(devnet)
  const chains = { devnet, facts, stoppable, wallets }
  return { ...options, ...chains, apiKeys, client, network, ended: [], engine, expireLeases, host, rows, url }
})

/** The fixture with a running server. */
export const layer = (engine: "SQLite" | "PostgreSQL") => Layer.effect(Fixture, make(engine))
