/** Swaps at a steady pace against a server in a separate process, and samples of its memory. */
import type { Client, ExecuteInput } from "@geoswap/core/promise"
import type { Devnet } from "@geoswap/devnet"
import { readFileSync } from "node:fs"
import { clientOf } from "../../stack/client.js"
import * as evm from "../../stack/evm.js"
import * as solana from "../../stack/solana.js"
import type { Running } from "../../stack/stack.js"
import { liveMegabytes } from "./heap.js"

export interface Pace {
  readonly perMinute: number
  readonly minutes: number
}

/** One sample of the server. */
interface Sample {
  /** Minutes since the first swap. */
  readonly at: number
  /** Resident memory. */
  readonly megabytes: number
  /** Heap after a garbage collection. */
  readonly live: number
  readonly underWay: number
}

export interface Report {
  readonly started: number
  /** The number of swaps by status, or by the name of an error. */
  readonly ends: Readonly<Record<string, number>>
  /** From the request for a quote to the end that the client saw, in milliseconds. */
  readonly millis: { readonly median: number; readonly p95: number; readonly longest: number }
  readonly samples: ReadonlyArray<Sample>
  /** The growth of the heap over the second half, as a regression line: MB per minute. */
  readonly livePerMinute: number
}

/** The resident memory of a process. */
const megabytesOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** The slope of the regression line. */
const slopeOf = (points: ReadonlyArray<Sample>): number => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ live }) => live))]
  const spread = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return spread === 0 ? 0 : points.reduce((sum, { at, live }) => sum + (at - x) * (live - y), 0) / spread
}

const usdc = 1_000_000n

/** A wallet that swaps one dollar between its chains repeatedly. */
interface Trader {
  readonly client: Client
  readonly request: ExecuteInput
}

/** Every direction, with several wallets each: swaps of one wallet would wait for its balance. */
const tradersOf = async (devnet: Devnet.Devnet, running: Running): Promise<ReadonlyArray<Trader>> => {
  const { evmA, evmB } = devnet
  const recipient = evm.newAddress()
  const to = async (place: "evm" | "solana") =>
    place === "evm" ? recipient : (await solana.newWallet(devnet, { USDC: 1n })).address
  const of = (chain: Devnet.EvmChain | Devnet.SolanaChain, symbol: string) => evm.tokenOf(chain, symbol)
  const fromEvm = async (origin: Devnet.EvmChain, destination: Devnet.EvmChain | Devnet.SolanaChain) => {
    const { account } = await evm.newWallet(devnet, origin, { USDC: 10_000n * usdc })
    return {
      client: await clientOf(devnet, running, { evm: account }),
      request: {
        originChain: origin.id,
        destinationChain: destination.id,
        inputToken: of(origin, "USDC"),
        outputToken: of(destination, "USDC"),
        amount: 2n * usdc,
        walletAddress: account.address,
        recipient: await to(destination.family)
      }
    }
  }
  const fromSolana = async (destination: Devnet.EvmChain) => {
    const wallet = await solana.newWallet(devnet, { USDC: 10_000n * usdc })
    return {
      client: await clientOf(devnet, running, { solana: wallet.keyPair }),
      request: {
        originChain: devnet.solana.id,
        destinationChain: destination.id,
        inputToken: of(devnet.solana, "USDC"),
        outputToken: of(destination, "WETH"),
        amount: 5n * usdc,
        walletAddress: wallet.address,
        recipient
      }
    }
  }
  const traders: Array<Trader> = []
  for (let round = 0; round < 3; round++) {
    traders.push(await fromEvm(evmA, evmB), await fromEvm(evmB, devnet.solana), await fromSolana(evmA))
  }
  return traders
}

const elapse = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const sampleMillis = 10_000

/** Keeps a pace for that long, waits until every swap has finished, and returns the result. */
export const load = async (
  devnet: Devnet.Devnet,
  running: Running,
  server: { readonly pid: number; readonly inspector: string },
  { minutes, perMinute }: Pace,
  say: (line: string) => void
): Promise<Report> => {
  const traders = await tradersOf(devnet, running)
  const ends: Record<string, number> = {}
  const took: Array<number> = []
  const samples: Array<Sample> = []
  const startedAt = performance.now()
  const minutesSince = () => (performance.now() - startedAt) / 60_000
  let underWay = 0

  const one = async ({ client, request }: Trader): Promise<void> => {
    const began = performance.now()
    underWay++
    const end = await client.execute(request).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    )
    underWay--
    took.push(performance.now() - began)
    ends[end] = (ends[end] ?? 0) + 1
  }
  const look = async () => {
    const sample = {
      at: minutesSince(),
      megabytes: megabytesOf(server.pid),
      live: await liveMegabytes(server.inspector),
      underWay
    }
    samples.push(sample)
    const memory = `${sample.megabytes.toFixed(0)} MB, of them live ${sample.live.toFixed(1)}`
    say(`${sample.at.toFixed(1)} min: ${took.length} ended, ${underWay} under way, server ${memory}`)
  }
  const timer = setInterval(() => void look(), sampleMillis)
  const swaps: Array<Promise<void>> = []
  const count = Math.round(minutes * perMinute)
  for (let index = 0; index < count; index++) {
    const trader = traders[index % traders.length]
    if (trader !== undefined) swaps.push(one(trader))
    await elapse(startedAt + ((index + 1) * 60_000) / perMinute - performance.now())
  }
  await Promise.all(swaps)
  clearInterval(timer)
  await look()
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0)
  return {
    started: count,
    ends,
    millis: { median: at(0.5), p95: at(0.95), longest: at(1) },
    samples,
    livePerMinute: slopeOf(samples.filter((sample) => sample.at >= minutes / 2))
  }
}
