/** Held status requests: their memory, and how soon all are answered when their swaps finish. */
import type { Process, Usage } from "../childProcess.ts"
import { type Bench, noPostgres } from "../context.ts"
import { type Database, endAll, fill, idOf } from "../database.ts"
import { type Goal, goal, type Section } from "../../../../tooling/bench/report.ts"
import { get, sampleOf } from "../rawHttp.ts"

interface Woken {
  readonly count: number
  readonly first: number
  readonly median: number
  readonly last: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
}

interface Held {
  /** Bytes before and while requests are held. */
  readonly before: Usage
  readonly during: Usage
  readonly opened: number
  /** How many were answered before their swaps finished. */
  readonly early: number
  /** Milliseconds after the first server was notified. */
  readonly woken: Woken
}

/** Far more than all responses take, because a busy machine is slow. */
const answerMillis = 120_000

const elapse = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** When the swaps finished, and the work that reports it to the server. */
interface End {
  readonly endedAt: number
  readonly reported: Promise<unknown>
}

/** Holds requests on a server until `end`. Returns when all are answered and the end is reported. */
const hold = async (
  load: Process,
  server: Process,
  port: number,
  requests: ReadonlyArray<string>,
  end: () => Promise<End>
): Promise<Held> => {
  const before = await server.ask<Usage>("usage")
  const began = Date.now()
  await load.ask("hold", { port, requests })
  const isHeld = async () => (await server.ask<number>("waiting")) >= requests.length
  // A request is answered after 15 seconds and repeated: a slow machine never holds all of them at once.
  while (!(await isHeld()) && Date.now() - began < 30_000) await elapse(20)
  const opened = (Date.now() - began) / 1_000
  const during = await server.ask<Usage>("usage")
  const early = await load.ask<number>("held")
  const { endedAt, reported } = await end()
  const [answered] = await Promise.all([load.ask<Woken>("answered", answerMillis), reported])
  const { first, last, median } = answered
  const woken = { ...answered, first: first - endedAt, median: median - endedAt, last: last - endedAt }
  return { before, during, opened, early, woken }
}

const mebi = 2 ** 20

/** Measures held requests. */
export const held = async ({ bare, barePort, load, postgres, quick, fixture }: Bench): Promise<Section> => {
  const count = quick ? 200 : 10_000
  const rows: Array<ReadonlyArray<string | number>> = []
  const goals: Array<Goal> = []
  const numbers = Array.from({ length: count }, (_, index) => index)

  const shortfalls: Array<string> = []
  /** Requests that were not held, or not answered correctly. They are reported, and the other figures are still printed. */
  const shortfallOf = ({ early, woken }: Held): string => {
    const { 200: _, ...others } = woken.statuses
    const counts = [
      ...Object.entries(others).map(([status, times]) => [`answered with ${status}`, times] as const),
      ["not answered", count - woken.count] as const,
      ["answered before their swaps ended", early] as const
    ]
    return counts.flatMap(([what, times]) => (times > 0 ? [`${times} ${what}`] : [])).join(", ")
  }

  const show = (name: string, result: Held) => {
    const { before, during, opened, woken } = result
    const grown = (during.resident - before.resident) / count / 1_024
    const answered = woken.statuses["200"] ?? 0
    const shortfall = shortfallOf(result)
    if (shortfall !== "") shortfalls.push(`${name}, of ${count} requests: ${shortfall}.`)
    goals.push(goal(`${name}: answered`, "≥", count, answered))
    rows.push([name, before.resident / mebi, during.resident / mebi, grown, opened, answered, woken.median, woken.last])
    return grown
  }

  const serve = async (name: string, database: Database, across: boolean): Promise<void> => {
    const { accountId, key } = await fixture.newKey(database)
    const first = await fixture.serve(database, "answering")
    const other = across ? await fixture.serve(database, "answering") : first
    let from = 0
    const setup = async (what: string, ender: Process, ids: ReadonlyArray<number>) => {
      await fill(database, { accountId, count: ids.length === 1 ? 1 : count, from, state: "accepted", leased: true })
      const all = ids.map((number) => idOf(from + number))
      const requests = numbers.map((number) => get(`/swap/status/${all[number % all.length]}`, key))
      const result = await hold(load, first.process, first.port, requests, async () => {
        await endAll(database)
        const endedAt = Date.now()
        // Like the executor: one notification per swap, after the commit.
        return { endedAt, reported: ender.ask("publish", all) }
      })
      from += count
      const grown = show(`${name}, ${what}`, result)
      // Later setups of the same process reuse the memory of the first one.
      if (from === count) goals.push(goal(`${name}, ${what}: each takes`, "≤", 20, grown, " KiB"))
      goals.push(goal(`${name}, ${what}: opened in`, "≤", 5, result.opened, " s"))
      goals.push(goal(`${name}, ${what}: all ${count} answered after`, "≤", 1_500, result.woken.last, " ms"))
    }
    await setup("a swap each, ended here", first.process, numbers)
    await setup("one swap, ended here", first.process, [0])
    if (across) {
      await setup("a swap each, ended by the other server", other.process, numbers)
      await setup("one swap, ended by the other server", other.process, [0])
    }
    await Promise.all([first.process.end(), ...(across ? [other.process.end()] : [])])
  }

  const file = fixture.newFile()
  const { accountId, key } = await fixture.newKey(file)
  await fill(file, { accountId, count: 1, from: 1_000_000, state: "settled" })
  const sampled = await fixture.serve(file, "answering")
  await bare.ask("like", await sampleOf({ port: sampled.port, key }, `/swap/status/${idOf(1_000_000)}`))
  await sampled.process.end()
  await bare.ask("hold")
  const requests = numbers.map((number) => get(`/swap/status/${idOf(number)}`, key))
  const plain = await hold(load, bare, barePort, requests, async () => ({
    endedAt: Date.now(),
    reported: bare.ask("release")
  }))
  show("bare node:http", plain)

  await serve("SQLite", fixture.newFile(), false)
  const cluster = await postgres()
  if (cluster !== undefined) await serve("PostgreSQL", { kind: "postgres", url: await cluster.newDatabase() }, true)

  return {
    title: `${count} held status requests`,
    columns: ["", "RSS before MiB", "RSS held MiB", "KiB each", "opened in s", "answered", "median ms", "last ms"],
    rows,
    notes: [
      "RSS after a collection. Milliseconds count from the commit that ended the swaps to an answer that arrived whole.",
      "The servers answer requests and execute nothing: one statement finishes all swaps, and they are published as the executor does it.",
      ...shortfalls,
      ...(cluster === undefined ? [noPostgres] : [])
    ],
    goals
  }
}
