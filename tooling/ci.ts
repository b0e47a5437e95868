/**
 * `node ci.ts [--allow-skipped] [gate …]`: runs all gates, or only the named ones, through turbo. Then prints the
 * environment, where the time went, and the test counts for all packages.
 */
import { spawn, spawnSync } from "node:child_process"
import { globSync, rmSync } from "node:fs"
import { availableParallelism, setPriority } from "node:os"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import { describeDurations, failedTasksOf, type RunSummary, tasksOf, type TestFile } from "./durations.ts"
import { describeEnvironment, environment } from "./environment.ts"
import { gates, type Job, jobsFor, runJobs } from "./schedule.ts"
import { machine, pinned } from "./setup/machine.js"
import { turboUnusable } from "./setup/installPlan.js"
import { countTests, type VitestReport } from "./vitestReport.ts"
import { read, readManifest, root } from "./workspace.ts"

const { positionals: named, values: options } = parseArgs({
  allowPositionals: true,
  options: { "allow-skipped": { type: "boolean", default: false } }
})
const unknown = named.filter((gate) => !gates.includes(gate))
if (unknown.length > 0) {
  console.error(`Unknown gate: ${unknown.join(", ")}. Use one or more of: ${gates.join(", ")}.`)
  process.exit(2)
}

const startedAt = Date.now()
const wanted = named.length > 0 ? named : gates
const jobs = jobsFor(wanted)
const cores = availableParallelism()

const reports = (name: string) => globSync(`{packages/*,apps/*,tooling}/reports/${name}.json`, { cwd: root })
const parse = (path: string): unknown => JSON.parse(read(path))

// Reports from earlier runs are removed. Turbo restores the reports for unchanged packages.
for (const report of reports("{vitest,durations}")) rmSync(`${root}/${report}`)

const settings = {
  TURBO_TELEMETRY_DISABLED: "1",
  // Tests start hundreds of Node processes, which compile the same modules.
  NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled`,
  // The compiler and the linter are Go programs. With more threads than free cores, they take twice as much processor
  // time. With less frequent garbage collection, they take a fifth less.
  GOMAXPROCS: `${Math.max(1, Math.floor(cores / Math.max(1, jobs.length)))}`,
  GOGC: "400",
  GOMEMLIMIT: "2GiB"
}

/** Runs tasks through turbo, at the given niceness. Returns whether all of them passed. */
const turbo = (args: ReadonlyArray<string>, niceness = 0): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("turbo", ["run", ...args, "--continue=dependencies-successful", "--summarize"], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...settings, ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) }
    })
    child.once("error", () => resolve(false))
    child.once("exit", (code) => resolve(code === 0))
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
  })

// Everything that more than one job needs is built first, so that no two turbo runs build the same package at once.
const build = (): Promise<boolean> => {
  const late = jobs.filter(({ early }) => early !== true).flatMap(({ tasks }) => tasks)
  const isPacked = late.some((task) => ["test", "check:install", "check:packed"].includes(task))
  if (late.length === 0 && !wanted.includes("build")) return Promise.resolve(true)
  return turbo(["build", ...(isPacked ? ["pack"] : [])])
}

// The longest job mostly waits. When it can continue, it does so before all others. Otherwise, it would be the last to
// finish, while a core is idle.
const longest = jobs.find(({ early }) => early !== true)
const run = (job: Job): Promise<boolean> => {
  const filter = job.package === undefined ? [] : [`--filter=${job.package}`]
  return turbo([...job.tasks, ...filter, "--concurrency=1"], job === longest ? 0 : 5)
}

// Jobs also wait, for blocks and for pages, so one more job than there are cores keeps all cores busy.
const gatesPassed = await runJobs(jobs, cores + 1, build, run)
if (!gatesPassed) {
  const { error, status, stderr } = spawnSync("turbo", ["--version"], { cwd: root, encoding: "utf8" })
  const reason = error?.message ?? (stderr.trim() || `exit code ${status}`)
  if (status !== 0) console.log(turboUnusable(machine, pinned("turbo"), reason))
}

const tests = reports("vitest")
  .toSorted()
  .map((path) => countTests(dirname(dirname(path)), parse(path) as VitestReport))
const total = (kind: "passed" | "failed" | "skipped") => tests.reduce((sum, result) => sum + result[kind].length, 0)

console.log("")
for (const { failed, name, passed, skipped } of tests) {
  console.log(`${name}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`)
  for (const test of failed) console.log(`  failed: ${test}`)
  for (const test of skipped) console.log(`  skipped: ${test}`)
}

/** The summaries of the turbo runs that this process started. */
const summaries = globSync(".turbo/runs/*.json", { cwd: root }).flatMap((path) => {
  const summary = parse(path) as RunSummary
  rmSync(`${root}/${path}`)
  return summary.execution.startTime >= startedAt ? [summary] : []
})
const tasks = summaries.flatMap(tasksOf)
const files = reports("durations").flatMap((path): ReadonlyArray<TestFile> => {
  const { name } = readManifest(`${root}/${dirname(dirname(path))}`)
  // Turbo restores reports from earlier runs.
  if (!tasks.some((task) => task.name === "test" && task.package === name)) return []
  return Object.entries(parse(path) as Record<string, number>).map(([file, seconds]) => ({
    package: name,
    file,
    seconds
  }))
})
console.log(`\n${describeDurations(tasks, files, (Date.now() - startedAt) / 1000)}`)

const skipsFail = Boolean(process.env["CI"]) && !options["allow-skipped"] && total("skipped") > 0
if (skipsFail) console.log("Skipped tests are failures if CI is set.")
// A gate that failed without a failed test is counted as one failure, so the last line never looks like a pass.
const failed = total("failed") || (gatesPassed ? 0 : 1)
const failedTasks = summaries.flatMap(failedTasksOf).join(", ")
if (!gatesPassed) console.log(`A gate failed${failedTasks === "" ? "" : `: ${failedTasks}`}. See above.`)
console.log(`\n${describeEnvironment(environment())}`)
console.log(`\n${total("passed")} passed, ${failed} failed, ${total("skipped")} skipped`)
process.exit(gatesPassed && failed === 0 && !skipsFail ? 0 : 1)
