/** `pnpm bench service [section …] [--quick] [--json] [--profile <folder>]`: measures the service and prints a report. */
import { cpus, totalmem } from "node:os"
import { parseArgs } from "node:util"
import { start } from "./childProcess.ts"
import type { Bench } from "./context.ts"
import { acceptances } from "./sections/acceptances.ts"
import { calls } from "./sections/calls.ts"
import { endToEnd } from "./sections/endToEnd.ts"
import { held } from "./sections/heldRequests.ts"
import { latency } from "./sections/latency.ts"
import { rows } from "./sections/rows.ts"
import { submits } from "./sections/submits.ts"
import { type Cluster, programs, startPostgres } from "./postgres.ts"
import { type Section, textOf } from "../../../tooling/bench/report.ts"
import { makeFixture } from "./fixture.ts"

const callNames = ["quote", "status", "build", "submit"] as const

type Part = (bench: Bench, names: ReadonlySet<string>) => Promise<Section>

/** The sections, and the names that select them. */
const parts: ReadonlyArray<{ readonly names: ReadonlyArray<string>; readonly run: Part }> = [
  { names: callNames, run: calls },
  { names: ["submits"], run: submits },
  { names: ["acceptances"], run: acceptances },
  { names: ["held"], run: held },
  { names: ["rows"], run: rows },
  { names: ["latency"], run: latency },
  { names: ["swaps"], run: endToEnd }
]

const known = parts.flatMap(({ names }) => names)

const usage = `Usage: pnpm bench service [${known.join("|")} …] [--quick] [--json] [--profile <folder>]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h" },
    quick: { type: "boolean" },
    json: { type: "boolean" },
    profile: { type: "string" }
  }
})

const run = async (wanted: ReadonlySet<string>): Promise<ReadonlyArray<Section>> => {
  const fixture = await makeFixture()
  const [load, bare] = [start("./load.ts"), start("./baseline.ts")]
  let cluster: Promise<Cluster> | undefined
  try {
    const bench: Bench = {
      fixture,
      load,
      bare,
      barePort: await bare.ask<number>("listen"),
      postgres: async () => (programs === undefined ? undefined : await (cluster ??= startPostgres())),
      quick: values.quick === true,
      profiles: values.profile
    }
    const sections: Array<Section> = []
    for (const part of parts) {
      if (!part.names.some((name) => wanted.has(name))) continue
      const section = await part.run(bench, wanted)
      sections.push(section)
      if (values.json !== true) process.stdout.write(`${textOf(section)}\n\n`)
    }
    return sections
  } finally {
    await Promise.all([load.end(), bare.end(), fixture.end()])
    await (await cluster)?.end()
  }
}

const [what, ...names] = positionals
if (values.help === true) {
  process.stdout.write(`${usage}\n`)
} else if (what !== "service" || names.some((name) => !known.includes(name))) {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 64
} else {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  if (values.json !== true) process.stdout.write(`# geoswap service on ${machine}\n\n`)
  const sections = await run(new Set(names.length === 0 ? known : names))
  if (values.json === true) process.stdout.write(`${JSON.stringify({ machine, sections }, null, 2)}\n`)
}
