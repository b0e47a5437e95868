/** `pnpm bench sdk [--runs <number>] [--json] [--keep]`: compares the SDK with other SDKs and prints a report. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { bundleSize } from "../bundleSize.ts"
import { type Section, textOf } from "./report.ts"
import { type Measured, measureImports, type Stage } from "./sdk/imports.ts"
import { type Installed, installOwn, installPeer, type Missing } from "./sdk/install.ts"
import { startStub } from "./sdk/stub.ts"
import { geoswap, peers } from "./sdk/subjects.ts"

const usage = `Usage: pnpm bench sdk [--runs <number>] [--json] [--keep]

Installs the packed SDK and the newest versions of other SDKs into a temporary folder, and measures
  - how long a new Node process takes to import each SDK, and to get its first quote from a local server
  - the size of a browser bundle with each SDK

  --runs <number>  processes per SDK and measurement, at least 15 (default: 21)
  --json           prints the report as JSON
  --keep           keeps the temporary folder and prints its path`

/** Fewer processes give medians that differ too much between reports. */
const minRuns = 15

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h" },
    json: { type: "boolean" },
    keep: { type: "boolean" },
    runs: { type: "string", default: "21" }
  }
})

const isInstalled = (one: Installed | Missing): one is Installed => "folder" in one

/** The empty program, which shows how much of each time is Node's own. */
const emptyNode = (folder: string) => {
  const path = join(folder, "empty")
  mkdirSync(path)
  return { name: "empty Node", folder: path, imports: "", quote: "" }
}

const importSection = (
  names: ReadonlyArray<string>,
  measured: ReadonlyArray<Measured>,
  runs: number,
  notes: ReadonlyArray<string>
): Section => {
  const cells = (name: string, stage: Stage): ReadonlyArray<string | number> => {
    const result = measured.find((one) => one.name === name && one.stage === stage)?.result
    if (result === undefined) return ["–", "–"]
    return "failure" in result ? ["failed", "failed"] : [Math.round(result.wall), Math.round(result.cpu)]
  }
  const failures = measured.flatMap(({ name, result, stage }) =>
    "failure" in result ? [`${name} failed at its ${stage}: ${result.failure}`] : []
  )
  return {
    title: "cold import in Node, in ms",
    columns: ["SDK", "import: wall", "import: CPU", "first quote: wall", "first quote: CPU"],
    rows: names.map((name) => [name, ...cells(name, "import"), ...cells(name, "quote")]),
    notes: [
      `Medians of ${runs} new processes per figure, in turns, from the start of the process to its exit. The files were in the operating system's cache.`,
      "Each program imports what the quick start of its SDK imports, including privateKeyToAccount from viem/accounts.",
      "The first quote comes from a local server. It includes the import, so code that is loaded later is counted too. x402 has no quotes: its client pays for a request.",
      ...failures,
      ...notes
    ],
    goals: []
  }
}

const sizeSection = async (installed: ReadonlyArray<Installed>, notes: ReadonlyArray<string>): Promise<Section> => {
  const rows: Array<ReadonlyArray<string | number>> = []
  const failures: Array<string> = []
  for (const { bundle, folder, name, packages, version } of installed) {
    const package_ = packages[0] ?? ""
    try {
      const { compressed, minified } = await bundleSize(bundle, folder)
      rows.push([name, package_, version, compressed, minified])
    } catch (error) {
      rows.push([name, package_, version, "failed", "failed"])
      failures.push(`${name} cannot be bundled: ${String(error).split("\n", 1)[0]}`)
    }
  }
  return {
    title: "browser bundle, in kB",
    columns: ["SDK", "package", "version", "minified and gzipped", "minified"],
    rows,
    notes: [
      "Each bundle contains the client, quotes, execution and support for EVM wallets, with all dependencies, but without private keys.",
      ...failures,
      ...notes
    ],
    goals: []
  }
}

const run = async (folder: string, runs: number): Promise<ReadonlyArray<Section>> => {
  const own = await installOwn(folder, geoswap)
  const others: Array<Installed | Missing> = []
  for (const peer of peers) others.push(await installPeer(folder, peer))
  const installed = [own, ...others.filter(isInstalled)]
  const missing = others
    .filter((one): one is Missing => !isInstalled(one))
    .map(({ name, reason }) => `${name} cannot be installed: ${reason}`)
  const stub = await startStub()
  try {
    const subjects = [emptyNode(folder), ...installed]
    const measured = await measureImports(subjects, runs, stub.url)
    const unknown = [...stub.unknown].map((path) => `The local server does not know ${path}`)
    const names = subjects.map(({ name }) => name)
    return [importSection(names, measured, runs, [...unknown, ...missing]), await sizeSection(installed, missing)]
  } finally {
    await stub.close()
  }
}

const runs = Number(values.runs)
if (values.help === true) {
  console.log(usage)
} else if (positionals.join(" ") !== "sdk" || !Number.isSafeInteger(runs) || runs < minRuns) {
  console.error(usage)
  process.exitCode = 64
} else {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-bench-sdk-"))
  try {
    const machine = `${cpus().length} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`
    const sections = await run(folder, runs)
    console.log(
      values.json === true
        ? JSON.stringify({ machine, sections }, null, 2)
        : [`# geoswap SDK on ${machine}`, ...sections.map(textOf)].join("\n\n")
    )
  } finally {
    if (values.keep === true) console.error(folder)
    else rmSync(folder, { recursive: true, force: true })
  }
}
