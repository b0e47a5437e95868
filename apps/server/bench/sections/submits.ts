/** Submits to two servers on one PostgreSQL, compared with the minimum cost. */
import { start } from "../childProcess.ts"
import { type Bench, noPostgres } from "../context.ts"
import type { Database } from "../database.ts"
import type { Outcome } from "../load.ts"
import { goal, median, type Section } from "../../../../tooling/bench/report.ts"
import { post } from "../rawHttp.ts"
import { prepare } from "../signedOperations.ts"

const title = "Submits of two servers on one PostgreSQL"

/** Total of both servers. */
const connections = 50

/** Measures submits. */
export const submits = async ({ load, postgres, quick, fixture }: Bench): Promise<Section> => {
  const cluster = await postgres()
  if (cluster === undefined) return { title, columns: [], rows: [], notes: [noPostgres], goals: [] }
  const url = await cluster.newDatabase()
  const database: Database = { kind: "postgres", url }
  const { key } = await fixture.newKey(database)
  const servers = [await fixture.serve(database), await fixture.serve(database)]
  const floors = [start("./submitFloor.ts"), start("./submitFloor.ts")]
  const [count, rounds] = quick ? [40, 1] : [1_000, 4]
  const callers = servers.map(({ port }) => ({ port, key }))
  const found: Array<{
    readonly perSecond: number
    readonly p50: number
    readonly p99: number
    readonly cpu: number
    readonly floor: number
  }> = []

  const cpu = async () => {
    const used = await Promise.all(servers.map(({ process }) => process.ask<number>("cpu")))
    return used.reduce((sum, each) => sum + each, 0)
  }
  // The first round is a warm-up.
  for (let index = quick ? 1 : 0; index <= rounds; index++) {
    const ready = await prepare(callers, count)
    const before = await cpu()
    const began = performance.now()
    const outcomes = await Promise.all(
      callers.map(({ port }) =>
        load.ask<Outcome>("run", {
          port,
          connections: connections / callers.length,
          requests: ready
            .filter(({ caller }) => caller.port === port)
            .map(({ body }) => post("/swap/submit", key, body))
        })
      )
    )
    const seconds = (performance.now() - began) / 1_000
    for (const { refusal } of outcomes) if (refusal !== undefined) throw new Error(`A submit was refused: ${refusal}`)
    const submitted = outcomes.reduce((sum, { count: answered }) => sum + answered, 0)
    const used = (await cpu()) - before
    const lanes = connections / floors.length
    const least = await Promise.all(
      floors.map(({ ask }) => ask<number>("run", { url, count: submitted / floors.length, lanes }))
    )
    if (index === 0) continue
    found.push({
      perSecond: submitted / seconds,
      p50: median(outcomes.map(({ p50 }) => p50)),
      p99: Math.max(...outcomes.map(({ p99 }) => p99)),
      cpu: (used / submitted) * 1e6,
      floor: submitted / Math.max(...least)
    })
  }
  await Promise.all([...servers.map(({ process }) => process.end()), ...floors.map(({ end }) => end())])
  const of = (name: keyof (typeof found)[number]) => median(found.map((round) => round[name]))
  return {
    title,
    columns: ["", "per second", "p50 ms", "p99 ms", "CPU µs", "of the floor"],
    rows: [
      ["submits", of("perSecond"), of("p50"), of("p99"), of("cpu"), of("perSecond") / of("floor")],
      ["floor: a recovery and a commit each", of("floor"), "", "", "", 1]
    ],
    notes: [
      `${rounds} rounds of up to ${count} signed operations of 50 wallets, all into one token of one chain; ${connections} connections; interleaved with the floor in two processes of 10 connections each.`,
      "fsync and synchronous_commit are on. The chains are a node that answers at once, in a separate process.",
      "The executors run with execution.concurrency 1: each keeps its first swap, and nothing is ever included."
    ],
    goals: [
      goal("submits in a second", "≥", 1_000, of("perSecond")),
      goal("CPU time of a submit, summed over both servers,", "≤", 1_200, of("cpu"), " µs")
    ]
  }
}
