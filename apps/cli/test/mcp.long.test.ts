/** Every transport with every version of the protocol. */
import { describe, vi } from "vitest"
import { onDevnet } from "./fixture.js"
import { resumeAfterKill, useEveryTool } from "./mcpDevnet.js"
import { combinations } from "./mcpFixture.js"

vi.setConfig({ testTimeout: 600_000 })

describe("geoswap mcp", () => {
  onDevnet((it) => {
    it.effect.each(combinations)(
      "serves every tool to the official client over $transport, with version $version",
      useEveryTool
    )

    it.effect.each([{ transport: "stdio" }, { transport: "http" }] as const)(
      "resumes a swap over $transport after the server was killed, and executes it once",
      resumeAfterKill
    )
  })
})
