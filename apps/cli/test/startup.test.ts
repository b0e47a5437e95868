import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { cli } from "./runCli.js"

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Makes a program print its processor time when it exits. Other load on the machine does not count. */
const report = `process.on("exit", () => {
  const { system, user } = process.cpuUsage()
  require("node:fs").writeSync(2, "took " + (system + user) + " microseconds")
})`

it("prints help in at most 4 times the processor time of an empty Node program", { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-start-"))
  try {
    const [empty, reporter] = [join(folder, "empty.mjs"), join(folder, "report.cjs")]
    writeFileSync(empty, "")
    writeFileSync(reporter, report)
    /** Returns the processor time of a Node program, in milliseconds. */
    const taken = (...args: ReadonlyArray<string>): number => {
      const { status, stderr } = spawnSync(process.execPath, ["--require", reporter, ...args], { encoding: "utf8" })
      expect([status, stderr]).toEqual([0, expect.stringMatching(/took \d+/)])
      return Number(/took (\d+)/.exec(stderr)?.[1]) / 1000
    }
    // Fills the caches.
    taken(empty)
    taken(cli, "--help")
    const pairs = Array.from({ length: 5 }, () => [taken(empty), taken(cli, "--help")] as const)
    const [nothing, help] = [median(pairs.map(([time]) => time)), median(pairs.map(([, time]) => time))]
    process.stdout.write(
      `empty ${nothing.toFixed(0)} ms, geoswap --help ${help.toFixed(0)} ms: ${(help / nothing).toFixed(2)} times\n`
    )
    expect(help / nothing).toBeLessThanOrEqual(4)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
