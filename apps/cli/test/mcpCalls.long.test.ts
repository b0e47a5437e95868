/** `execute_swap`, stopped at every step, and cancelled over every transport. */
import { describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { combinations } from "./mcpFixture.js"
import { cancel, repeatAfterKill, steps } from "./mcpStopped.js"

vi.setConfig({ testTimeout: 300_000 })

// The killed servers hold their keys for a minute.
describe.concurrent("execute_swap of a server that is killed", () => {
  it.live.each(steps)("swaps once if it $name, and the call is repeated without a key", repeatAfterKill)
})

describe("execute_swap", () => {
  it.live.each(combinations)(
    "signs nothing else after it was cancelled over $transport until the swap is resumed, with version $version",
    cancel
  )
})
