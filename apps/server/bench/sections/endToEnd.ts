/** Swaps of many callers at once on a devnet, from the quote to the end: everything on the same machine. */
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { createClient, type Client } from "@geoswap/core/promise"
import { Description, Devnet } from "@geoswap/devnet"
import { DevnetConfig } from "@geoswap/server"
import { Seal } from "@geoswap/service"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { privateKeyToAccount } from "viem/accounts"
import { type Process, start } from "../childProcess.ts"
import type { Bench } from "../context.ts"
import type { Database } from "../database.ts"
import { limits } from "../fixture.ts"
import { goal, median, type Goal, type Section } from "../../../../tooling/bench/report.ts"
import { tokenOf } from "./latency.ts"

const pace = { ports: "free", blockTime: 400, slotTime: 400 } as const

interface Setup {
  readonly name: string
  readonly database: Database
  readonly replicas: number
  /** How many swaps can share a transaction. */
  readonly maxBatch: number
  /** The goal for swaps per second. */
  readonly wanted?: number
}

interface Load {
  readonly callers: number
  readonly each: number
}

/** Servers in separate processes, and a client for each server and wallet. */
const serve = async (devnet: Devnet.Devnet, bench: Bench, { database, maxBatch, replicas }: Setup) => {
  const whole = DevnetConfig.fileOf(devnet.description)
  const chains = whole.chains.map((chain) => (chain.kind === "evm" ? { ...chain, maxBatch } : chain))
  const file = { ...whole, chains }
  const config = join(bench.fixture.folder, "swaps.json")
  writeFileSync(config, JSON.stringify({ ...file, limits, listen: { host: "127.0.0.1", port: 0 } }))
  const secrets = {
    ...DevnetConfig.secretsOf(devnet.description),
    GEOSWAP_SEAL_KEYS: await Effect.runPromise(Seal.generateKey)
  }
  const { key } = await bench.fixture.newKey(database)
  const servers = Array.from({ length: replicas }, () => start("./server.ts", secrets))
  const network = Description.network(devnet.description)
  const clients: Array<{ readonly client: Client; readonly wallet: string }> = []
  for (const server of servers) {
    const port = await server.ask<number>("serve", { config, database, kind: "whole" })
    for (const { address, privateKey } of devnet.evmWallets) {
      const client = createClient({
        transport: fetchTransport({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key }),
        signers: { evm: EvmSigner.fromAccount(privateKeyToAccount(privateKey)) },
        network
      })
      clients.push({ client, wallet: address })
    }
  }
  return { clients, servers, end: () => Promise.all(servers.map((server) => server.end())) }
}

/** CPU time in seconds: of the servers, of the callers, of everything on the machine, and what was not used. */
const cpuTimes = async (servers: ReadonlyArray<Process>) => {
  const ofServers = await Promise.all(servers.map((server) => server.ask<number>("cpu")))
  const { system, user } = process.cpuUsage()
  const all = { busy: 0, idle: 0 }
  for (const { times } of cpus()) {
    all.idle += times.idle / 1e3
    all.busy += (times.user + times.nice + times.sys + times.irq) / 1e3
  }
  return [ofServers.reduce((sum, one) => sum + one, 0), (system + user) / 1e6, all.busy, all.idle] as const
}

