/** One of several servers on one database: a process that can be killed, paused and restarted. */
import { type Devnet, Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Host, makeHost } from "../faults/crash/serverProcess.js"
import { type Change, eachChain, elapse, make, until } from "../stack/fixture.js"
import { freePort } from "../stack/freePort.js"
import { type Wire, wire } from "../stack/postgres/proxy.js"
import type { File } from "../stack/stack.js"

/** A replica whose connections the test controls. */
export interface Replica {
  readonly url: string
  readonly host: Host
  /** Its proxy to the database. */
  readonly wire: Wire
  /** Its proxies to the nodes of every chain. */
  readonly nodes: ReadonlyArray<Proxy.Proxy>
  /** How often it has sent a transaction to any chain. */
  readonly broadcasts: () => Promise<number>
  /** Pauses it. */
  readonly pause: () => void
  /** Pauses it when it reaches a checkpoint for the given time. */
  readonly pauseAt: (step: string, occurrence: number) => Promise<void>
  readonly resume: () => void
  /** Whether a load balancer sends requests to it. */
  isIn: boolean
}

/** Longer than the interval at which a server sends pending transactions again. */
const quietMillis = 5_000

/** Waits until a replica sends nothing more: a transaction may be on its way when the test counts. */
export const quiet = async ({ broadcasts }: Pick<Replica, "broadcasts">): Promise<void> => {
  let before = -1
  await until(async () => {
    const sent = await broadcasts()
    if (sent === before) return true
    before = sent
    await elapse(quietMillis)
    return false
  })
}

const sending = { evm: "eth_sendRawTransaction", solana: "sendTransaction" }

export interface Options {
  readonly devnet: Devnet.Devnet
  readonly file: File
  readonly folder: string
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  /** The URL of the database, and its port. */
  readonly database: string
  readonly databasePort: number
  /** How many nodes each chain has (default: one). */
  readonly nodesPerChain?: number
}

/** A replica until the scope closes. It serves once its host starts it. */
export const makeReplica = Effect.fnUntraced(function* (options: Options) {
  const { database, databasePort, devnet, environment, file, folder, name, nodesPerChain = 1 } = options
  const port = yield* freePort
  const toDatabase = yield* wire(databasePort)
  const chains = [devnet.evmA, devnet.evmB, devnet.solana]
  const nodes = yield* Effect.forEach(
    Array.from({ length: nodesPerChain }, () => chains).flat(),
    ({ id, family, rpcUrl }) => Effect.map(Proxy.make({ target: rpcUrl }), (proxy) => ({ id, family, proxy }))
  )
  const urlsOf = (chainId: number) => nodes.flatMap(({ id, proxy }) => (id === chainId ? [proxy.rpcUrl] : []))
  const behind: Change = eachChain((chain) => {
    const [first = "", ...others] = urlsOf(chain.id)
    return { ...chain, rpcUrls: [first, ...others] }
  })
  const config = join(folder, `${name}.json`)
  writeFileSync(config, JSON.stringify({ ...behind(file), listen: { host: "127.0.0.1", port } }))
  const host = yield* Effect.acquireRelease(
    Effect.promise(() =>
      makeHost({ config, database: "", environment: { ...environment, DATABASE_URL: toDatabase.through(database) } })
    ),
    ({ close }) => Effect.promise(close)
  )
  const signal = (signal: "SIGCONT" | "SIGSTOP") => {
    const pid = host.server().lines.find((line) => line.startsWith("pid "))
    process.kill(Number(pid?.slice("pid ".length)), signal)
  }
  const replica: Replica = {
    url: `http://127.0.0.1:${port}`,
    host,
    wire: toDatabase,
    nodes: nodes.map(({ proxy }) => proxy),
    broadcasts: async () => {
      const counts = await Promise.all(nodes.map(({ family, proxy }) => make(proxy.calls(sending[family]))))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    pause: () => signal("SIGSTOP"),
    pauseAt: (step, occurrence) => {
      const { lines, said, tell } = host.server()
      const since = lines.length
      tell(`stop ${occurrence} ${step}`)
      return said(/^armed$/, 1, since)
    },
    resume: () => signal("SIGCONT"),
    isIn: true
  }
  return replica
})
