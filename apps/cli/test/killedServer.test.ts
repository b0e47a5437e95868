import { describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { callAgain, resume, steps } from "./killedServer.js"

vi.setConfig({ testTimeout: 300_000 })

/** The steps that leave something behind: a reservation, a signature, a flow and an accepted swap. */
const someSteps = steps.slice(2, 6)

describe("a server that is killed", () => {
  it.live.each(someSteps)("$name executes the swap once, after the same call to a new server", callAgain)

  it.live.each(steps.slice(6))("$name executes the swap once, after resume_swap on a new server", resume)
})
