/** Every mutant of the SDK is found by a test of its package. */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Mutant, mutants } from "../mutants.ts"
import { root } from "../workspace.ts"

interface Report {
  readonly numFailedTests: number
}

/** Runs the tests that depend on the mutant's file until one fails. */
const run = (mutant: Mutant): Promise<Report> => {
  const [group = "", name = ""] = mutant.file.split("/")
  const folder = mkdtempSync(join(tmpdir(), "geoswap-mutant-"))
  const report = join(folder, "report.json")
  const source = mutant.file.slice(`${group}/${name}/`.length)
  const args = [
    "related",
    "--run",
    "--bail=1",
    "--reporter=json",
    "--fsModuleCache=false",
    `--outputFile=${report}`,
    source
  ]
  return new Promise((resolve, reject) => {
    const child = spawn("vitest", args, {
      cwd: join(root, group, name),
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
