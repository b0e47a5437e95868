/** Every mutant is found by a test. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { mutants } from "../mutants.ts"
import { type Mutant, splitPath } from "../testing/mutant.ts"
import { root } from "../workspace.ts"

interface Report {
  readonly numFailedTests: number
}

/** Runs the test file of the mutant, or the tests in its package that depend on its file, until one test fails. */
const run = (mutant: Mutant): Promise<Report> => {
  const [packageFolder, path] = splitPath(mutant.tests ?? mutant.file)
  const folder = mkdtempSync(join(tmpdir(), "geoswap-mutant-"))
  const report = join(folder, "report.json")
  const args = [
    ...(mutant.tests === undefined ? ["related", "--run"] : ["run"]),
    "--bail=1",
    "--reporter=json",
    "--fsModuleCache=false",
    `--outputFile=${report}`,
    path
  ]
  return new Promise((resolve, reject) => {
    const child = spawn("vitest", args, {
      cwd: join(root, packageFolder),
      stdio: "ignore",
      env: { ...process.env, MUTANT: JSON.stringify(mutant) }
    })
    child.on("error", reject)
    child.on("close", resolve)
  })
    .then(() => JSON.parse(readFileSync(report, "utf8")) as Report)
    .finally(() => rmSync(folder, { recursive: true }))
}

describe("mutants", { timeout: 900_000 }, () => {
  it.each(mutants)("$file: $find → $replace", async (mutant) => {
    const { numFailedTests } = await run(mutant)
    // A mutant that cannot be loaded has no failed tests.
    expect(numFailedTests).toBeGreaterThan(0)
  })
})
