/** Every step of an interrupted swap. */
import { describe, vi } from "vitest"
import { onDevnet } from "./fixture.js"
import { interrupt, killAndResume, steps } from "./interruptedSwap.js"

vi.setConfig({ testTimeout: 300_000 })

describe("an interrupted swap", () => {
  onDevnet((it) => {
    it.effect.each(steps)("is executed at most once if it is killed while $name, then resumed", killAndResume)

    it.effect.each(steps)('reports "$state" if it is interrupted while $name', interrupt)
  })
})
