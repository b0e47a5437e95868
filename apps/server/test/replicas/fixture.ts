/** A devnet, a PostgreSQL, and two servers on both of them behind a simple load balancer. */
import { createClient } from "@geoswap/core/promise"
import { Devnet, type DevnetError } from "@geoswap/devnet"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { pause, type Shape as Kill } from "../faults/crash/fixture.js"
import { makeFacts } from "../faults/crash/orderTransactions.js"
import { networkOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import { eachChain, withToken } from "../stack/fixture.js"
import { databaseAt, type StoppableCluster, stoppableCluster } from "../stack/postgres/cluster.js"
import { environmentFor, fileFor, makeApiKeys, temporary } from "../stack/stack.js"
import { makeReplica, type Replica } from "./replica.js"
import { makeFew } from "./wallets.js"

export interface Shape extends Kill {
  readonly replicas: readonly [Replica, Replica]
  readonly postgres: StoppableCluster
}

export class Fixture extends Context.Service<Fixture, Shape>()("test/replicas/Fixture") {}

/** A Solana signature is valid for two minutes, about as long as an operation on EVM chains. */
const pace = { ports: "free", blockTime: 250, idleBlockTime: 2_000, slotTime: 800, finalitySlots: 2 } as const

/** The number of blocks until finality. */
export const confirmations = 3

/** Polls rarely enough for 100 swaps at once on a small machine, and never raises fees. */
const calm = eachChain((chain) => ({
  ...chain,
  pollMillis: 500,
  timeoutMillis: 20_000,
  ...(chain.kind === "evm" && { finality: [{ after: { blocks: confirmations } }] as const, stuckAfterMillis: 600_000 })
}))

/** Round robin over the replicas that are in; over all of them if none is. */
export const balanced = (replicas: ReadonlyArray<Replica>) => {
  let turn = 0
  return (url: string, init: RequestInit): Promise<Response> => {
    const able = replicas.filter(({ isIn }) => isIn)
    const choice = able.length === 0 ? replicas : able
    const { pathname, search } = new URL(url)
    return fetch(`${choice[turn++ % choice.length]?.url}${pathname}${search}`, init)
  }
}

/** A client of the first account, for all replicas or for one. */
export const clientOf = async (devnet: Devnet.Devnet, apiKey: string, replicas: ReadonlyArray<Replica>) =>
  createClient({
    transport: fetchTransport({ baseUrl: "http://127.0.0.1", apiKey, fetch: balanced(replicas) }),
    signers: {},
    network: await networkOf(devnet)
  })

const make: Effect.Effect<Shape, DevnetError.DevnetError, Scope.Scope> = Effect.gen(function* () {
  const [devnet, postgres] = yield* Effect.all([Devnet.make(pace), stoppableCluster], { concurrency: "unbounded" })
  const { evmB } = devnet
  const database = yield* Effect.promise(postgres.newDatabase)
  const stuck = yield* Effect.promise(() => evm.deployPausable(devnet, evmB, 10n ** 15n))
  yield* Effect.promise(() => pause(devnet, evmB, stuck, true))
  const wallets = yield* Effect.promise(() => makeFew(devnet))
  const known = calm(fileFor(devnet))
  const file = withToken(evmB.id, { symbol: "STUCK", address: stuck, decimals: 6, asset: "USDC" })({
    ...known,
    execution: { deliveryRetryMillis: 300, venueRetryMillis: 600_000, destinationRetryMillis: 600_000 }
  })
  const folder = yield* temporary
  const apiKeys = yield* makeApiKeys(databaseAt(database))
  const environment = yield* environmentFor(devnet)
  const given = { devnet, file, folder, environment, database, databasePort: postgres.port }
  // One after the other: loading the code takes all of a small machine.
  const started = (name: string) =>
    Effect.tap(makeReplica({ ...given, name }), ({ host }) => Effect.promise(host.start))
  const replicas = [yield* started("first"), yield* started("second")] as const
  const [{ host, url }] = replicas
  return {
    engine: "PostgreSQL",
    config: "",
    database,
    environment,
    devnet,
    host,
    url,
    apiKeys,
    client: yield* Effect.promise(() => clientOf(devnet, apiKeys[0], replicas)),
    network: yield* Effect.promise(() => networkOf(devnet)),
    facts: makeFacts(devnet),
    stoppable: { STUCK: stuck, STOPPED: stuck, FUSE: stuck },
    wallets,
    ended: [],
    replicas,
    postgres,
    rows: (sql) => postgres.query(database, sql),
    // The other replica waits for them.
    expireLeases: () => Promise.resolve()
  }
})

/** The fixture with two running servers. */
export const layer = Layer.effect(Fixture, make)
