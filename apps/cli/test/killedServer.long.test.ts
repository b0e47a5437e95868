/** Every step at which a server can be killed. */
import { describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { callAgain, resume, steps } from "./killedServer.js"

vi.setConfig({ testTimeout: 300_000 })

describe("a server that is killed", () => {
  it.live.each(steps)("$name executes the swap once, after the same call to a new server", callAgain)

  it.live.each(steps.filter(({ isSigned }) => isSigned))(
    "$name executes the swap once, after resume_swap on a new server",
    resume
  )
})
