/** A devnet, a PostgreSQL, and servers of two versions on both of them. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Deployment } from "@geoswap/core/promise"
import { Devnet, type DevnetError, Proxy } from "@geoswap/devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Address } from "viem"
import { expect } from "vitest"
import * as Program from "../cli/program.js"
import { makeFacts } from "../crash/orderTransactions.js"
import { pause } from "../crash/fixture.js"
import { type Cluster, cluster } from "../postgres/cluster.js"
import { deploymentsOf } from "../stack/client.js"
import * as evm from "../stack/evm.js"
import { eachChain, make as run, withToken } from "../stack/fixture.js"
import { environmentFor, fileFor, temporary } from "../stack/stack.js"
import { previousVersion } from "./previous.js"
import { withVaults } from "./previousVaults.js"

/** The previous version, and this one. */
type Version = "previous" | "current"

/** A server and its version. */
export interface Replica extends Program.Server {
  readonly version: Version
}

/** Tokens that their owner can pause: the input on the first chain, the output on the second one. */
interface Pausable {
  readonly input: Address
  readonly output: Address
}

interface Shared {
  readonly devnet: Devnet.Devnet
  readonly postgres: Cluster
  readonly deployments: Readonly<Record<number, Deployment>>
  readonly facts: ReturnType<typeof makeFacts>
  readonly pausable: Pausable
  /** Always paused. */
  readonly stuck: Address
  /** The `cli.js` of the previous version. */
  readonly previous: string
}

/** What all tests of a file share. */
export class Fixture extends Context.Service<Fixture, Shared>()("test/upgrade/Fixture") {}

/** A signature of Solana is valid for two minutes, about as long as an operation on EVM chains. */
const pace = { ports: "free", blockTime: 250, slotTime: 800, finalitySlots: 2 } as const

const deploy = async (devnet: Devnet.Devnet) => {
  const { evmA, evmB } = devnet
  const stuck = await evm.deployPausable(devnet, evmB, 10n ** 15n)
  await pause(devnet, evmB, stuck, true)
  const pausable = {
    input: await evm.deployPausable(devnet, evmA, 10n ** 15n),
    output: await evm.deployPausable(devnet, evmB, 10n ** 15n)
  }
  return { pausable, stuck }
}

const make: Effect.Effect<Shared, DevnetError.DevnetError, Scope.Scope> = Effect.gen(function* () {
  const { cli: previous, vault } = yield* Effect.promise(previousVersion)
  const [started, postgres] = yield* Effect.all([Devnet.make(pace), cluster], { concurrency: "unbounded" })
  const devnet = yield* Effect.promise(() => withVaults(started, vault))
  const tokens = yield* Effect.promise(() => deploy(devnet))
  const deployments = yield* Effect.promise(() => deploymentsOf(devnet))
  return { devnet, postgres, deployments, facts: makeFacts(devnet), previous, ...tokens }
})

export const layer = Layer.effect(Fixture, make)