const run = async (devnet: Devnet.Devnet, bench: Bench, setup: Setup, { callers, each }: Load) => {
  const { evmA, evmB } = devnet
  const { clients, end, servers } = await serve(devnet, bench, setup)
  const took: Array<number> = []
  const swap = async (caller: number) => {
    const { client, wallet } = clients[caller % clients.length] ?? {}
    if (client === undefined || wallet === undefined) throw new Error("There are clients.")
    const began = performance.now()
    const { failureCode, status, swapId } = await client.execute({
      originChain: evmA.id,
      destinationChain: evmB.id,
      inputToken: tokenOf(evmA, "USDC"),
      outputToken: tokenOf(evmB, "USDC"),
      amount: 1_000_000n,
      walletAddress: wallet
    })
    if (status !== "settled") throw new Error(`Swap ${swapId} is ${status}: ${failureCode}.`)
    took.push(performance.now() - began)
  }
  try {
    // The first swap of a wallet includes its delegation, and loads code.
    for (const [caller] of devnet.evmWallets.entries()) await swap(caller)
    took.length = 0
    const before = await cpuTimes(servers)
    const began = performance.now()
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let index = 0; index < each; index++) await swap(caller)
      })
    )
    const seconds = (performance.now() - began) / 1_000
    const after = await cpuTimes(servers)
    const [ours = 0, callersOnly = 0, busy = 0, idle = 0] = after.map((time, index) => time - (before[index] ?? 0))
    const perSwap = (time: number) => (time / took.length) * 1e3
    return {
      perSecond: took.length / seconds,
      median: median(took),
      longest: Math.max(...took),
      service: perSwap(ours),
      callers: perSwap(callersOnly),
      chains: perSwap(Math.max(busy - ours - callersOnly, 0)),
      idle: `${Math.round((idle / (busy + idle)) * 100)}%`
    }
  } finally {
    await end()
  }
}

const measure = (bench: Bench, setups: ReadonlyArray<Setup>, load: Load) =>
  Effect.gen(function* () {
    const devnet = yield* Devnet.Devnet
    const rows: Array<ReadonlyArray<string | number>> = []
    const goals: Array<Goal> = []
    for (const setup of setups) {
      const found = yield* Effect.tryPromise(() => run(devnet, bench, setup, load))
      const { callers, chains, idle, longest, perSecond, service } = found
      rows.push([setup.name, perSecond, found.median, longest, service, callers, chains, idle])
      const { name, wanted } = setup
      if (wanted !== undefined) goals.push(goal(`swaps per second, ${name},`, "≥", wanted, found.perSecond))
    }
    return { rows, goals }
  }).pipe(
    Effect.provide(Layer.fresh(Devnet.layer(pace))),
    Effect.scoped,
    Effect.provideService(References.MinimumLogLevel, "None")
  )

/** Measures swaps from the quote to the end. */
export const endToEnd = async (bench: Bench): Promise<Section> => {
  const load = bench.quick ? { callers: 4, each: 1 } : { callers: 60, each: 3 }
  const cluster = await bench.postgres()
  const newDatabase = async (): Promise<Database> => ({ kind: "postgres", url: (await cluster?.newDatabase()) ?? "" })
  const off = { maxBatch: 1 }
  const setups: ReadonlyArray<Setup> = [
    { name: "one process on SQLite, no batches", database: bench.fixture.newFile(), replicas: 1, ...off },
    { name: "one process on SQLite", database: bench.fixture.newFile(), replicas: 1, maxBatch: 10, wanted: 44.4 },
    ...(cluster === undefined
      ? []
      : [
          { name: "two replicas on PostgreSQL, no batches", database: await newDatabase(), replicas: 2, ...off },
          {
            name: "two replicas on PostgreSQL",
            database: await newDatabase(),
            replicas: 2,
            maxBatch: 10,
            wanted: 27.3
          }
        ])
  ]
  const found = await Effect.runPromise(Effect.result(measure(bench, setups, load)))
  const { goals, rows } = found._tag === "Success" ? found.success : { goals: [], rows: [] }
  return {
    title: `Swaps of ${load.callers} callers at once`,
    columns: ["", "per second", "median ms", "longest ms", "CPU ms: service", "callers", "chains, database", "idle"],
    rows,
    notes: [
      `EVM to EVM, ${load.each} swaps for each caller, one after the other; blocks every ${pace.blockTime} ms, 2 confirmations; one relayer key per chain. The callers sign in the process of the benchmark.`,
      "CPU time per swap. What the service and the callers do not use is used by the chains, the database and the rest of the machine.",
      ...(found._tag === "Success" ? [] : [`The swaps did not run to their end: ${String(found.failure)}`])
    ],
    goals
  }
}
