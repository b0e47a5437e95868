import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dieAt, play, scenarios } from "./scenarios.js"

describe("a process that dies", () => {
  it.effect.each(scenarios)(
    "at any checkpoint leaves a swap to the next process, which ends it the same way: $name",
    (scenario) =>
      Effect.gen(function* () {
        const { seen } = yield* play(scenario)
        expect(seen.size).toBeGreaterThan(0)
        for (const checkpoint of seen) {
          yield* dieAt(scenario, checkpoint)
        }
      }),
    120_000
  )
})
