import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { apiKey, serveCanned } from "./http/cannedServer.js"
import { canaries, sendAll } from "./http/malformed.js"
import { messages } from "./http/malformedRequests.js"

describe("malformed requests", () => {
  it.live("are answered with the problem, and the server keeps working", () =>
    Effect.gen(function* () {
      const { logs, url } = yield* serveCanned()
      const quick = messages.filter(({ slow }) => slow !== true)
      expect(yield* Effect.promise(() => sendAll(url, apiKey, quick))).toEqual([])

      for (let index = 0; index < 100; index++) {
        const response = yield* Effect.promise(() => fetch(`${url}/swap/chains`, { headers: { "x-api-key": apiKey } }))
        expect(response.status).toBe(200)
        yield* Effect.promise(() => response.text())
      }
      expectHarmless(logs, quick.length / 2)
    })
  )

  it.live("time out if headers or bodies do not arrive completely", () =>
    Effect.gen(function* () {
      const { logs, url } = yield* serveCanned({ headersMillis: 500, requestMillis: 500 })
      const slow = messages.filter((each) => each.slow === true)
      const started = performance.now()
      expect(yield* Effect.promise(() => sendAll(url, apiKey, slow))).toEqual([])
      expect(performance.now() - started).toBeGreaterThan(500)
      while (logs.length === 0) yield* Effect.sleep(10)
      expectHarmless(logs, 0)
    })
  )
})

/** No line contains a secret or is an alert. */
const expectHarmless = (logs: ReadonlyArray<string>, atLeast: number) => {
  expect(logs.length).toBeGreaterThan(atLeast)
  const text = logs.join("\n")
  for (const secret of [...canaries, apiKey]) expect(text).not.toContain(secret)
  expect(logs.filter((line) => !/^(Debug|Info)/.test(line))).toEqual([])
}
