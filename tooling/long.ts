/**
 * `node long.ts [--list] [part …]`: runs the long tests, or only the named parts, one part after another. Then prints the
 * test counts.
 */
import { spawn } from "node:child_process"
import { globSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import { describeEnvironment, environment } from "./environment.ts"
import { listParts, type Part, selectParts } from "./longParts.ts"
import { countTests, type VitestReport } from "./vitestReport.ts"
import { read, root } from "./workspace.ts"

const usage = "Usage: pnpm test:long [--list] [part …]"

const parse = () => {
  try {
    return parseArgs({ allowPositionals: true, options: { list: { type: "boolean", default: false } } })
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    return process.exit(2)
  }
}

const { positionals, values } = parse()
if (values.list) {
  console.log(listParts())
  process.exit(0)
}
const selected = selectParts(positionals)
if (typeof selected === "string") {
  console.error(`${selected}\n${usage}`)
  process.exit(2)
}

const minutesSince = (time: number): string => `${Math.round((Date.now() - time) / 60_000)} min`

/** Runs one part through turbo, and says every few minutes that it is still running. Returns whether it passed. */
const run = ({ name, packages, task }: Part): Promise<boolean> =>
  new Promise((resolve) => {
    const startedAt = Date.now()
    const reporters = ["--reporter=verbose", "--reporter=json", `--outputFile=reports/vitest.${name}.json`]
    const filter = packages === undefined ? [] : [`--filter=${packages}`]
    const child = spawn("turbo", ["run", task, ...filter, "--continue=dependencies-successful", "--", ...reporters], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" }
    })
    const waiting = setInterval(() => console.log(`Still running ${name}: ${minutesSince(startedAt)} …`), 300_000)
    const end = (passed: boolean) => {
      clearInterval(waiting)
      resolve(passed)
    }
    child.once("error", ({ message }) => {
      console.error(`turbo cannot run: ${message}`)
      end(false)
    })
    child.once("exit", (code) => end(code === 0))
  })

const reportsOf = (name: string) =>
  globSync(`{packages/*,apps/*,tooling}/reports/vitest.${name}.json`, { cwd: root }).toSorted()

const totals = { passed: 0, failed: 0, skipped: 0 }
const summary: Array<string> = []
for (const part of selected) {
  console.log(`\n${part.name}: ${part.contents}, usually ${part.minutes} min`)
  for (const report of reportsOf(part.name)) rmSync(`${root}/${report}`)
  const startedAt = Date.now()
  const passed = await run(part)
  const tests = reportsOf(part.name).map((path) =>
    countTests(dirname(dirname(path)), JSON.parse(read(path)) as VitestReport)
  )
  const count = (kind: keyof typeof totals) => tests.reduce((sum, test) => sum + test[kind].length, 0)
  // A part that failed without a failed test is counted as one failure.
  const counts = { passed: count("passed"), failed: count("failed") || (passed ? 0 : 1), skipped: count("skipped") }
  for (const kind of ["passed", "failed", "skipped"] as const) totals[kind] += counts[kind]
  summary.push(
    `${part.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${minutesSince(startedAt)}`,
    ...tests.flatMap(({ failed, name }) => failed.map((test) => `  failed: ${name}: ${test}`)),
    ...tests.flatMap(({ name, skipped }) => skipped.map((test) => `  skipped: ${name}: ${test}`))
  )
}

console.log(`\n${summary.join("\n")}`)
const skipsFail = Boolean(process.env["CI"]) && totals.skipped > 0
if (skipsFail) console.log("Skipped tests are failures if CI is set.")
console.log(`\n${describeEnvironment(environment())}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exit(totals.failed === 0 && !skipsFail ? 0 : 1)
