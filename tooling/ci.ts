/** Every gate, through turbo, and then the count of the tests of all packages. */
import { spawnSync } from "node:child_process"
import { globSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { count, type VitestReport } from "./count.ts"
import { read, root } from "./workspace.ts"

const gates = [
  "check:format",
  "check:lint",
  "check:unused",
  "typecheck",
  "build",
  "test",
  "check:tree",
  "check:purity",
  "check:exports",
  "check:snippets",
  "check:size",
  "check:packed",
  "check:install"
]

const reports = () => globSync("{packages/*,apps/*,tooling}/reports/vitest.json", { cwd: root })

// A report that is left from an earlier run must not count; turbo brings back those of unchanged packages.
for (const report of reports()) rmSync(`${root}/${report}`)

const turbo = spawnSync("turbo", ["run", ...gates, "--continue=dependencies-successful"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) }
})
const gatesPassed = turbo.status === 0

const results = reports()
  .toSorted()
  .map((path) => count(dirname(dirname(path)), JSON.parse(read(path)) as VitestReport))
const total = (kind: "passed" | "failed" | "skipped") => results.reduce((sum, result) => sum + result[kind].length, 0)

console.log("")
for (const { failed, name, passed, skipped } of results) {
  console.log(`${name}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`)
  for (const test of failed) console.log(`  failed: ${test}`)
  for (const test of skipped) console.log(`  skipped: ${test}`)
}

const skipsFail = Boolean(process.env["CI"]) && total("skipped") > 0
if (skipsFail) console.log("Skipped tests fail where CI is set.")
// A gate that failed without a failed test counts as one failure, so that the last line never looks like a pass.
const failed = total("failed") || (gatesPassed ? 0 : 1)
if (!gatesPassed) console.log("A gate failed: see above.")
console.log(`\n${total("passed")} passed, ${failed} failed, ${total("skipped")} skipped`)
process.exit(gatesPassed && failed === 0 && !skipsFail ? 0 : 1)
