import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { cli } from "./program.js"

/** Milliseconds until a program of Node has ended. */
const timed = (...args: ReadonlyArray<string>): number => {
  const before = performance.now()
  const { status } = spawnSync(process.execPath, args)
  expect(status).toBe(0)
  return performance.now() - before
}

it("shows help in at most 3.5 times what an empty program of Node takes", { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-start-"))
  try {
    const empty = join(folder, "empty.mjs")
    writeFileSync(empty, "")
    // Once for the caches.
    timed(empty)
    timed(cli, "--help")
    const pairs = Array.from({ length: 15 }, () => [timed(empty), timed(cli, "--help")] as const)
    // The least of each: what else runs on the machine only ever adds to it.
    const [nothing, help] = [Math.min(...pairs.map(([time]) => time)), Math.min(...pairs.map(([, time]) => time))]
    process.stdout.write(
      `empty ${nothing.toFixed(0)} ms, geoswap --help ${help.toFixed(0)} ms: ${(help / nothing).toFixed(2)} times\n`
    )
    expect(help / nothing).toBeLessThanOrEqual(3.5)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
