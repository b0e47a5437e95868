import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { setTimeout as sleep } from "node:timers/promises"
import { apiKey, serveCanned } from "./http/cannedServer.js"
import { messages } from "./http/malformedRequests.js"
import { type Answer, exchange, type Malformed } from "./http/rawHttp.js"

/** Must not appear in a log or a response. */
const canaries = ["canaryOfTheToken", "canaryOfTheBody"]

/** Returns what is wrong with a response; `undefined` if it is as expected. */
const problemOf = ({ code, orClosed, says = [], status }: Malformed, answer: Answer | undefined, apiKey: string) => {
  if (answer === undefined) return orClosed ? undefined : "the connection was closed without an answer"
  const found = `${answer.status} ${answer.text}`
  if (answer.status !== status) return `should be ${status}: ${found}`
  const body = JSON.parse(answer.text || "{}") as Readonly<Record<string, unknown>>
  if (body["code"] !== code) return `should be ${code}: ${found}`
  if (typeof body["message"] !== "string" || body["message"].length < 20) return `has no message: ${found}`
  if (!body["requestId"] || body["requestId"] !== answer.headers["x-request-id"]) return `has no id: ${found}`
  if (answer.headers["content-type"] !== "application/json") return `is not JSON: ${found}`
  if (answer.headers["cache-control"] !== "no-store") return `may be cached: ${found}`
  for (const words of says) if (!body["message"].includes(words)) return `should say "${words}": ${found}`
  for (const secret of [...canaries, apiKey]) if (answer.text.includes(secret)) return `repeats a secret: ${found}`
  return undefined
}

/** Sends a request, and again after the retry time if the server is too busy. */
const sendOne = async (url: string, apiKey: string, each: Malformed): Promise<Answer | undefined> => {
  const answer = await exchange(url, each.steps(apiKey))
  if (answer?.status !== 429) return answer
  await sleep(1_000 * Number(answer.headers["retry-after"] ?? 1))
  return sendOne(url, apiKey, each)
}

/** Sends requests concurrently. Returns the unexpected responses. */
const sendAll = async (
  url: string,
  apiKey: string,
  requests: ReadonlyArray<Malformed>
): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const queue = [...requests]
  const work = async (): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const problem = problemOf(each, await sendOne(url, apiKey, each), apiKey)
      if (problem !== undefined) problems.push(`${each.name}: ${problem}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return problems
}

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
