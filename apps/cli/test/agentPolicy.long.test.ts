import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { makeAgent } from "./agentFixture.js"
import { spendAtOnce } from "./spendAtOnce.js"

vi.setConfig({ testTimeout: 300_000 })

it.live(
  "a wallet with a policy never signs over its budget in 201 swaps of two servers and a command line at once",
  () =>
    Effect.gen(function* () {
      const agent = yield* makeAgent
      yield* agent.writePolicy()
      yield* spendAtOnce(agent, { amount: 3, calls: 100 })
    })
)
