/**
 * `node ci.ts [--allow-skipped] [gate …]`: runs all gates, or only the named ones, through turbo. Then prints the
 * environment and the test counts for all packages.
 */
import { spawn, spawnSync } from "node:child_process"
import { globSync, rmSync } from "node:fs"
import { setPriority } from "node:os"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import { countTests, type VitestReport } from "./vitestReport.ts"
import { describeEnvironment, environment } from "./environment.ts"
import { machine, pinned } from "./setup/machine.js"
import { turboUnusable } from "./setup/installPlan.js"
import { read, root } from "./workspace.ts"

const gates = [
  "check:format",
  "check:lint",
  "check:unused",
  "typecheck",
  "build",
  "test",
  "check:tree",
  "check:docs",
  "check:platforms",
  "check:workflows",
  "check:supply-chain",
  "check:purity",
  "check:exports",
  "check:snippets",
  "check:size",
  "check:packed",
  "check:install"
]

const { positionals: named, values: options } = parseArgs({
  allowPositionals: true,
  options: { "allow-skipped": { type: "boolean", default: false } }
})
const unknown = named.filter((gate) => !gates.includes(gate))
if (unknown.length > 0) {
  console.error(`Unknown gate: ${unknown.join(", ")}. Use one or more of: ${gates.join(", ")}.`)
  process.exit(2)
}

const reports = () => globSync("{packages/*,apps/*,tooling}/reports/vitest.json", { cwd: root })

// Reports from earlier runs are removed. Turbo restores the reports for unchanged packages.
for (const report of reports()) rmSync(`${root}/${report}`)

/** Tests start hundreds of Node processes, which compile the same modules. */
const settings = { TURBO_TELEMETRY_DISABLED: "1", NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled` }

/** Runs tasks through turbo, at the given niceness. Returns whether all of them passed. */
const turbo = (args: ReadonlyArray<string>, niceness = 0): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("turbo", ["run", ...args, "--continue=dependencies-successful"], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...settings, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) }
    })
    child.once("error", () => resolve(false))
    child.once("exit", (code) => resolve(code === 0))
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
  })

// The server's tests take half of the total time, and the tests of the page and of the command line mostly wait for
// other processes. Turbo would start them last, when nothing else is left to run, so they run beside all others, each
// row in order.
const longest = [["@geoswap/server"], ["@geoswap/web", "@geoswap/cli"]]
// The server's tests mostly wait, too. When they can continue, they do so before all others. Otherwise, they would be
// the last to finish, on two cores that are half idle.
const nicenessOf = (name?: string) => (name === "@geoswap/server" ? 0 : 5)
const wanted = named.length > 0 ? named : gates
const checks = wanted.filter((gate) => gate !== "test")

/** Runs the selected gates. The build comes first, so no two turbo runs build the same package at once. */
const passes = async (): Promise<boolean> => {
  if (!wanted.includes("test")) return turbo(checks)
  if (!(await turbo(["build"]))) return false
  const inOrder = async (names: ReadonlyArray<string>) => {
    const results: Array<boolean> = []
    for (const name of names) results.push(await turbo(["test", `--filter=${name}`], nicenessOf(name)))
    return results.every(Boolean)
  }
  const others = async () => {
    const checked = checks.length === 0 || (await turbo(checks, nicenessOf()))
    const rest = longest.flat().map((name) => `--filter=!${name}`)
    return (await turbo(["test", ...rest], nicenessOf())) && checked
  }
  const results = await Promise.all([...longest.map(inOrder), others()])
  return results.every(Boolean)
}
const gatesPassed = await passes()
if (!gatesPassed) {
  const { error, status, stderr } = spawnSync("turbo", ["--version"], { cwd: root, encoding: "utf8" })
  const reason = error?.message ?? (stderr.trim() || `exit code ${status}`)
  if (status !== 0) console.log(turboUnusable(machine, pinned("turbo"), reason))
}

const results = reports()
  .toSorted()
  .map((path) => countTests(dirname(dirname(path)), JSON.parse(read(path)) as VitestReport))
const total = (kind: "passed" | "failed" | "skipped") => results.reduce((sum, result) => sum + result[kind].length, 0)

console.log("")
for (const { failed, name, passed, skipped } of results) {
  console.log(`${name}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`)
  for (const test of failed) console.log(`  failed: ${test}`)
  for (const test of skipped) console.log(`  skipped: ${test}`)
}

const skipsFail = Boolean(process.env["CI"]) && !options["allow-skipped"] && total("skipped") > 0
if (skipsFail) console.log("Skipped tests are failures if CI is set.")
// A gate that failed without a failed test is counted as one failure, so the last line never looks like a pass.
const failed = total("failed") || (gatesPassed ? 0 : 1)
if (!gatesPassed) console.log("A gate failed. See above.")
console.log(`\n${describeEnvironment(environment())}`)
console.log(`\n${total("passed")} passed, ${failed} failed, ${total("skipped")} skipped`)
process.exit(gatesPassed && failed === 0 && !skipsFail ? 0 : 1)
