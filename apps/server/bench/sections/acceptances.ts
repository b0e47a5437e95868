/** How many swaps the store alone accepts. */
import type { Accepted, Acceptances } from "../acceptances.ts"
import { start } from "../childProcess.ts"
import { type Bench, noPostgres } from "../context.ts"
import type { Database } from "../database.ts"
import { median, type Section } from "../../../../tooling/bench/report.ts"

/** How many calls run at once in each process. */
const lanes = 50

/** Measures acceptances of one process on SQLite, and of one and two processes on PostgreSQL. */
export const acceptances = async ({ fixture, postgres, quick }: Bench): Promise<Section> => {
  const cluster = await postgres()
  const [count, rounds] = quick ? [100, 1] : [3_000, 3]
  const workers = [start("./acceptances.ts"), start("./acceptances.ts")]
  const rows: Array<ReadonlyArray<string | number>> = []

  const measure = async (name: string, database: Database, processes: number): Promise<void> => {
    const found: Array<{ readonly perSecond: number; readonly cpu: number }> = []
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.all(
        workers.slice(0, processes).map(({ ask }, index) => {
          const from = (round * processes + index) * count
          return ask<Accepted>("run", { database, from, count, lanes } satisfies Acceptances)
        })
      )
      found.push({
        perSecond: results.reduce((sum, { seconds }) => sum + 1 / seconds, 0),
        cpu: median(results.map(({ cpu }) => cpu)) * 1e6
      })
    }
    rows.push([name, median(found.map(({ perSecond }) => perSecond)), median(found.map(({ cpu }) => cpu))])
  }

  await measure("SQLite, one process", fixture.newFile(), 1)
  if (cluster !== undefined) {
    for (const processes of [1, 2]) {
      const url = await cluster.newDatabase()
      const name = `PostgreSQL, ${processes === 1 ? "one process" : "two processes"}`
      await measure(name, { kind: "postgres", url }, processes)
    }
  }
  await Promise.all(workers.map(({ end }) => end()))
  return {
    title: "Acceptances by the store alone",
    columns: ["", "per second", "CPU µs"],
    rows,
    notes: [
      `Medians of ${rounds} rounds of ${count} swaps per process into two tokens of one chain, ${lanes} at once per process. The swaps stay open.`,
      "CPU is the time of one process per swap, without the database's.",
      ...(cluster === undefined ? [noPostgres] : [])
    ],
    goals: []
  }
}
