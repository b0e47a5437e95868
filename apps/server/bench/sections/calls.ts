/** The calls of a swap compared with the baseline: interleaved rounds, and their median. */
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { Process } from "../childProcess.ts"
import type { Bench } from "../context.ts"
import { fill, idOf } from "../database.ts"
import type { Outcome, Run } from "../load.ts"
import { goal, median, type Section } from "../../../../tooling/bench/report.ts"
import { call, type Caller, get, post, quoteOf, sampleOf } from "../rawHttp.ts"
import { prepare } from "../signedOperations.ts"

const connections = 50

/** A call: the requests of one round, and a response to imitate. */
interface Subject {
  readonly name: string
  /** The goal for the server's CPU time per request, in microseconds. */
  readonly wantedCpu?: number
  /** The goal for requests per second. */
  readonly wantedRate?: number
  /** Whether the baseline does the same work instead of repeating a response. */
  readonly isQuote?: boolean
  readonly sample: () => Promise<unknown>
  readonly requests: () => Promise<ReadonlyArray<string>>
  /** Whether each request is sent once instead of in turn. */
  readonly once?: boolean
}

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Server time per request in microseconds. */
  readonly cpu: number
}

const round = async (load: Process, server: Process, run: Run): Promise<Round> => {
  const before = await server.ask<number>("cpu")
  const { count, p50, p99, refusal, seconds, statuses } = await load.ask<Outcome>("run", run)
  const after = await server.ask<number>("cpu")
  if (refusal !== undefined || statuses["200"] !== count) throw new Error(`Not all requests were answered: ${refusal}`)
  return { perSecond: count / seconds, p50, p99, cpu: ((after - before) / count) * 1e6 }
}

const middle = (rounds: ReadonlyArray<Round>): Round => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: median(rounds.map(({ cpu }) => cpu))
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

const subjectsOf = (caller: Caller, quick: boolean): ReadonlyArray<Subject> => {
  const { key } = caller
  const [wallet, wallets] = [
    newAddress(),
    Array.from({ length: 2_000 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "a")}`)
  ]
  const status = `/swap/status/${idOf(0)}`
  const tokenOf = async () =>
    (await call<{ readonly geoQuoteToken: string }>(caller, "/swap/quote", quoteOf(wallet))).geoQuoteToken
  return [
    {
      name: "quote",
      wantedCpu: 150,
      isQuote: true,
      sample: () => sampleOf(caller, "/swap/quote", quoteOf(wallet)),
      requests: async () => [post("/swap/quote", key, quoteOf(wallet))]
    },
    {
      name: "quote, 2,000 wallets in turn",
      isQuote: true,
      sample: () => sampleOf(caller, "/swap/quote", quoteOf(wallet)),
      requests: async () => wallets.map((each) => post("/swap/quote", key, quoteOf(each)))
    },
    {
      name: "status of a swap that has ended",
      wantedCpu: 35,
      sample: () => sampleOf(caller, status),
      requests: async () => Array.from({ length: 1_000 }, (_, index) => get(`/swap/status/${idOf(index)}`, key))
    },
    {
      name: "build",
      wantedCpu: 500,
      sample: async () => sampleOf(caller, "/swap/build-geo-op", { geoQuoteToken: await tokenOf() }),
      requests: async () => [post("/swap/build-geo-op", key, { geoQuoteToken: await tokenOf() })]
    },
    {
      name: "submit",
      wantedCpu: 1_300,
      wantedRate: 700,
      once: true,
      sample: async () => {
        const [first] = await prepare([caller], 1)
        return sampleOf(caller, "/swap/submit", first?.body)
      },
      requests: async () =>
        (await prepare([caller], quick ? 20 : 1_000)).map(({ body }) => post("/swap/submit", key, body))
    }
  ]
}

/** Measures the selected calls. */
export const calls = async (bench: Bench, names: ReadonlySet<string>): Promise<Section> => {
  const { bare, barePort, load, profiles, quick, fixture } = bench
  const database = fixture.newFile()
  const { accountId, key } = await fixture.newKey(database)
  await fill(database, { accountId, count: 1_000, state: "settled" })
  const flags = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`]
  const { port, process: server } = await fixture.serve(database, "whole", flags)
  const [seconds, rounds] = quick ? [0.3, 1] : [3, 5]
  const rows: Array<ReadonlyArray<string | number>> = []
  const goals = []
  for (const { isQuote, name, once, requests, sample, wantedCpu, wantedRate } of subjectsOf({ port, key }, quick)) {
    if (![...names].some((each) => name.startsWith(each))) continue
    await bare.ask("like", await sample())
    if (isQuote === true) await bare.ask("quote", key)
    const found: { readonly [Who in "ours" | "bare"]: Array<Round> } = { ours: [], bare: [] }
    // The first round of both is a warm-up.
    for (let index = quick ? 1 : 0; index <= rounds; index++) {
      const run = { connections, requests: await requests(), ...(once !== true && { seconds }) }
      const ours = await round(load, server, { ...run, port })
      const theirs = await round(load, bare, { ...run, seconds: once === true ? seconds / 3 : seconds, port: barePort })
      if (index === 0) continue
      found.ours.push(ours)
      found.bare.push(theirs)
    }
    const [ours, theirs] = [middle(found.ours), middle(found.bare)]
    const ratio = ours.perSecond / theirs.perSecond
    rows.push([
      name,
      ours.perSecond,
      ours.p50,
      ours.p99,
      ours.cpu,
      theirs.perSecond,
      theirs.p50,
      theirs.p99,
      theirs.cpu,
      ratio,
      theirs.cpu / ours.cpu
    ])
    if (wantedCpu !== undefined) goals.push(goal(`${name}, CPU time,`, "≤", wantedCpu, ours.cpu, " µs"))
    if (wantedRate !== undefined) goals.push(goal(`${name} on SQLite, per second,`, "≥", wantedRate, ours.perSecond))
  }
  await server.end()
  return {
    title: "Calls compared with a plain node:http handler",
    columns: [
      "call",
      "req/s",
      "p50 ms",
      "p99 ms",
      "CPU µs",
      "bare req/s",
      "p50",
      "p99",
      "CPU µs",
      "ratio req/s",
      "ratio CPU"
    ],
    rows,
    notes: [
      `${connections} connections, one request at a time on each; ${rounds} rounds of ${seconds} s, interleaved, medians; SQLite on disk; table of prices; the executor holds one swap.`,
      "The chains are a node that answers at once, in a separate process on the same two cores.",
      "For quotes, the baseline does the same work: it parses, compares the key, prices, seals and writes JSON. For the other calls, it parses the body and returns JSON of the same size. It has no rate limits, validates nothing and stores nothing."
    ],
    goals
  }
}
