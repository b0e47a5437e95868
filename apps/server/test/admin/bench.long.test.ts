/** Runs the benchmark, with few requests, and shows how it fails. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { start } from "../../bench/childProcess.js"

const main = fileURLToPath(new URL("../../bench/main.ts", import.meta.url))

interface Report {
  readonly sections: ReadonlyArray<{
    readonly title: string
    readonly columns: ReadonlyArray<string>
    readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
  }>
}

const bench = async (...flags: ReadonlyArray<string>): Promise<Report> => {
  const { stdout } = await promisify(execFile)(process.execPath, [main, "service", ...flags, "--quick", "--json"])
  return JSON.parse(stdout) as Report
}

describe("service benchmark", () => {
  it("names the request that a process did not answer before it exited", async () => {
    const baseline = start("./baseline.ts")
    await baseline.ask("listen")
    const [answer] = await Promise.allSettled([baseline.ask("usage"), baseline.end()])
    const message = './baseline.ts ended with code 0 before it answered "usage".'
    expect(answer).toMatchObject({ status: "rejected", reason: { message } })
    await expect(baseline.ask("usage")).rejects.toThrow('./baseline.ts has ended: it cannot answer "usage".')
  })

  it("prints usage for unknown arguments", async () => {
    const asked = promisify(execFile)(process.execPath, [main, "service", "nothing"])
    await expect(asked).rejects.toMatchObject({ code: 64 })
    await expect(asked).rejects.toThrow("Usage: pnpm bench service [quote|status|")
  })

  it("measures every call and prints valid figures", { timeout: 600_000 }, async () => {
    const { sections } = await bench("quote", "status", "build", "submit")
    const [calls] = sections
    expect(sections).toHaveLength(1)
    expect(calls?.rows.map(([name]) => name)).toEqual([
      "quote",
      "quote, 2,000 wallets in turn",
      "status of a swap that has ended",
      "build",
      "submit"
    ])
    for (const row of calls?.rows ?? []) {
      expect(row).toHaveLength(calls?.columns.length ?? 0)
      for (const figure of row.slice(1)) expect(figure).toBeGreaterThan(0)
    }
  })

  it("measures held requests that are answered when their swaps finish", { timeout: 600_000 }, async () => {
    const { sections } = await bench("held")
    const rows = sections[0]?.rows ?? []
    expect(rows.length).toBeGreaterThanOrEqual(3)
    for (const [, , , , , answered] of rows) expect(answered).toBe(200)
  })

  it("measures submits of two servers and the cost of claiming", { timeout: 600_000 }, async () => {
    const { sections } = await bench("submits", "rows")
    expect(sections.map(({ title }) => title)).toEqual([
      "Submits of two servers on one PostgreSQL",
      "Claiming and status by the number of swaps"
    ])
    expect(sections[1]?.rows.length).toBeGreaterThanOrEqual(4)
  })

  it("measures swaps of several callers from the quote to the end", { timeout: 600_000 }, async () => {
    const { sections } = await bench("swaps")
    const rows = sections[0]?.rows ?? []
    expect(rows.length).toBeGreaterThanOrEqual(1)
    for (const [, perSecond] of rows) expect(perSecond).toBeGreaterThan(0)
  })
})
