/** How the benchmark starts and fails. `bench.long.test.ts` runs it. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { start } from "../bench/childProcess.js"

const main = fileURLToPath(new URL("../bench/main.ts", import.meta.url))

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
})
