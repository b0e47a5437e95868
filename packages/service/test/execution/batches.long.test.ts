import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dieAt, playOnce, scenarios } from "./batchScenarios.js"

describe("a process that dies with batches", () => {
  it.effect.each(scenarios)(
    "at any checkpoint of any swap leaves them to the next process, which ends them the same way: $name",
    (scenario) =>
      Effect.gen(function* () {
        for (const [checkpoint, count] of yield* playOnce(scenario)) {
          for (const time of new Set([1, 2, count].filter((each) => each <= count))) {
            yield* dieAt(scenario, checkpoint, time)
          }
        }
      }),
    240_000
  )
})
