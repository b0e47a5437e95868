import { describe, vi } from "vitest"
import { onDevnet } from "./fixture.js"
import { type Combination, resumeAfterKill, useEveryTool } from "./mcpDevnet.js"

vi.setConfig({ testTimeout: 600_000 })

/** The other tests call tools over HTTP, with version 2025-11-25. The long test has all combinations. */
const combinations: ReadonlyArray<Combination> = [{ transport: "stdio", version: "2026-07-28" }]

describe("geoswap mcp", () => {
  onDevnet((it) => {
    it.effect.each(combinations)(
      "serves every tool to the official client over $transport, with version $version",
      useEveryTool
    )

    it.effect.each([{ transport: "http" }] as const)(
      "resumes a swap over $transport after the server was killed, and executes it once",
      resumeAfterKill
    )
  })
})