/** One test: its own database, and servers that are started and stopped. */
export interface Setup extends Shared {
  readonly apiKey: string
  /** Between all servers and the nodes; tests themselves use the nodes. */
  readonly nodes: { readonly evmA: Proxy.Proxy; readonly evmB: Proxy.Proxy; readonly solana: Proxy.Proxy }
  /** Runs a statement in the database, beside all servers. */
  readonly rows: (sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Starts a server, and returns when it listens. */
  readonly serve: (version: Version) => Promise<Replica>
  /** Every server of this test, in the order of their starts. */
  readonly replicas: ReadonlyArray<Replica>
}

/** How long a delivery is retried before the input is refunded. */
const deliveryRetryMillis = 1_500

/** Fast enough for a test, and without replacements of a transaction that only waits for the test. */
const calm = eachChain((chain) => ({
  ...chain,
  pollMillis: 250,
  timeoutMillis: 30_000,
  ...(chain.kind === "evm" && { confirmations: 3, stuckAfterMillis: 600_000 })
}))

/** The previous version does not know payments, and its vault cannot collect them. */
const withoutPayments = eachChain((chain) => {
  if (chain.kind !== "evm") return chain
  const { payments: _, tokens, ...rest } = chain
  return { ...rest, tokens: tokens.map(({ payments: __, ...token }) => token) }
})

const fileOf = ({ devnet, pausable, stuck }: Shared, nodes: Setup["nodes"]) => {
  const { evmA, evmB, solana } = devnet
  const urls = new Map([
    [evmA.id, nodes.evmA.rpcUrl],
    [evmB.id, nodes.evmB.rpcUrl],
    [solana.id, nodes.solana.rpcUrl]
  ])
  const token = { decimals: 6, asset: "USDC" }
  const changes = [
    calm,
    withoutPayments,
    eachChain((chain) => ({ ...chain, rpcUrls: [urls.get(chain.id) ?? ""] })),
    withToken(evmB.id, { ...token, symbol: "STUCK", address: stuck }),
    withToken(evmA.id, { ...token, symbol: "IN", address: pausable.input }),
    withToken(evmB.id, { ...token, symbol: "OUT", address: pausable.output })
  ]
  const file = changes.reduce((each, change) => change(each), fileFor(devnet))
  // The previous version refuses a configuration with limits that it does not know.
  const { failedAuth: _, indicative: __, ...limits } = file.limits ?? {}
  return {
    ...file,
    limits,
    execution: {
      deliveryPatienceMillis: deliveryRetryMillis,
      venuePatienceMillis: 600_000,
      destinationPatienceMillis: 600_000
    }
  }
}

/** The outputs whose kept total differs from the sum of their claims. */
const wrongTotals = `SELECT * FROM (
    SELECT name, SUM(amount::numeric) AS reserved FROM claims WHERE kind = 'output' GROUP BY name
  ) AS sums FULL JOIN (
    SELECT name, SUM(amount) AS reserved FROM (
      SELECT kind, name, amount FROM claim_totals UNION ALL SELECT kind, name, amount FROM claim_changes
    ) AS changes WHERE kind = 'output' GROUP BY name
  ) AS totals USING (name)
  WHERE COALESCE(sums.reserved, 0) <> COALESCE(totals.reserved, 0)`

/** Runs a test with its own database. Remaining servers are stopped, and held chains are released. */
export const play = (body: (setup: Setup) => Promise<void>) =>
  Effect.gen(function* () {
    const shared = yield* Fixture
    const { devnet, postgres, previous } = shared
    const { evmA, evmB, solana } = devnet
    const nodes = yield* Effect.all({
      evmA: Proxy.make({ target: evmA.rpcUrl }),
      evmB: Proxy.make({ target: evmB.rpcUrl }),
      solana: Proxy.make({ target: solana.rpcUrl })
    })
    const database = yield* Effect.promise(postgres.newDatabase)
    const folder = yield* temporary
    writeFileSync(join(folder, "geoswap.json"), JSON.stringify(fileOf(shared, nodes)))
    const secrets = yield* environmentFor(devnet)
    const environment = { ...secrets, DATABASE_URL: database, NODE_COMPILE_CACHE: join(folder, "code") }
    const places: Readonly<Record<Version, Program.Workspace>> = {
      previous: { folder, environment, cli: previous },
      current: { folder, environment }
    }
    const scope = yield* Scope.Scope
    const replicas: Array<Replica> = []
    const created = yield* Program.runProcess(places.previous, "keys", "create", "--account", "first")
    const setup: Setup = {
      ...shared,
      nodes,
      replicas,
      apiKey: created.stdout.trim(),
      rows: (sql) => postgres.query(database, sql),
      serve: async (version) => {
        const server = await run(Effect.provideService(Program.serve(places[version]), Scope.Scope, scope))
        const replica = { ...server, version }
        replicas.push(replica)
        return replica
      }
    }
    const letGo = Effect.all([evmA.release, evmB.release, solana.release], { discard: true })
    yield* Effect.ensuring(
      Effect.promise(() => body(setup)),
      Effect.orDie(letGo)
    )
    // Servers of both versions have reserved and released outputs.
    expect(yield* Effect.promise(() => setup.rows(wrongTotals))).toEqual([])
  })
