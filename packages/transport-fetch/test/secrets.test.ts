import { inspect } from "node:util"
import { SwapError, Transport } from "@geoswap/core"
import { createClient } from "@geoswap/core/promise"
import { ScriptedTransport } from "@geoswap/core/testing"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { ServerResponse } from "node:http"
import { FetchTransport, fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { rejection, thrown } from "../../../tooling/testing/expectError.ts"
import { deadlinesByHand } from "./deadlines.js"
import { json, type Received, serve } from "./server.js"

const apiKey = "canary-key-of-ada"
const token = "canary-token"

/** Everything that a log or an error report could show of a value. */
const shown = (value: unknown): string => {
  const seen = new Set<unknown>()
  const texts: Array<string> = []
  const visit = (part: unknown): void => {
    if (seen.has(part)) return
    seen.add(part)
    texts.push(String(part), inspect(part, { depth: 20, showHidden: true, getters: true }), JSON.stringify(part) ?? "")
    if (part instanceof Error) {
      texts.push(part.stack ?? "")
      visit(part.cause)
    }
    if (typeof part !== "object" || part === null) return
    for (const key of Reflect.ownKeys(part)) visit(Reflect.get(part, key))
  }
  visit(value)
  return texts.join("\n")
}

describe("the API key", () => {
  const options: FetchTransportOptions = {
    baseUrl: "https://swap.example",
    apiKey,
    headers: { authorization: "canary-header" }
  }

  it("would be found by this test", () => {
    expect(shown({ deep: [{ options }] })).toContain("canary-key")
    expect(shown(new Error("outer", { cause: new Error("canary-key") }))).toContain("canary-key")
  })

  it("is not shown by a transport, a client, an effect or a layer", async () => {
    const transport = fetchTransport(options)
    expect(shown(transport)).not.toContain("canary")
    expect(shown(createClient({ transport }))).not.toContain("canary")
    expect(shown(FetchTransport.make(options))).not.toContain("canary")
    expect(shown(FetchTransport.layer({ ...options, apiKey: Redacted.make(apiKey) }))).not.toContain("canary")
    const build = Effect.scoped(Layer.build(FetchTransport.layer(options)))
    expect(shown(await Effect.runPromise(build))).not.toContain("canary")
  })

  it.each<[string, Partial<Record<keyof FetchTransportOptions, unknown>>]>([
    ["a key that is not a valid header", { apiKey: "canary\nkey" }],
    ["a key of another type", { apiKey: { canary: 1 } }],
    ["an address with a password", { baseUrl: "https://me:canary@swap.example" }],
    ["an invalid URL", { baseUrl: "canary" }],
    ["an invalid header", { headers: { "x-a": "canary\nx-b: c" } }],
    ["an invalid timeout", { timeouts: { quote: "canary" } }]
  ])("and other secrets are not shown in the refusal of %s", (_, wrong) => {
    const error = thrown(() => fetchTransport({ ...options, ...wrong } as FetchTransportOptions))
    expect(error).toBeInstanceOf(SwapError.InvalidInput)
    expect(shown(error)).not.toContain("canary")
  })

  type Answer = (response: ServerResponse, request: Received) => unknown

  /** Submits to a server with that answer. */
  const expectHidden = async (
    tag: SwapError.SwapError["_tag"],
    answer: Answer,
    more: Partial<FetchTransportOptions> = {}
  ) => {
    await using server = await serve(answer)
    const { submit } = Transport.fromPromise(fetchTransport({ ...options, baseUrl: server.url, ...more }))
    const error = await Effect.runPromise(Effect.flip(submit({ geoOpToken: token, signature: "0xcanary" })))
    expect(error._tag).toBe(tag)
    expect(server.received[0]?.headers).toMatchObject({ "x-api-key": apiKey, authorization: "canary-header" })
    expect(server.received[0]?.body).toContain(token)
    expect(shown(error)).not.toContain("canary")
  }

  it.each<[SwapError.SwapError["_tag"], string, Answer, Partial<FetchTransportOptions>?]>([
    ["Unavailable", "a cut connection", (response) => response.destroy()],
    [
      "Unavailable",
      "an answer that breaks off",
      (response) => response.writeHead(200).write(`{"a":"${token}`, () => response.destroy())
    ],
    ["Unavailable", "a 503", (response) => json(response, { code: "UNAVAILABLE" }, 503)],
    ["ProtocolError", "a redirect", (response) => response.writeHead(307, { location: `/${token}` }).end(token)],
    ["ProtocolError", "a redirect in JSON", (response) => json(response, { message: token }, 307)],
    ["ProtocolError", "too large an answer", (response) => response.end(token.repeat(10)), { maxResponseBytes: 20 }],
    ["ProtocolError", "garbage", (response) => response.end(token)],
    ["ProtocolError", "a wrong field", (response) => json(response, { swapId: { token }, status: token })],
    ["Unauthorized", "a refused key", (response) => json(response, { code: "UNAUTHORIZED" }, 401)],
    ["RateLimited", "too many requests", (response) => json(response, {}, 429)],
    ["NoRoute", "a refusal", (response) => json(response, { code: "NO_ROUTE" }, 422)],
    ["Rejected", "a refusal that repeats the key", (response) => json(response, { message: `Bad ${apiKey}` }, 422)]
  ])("and tokens are not shown in %s after %s", (tag, _, answer, more) => expectHidden(tag, answer, more))

  it("and tokens are not shown in Unavailable after a timeout", async () => {
    const deadlines = deadlinesByHand()
    await expectHidden("Unavailable", () => deadlines[0]?.())
  })

  /** Adds a request to an error as HTTP libraries do, both printable and in JSON. */
  const holding = <A extends object>(error: A, { headers, body }: RequestInit) => {
    const config = { headers: { ...(headers as object) }, data: body }
    return Object.assign(error, { config, request: { config }, toJSON: () => ({ config }) })
  }

  it.each<[string, (init: RequestInit) => object]>([
    ["contains it", (init) => holding(new Error("Request failed"), init)],
    ["has a cause that contains it", (init) => new Error("Failed", { cause: holding(new Error("Inner"), init) })],
    ["has a cause that is not an error", (init) => new Error("Failed", { cause: holding({}, init) })],
    [
      "is a group of errors that contain it",
      (init) => new AggregateError([holding(new Error("Inner"), init)], "Failed")
    ],
    ["is not an error", (init) => holding({}, init)]
  ])("is not shown if the caller's fetch throws a value that %s", async (_, failure) => {
    const failures: Array<object> = []
    const fetch = (_: string, init: RequestInit) => {
      failures.push(failure(init))
      return Promise.reject(failures[0])
    }
    const client = createClient({ transport: fetchTransport({ ...options, fetch }) })
    const error = await rejection(client.quote(ScriptedTransport.evmRequest))
    expect(error).toMatchObject({ _tag: "Unavailable", reason: "network", cause: expect.any(String) as string })
    expect(shown(failures)).toContain(`'x-api-key': '${apiKey}'`)
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("canary")
    expect(JSON.stringify(error)).not.toContain("canary")
    expect(shown(error)).not.toContain("canary")
  })

  it("is not shown if apiKey fails with an error that contains it", async () => {
    const apiKey = () => Promise.reject(Object.assign(new Error("vault sealed"), { last: "canary-key" }))
    const client = createClient({ transport: fetchTransport({ ...options, apiKey }) })
    const error = await rejection(client.quote(ScriptedTransport.evmRequest))
    expect(error).toMatchObject({ _tag: "Unavailable", reason: "network", cause: "vault sealed" })
    expect(shown(error)).not.toContain("canary")
  })

  it("is not shown if no server listens", async () => {
    const server = await serve(() => undefined)
    await server.close()
    const { chains } = Transport.fromPromise(fetchTransport({ ...options, baseUrl: server.url }))
    expect(shown(await Effect.runPromise(Effect.flip(chains)))).not.toContain("canary")
  })
})
