import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { type ClientOptions, createClient } from "@geoswap/core/promise"
import { describe, expect, it, vi } from "@effect/vitest"
import { fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { apiKey, serveScripted } from "./scriptedServer.js"
import { signers } from "./signers.js"

const start = async (options: Partial<ClientOptions> = {}, more: Partial<FetchTransportOptions> = {}) => {
  const service = ScriptedTransport.make()
  service.ends("settled", 50)
  const server = await serveScripted(service)
  const client = createClient({
    transport: fetchTransport({ baseUrl: server.url, apiKey, ...more }),
    signers,
    network: service.network,
    ...options
  })
  return { client, server, service, [Symbol.asyncDispose]: server.close }
}

describe("a whole swap over real HTTP", () => {
  it("settles from an EVM wallet that was never delegated", async () => {
    await using fixture = await start()
    const swap = await fixture.client.execute(ScriptedTransport.evmRequest)
    expect(swap.status).toBe("settled")
    expect(fixture.service.swaps).toHaveLength(1)
    const lines = fixture.server.received.map(({ method, url }) => `${method} ${url.split("?")[0]}`)
    expect(lines.filter((line) => line === "POST /swap/submit")).toHaveLength(1)
    expect(lines.at(-1)).toBe(`GET /swap/status/${swap.swapId}`)
    expect(fixture.server.received.every(({ headers }) => headers["x-api-key"] === apiKey)).toBe(true)
  })

  it("settles from a Solana wallet", async () => {
    await using fixture = await start()
    expect((await fixture.client.execute(ScriptedTransport.solanaRequest)).status).toBe("settled")
  })

  it.each([undefined, false])("has no trace if traceparent is %s", async (traceparent) => {
    await using fixture = await start({}, { traceparent })
    await fixture.client.execute(ScriptedTransport.evmRequest)
    await fixture.client.chains()
    expect(fixture.server.received.length).toBeGreaterThan(4)
    expect(fixture.server.received.filter(({ headers }) => "traceparent" in headers)).toEqual([])
  })

  it("has one trace from quote to status if traceparent is true", async () => {
    await using fixture = await start({}, { traceparent: true })
    await fixture.client.execute(ScriptedTransport.evmRequest)
    const traces = fixture.server.received.map(({ headers }) => String(headers["traceparent"]).split("-"))
    expect(traces.every(({ length }) => length === 4)).toBe(true)
    expect(traces.length).toBeGreaterThan(3)
    expect(new Set(traces.map(([, trace]) => trace)).size).toBe(1)
    expect(new Set(traces.map(([, , span]) => span)).size).toBe(traces.length)
  })

  it("executes once if the connection breaks before the response to submit", async () => {
    await using fixture = await start({ settings: { backoff: [10, 20] } })
    fixture.service.next("submit", Fault.disconnect({ after: true }))
    expect((await fixture.client.execute(ScriptedTransport.evmRequest)).status).toBe("settled")
    expect(fixture.service.swaps).toHaveLength(1)
    const bodies = fixture.server.received.filter(({ url }) => url === "/swap/submit").map(({ body }) => body)
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toBe(bodies[0])
  })

  it("fails immediately if the key is wrong", async () => {
    await using fixture = await start()
    const transport = fetchTransport({ baseUrl: fixture.server.url, apiKey: "unknown-key" })
    const client = createClient({ transport, signers, network: fixture.service.network })
    expect(await rejection(client.execute(ScriptedTransport.evmRequest))).toMatchObject({ _tag: "Unauthorized" })
    expect(fixture.server.received).toHaveLength(1)
  })

  it("stops when the caller aborts: the held connection is closed and nothing more is sent", async () => {
    await using fixture = await start()
    fixture.service.ends("never")
    const controller = new AbortController()
    const call = rejection(fixture.client.execute(ScriptedTransport.evmRequest, { signal: controller.signal }))
    const isHeld = () => fixture.server.received.find(({ url }) => url.startsWith("/swap/status/"))
    const held = await vi.waitUntil(isHeld, { timeout: 60_000 })
    const sent = fixture.server.received.length
    controller.abort(new Error("changed my mind"))
    expect(await call).toMatchObject({ message: "changed my mind" })
    await held.closed
    expect(fixture.server.received).toHaveLength(sent)
  })
})

describe("the client immediately abandons a function that ignores its signal", () => {
  const never = () => new Promise<never>(() => undefined)

  it.each([
    ["a fetch", { fetch: never }],
    ["a function for the key", { apiKey: never }]
  ])("%s", async (_, unresponsive) => {
    const transport = fetchTransport({ baseUrl: "https://swap.example", apiKey, ...unresponsive })
    const client = createClient({ transport, settings: { callAttempts: 1 } })
    expect(await rejection(client.chains({ timeout: 50 }))).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
    const controller = new AbortController()
    const call = rejection(client.status("s-1", { signal: controller.signal }))
    controller.abort("enough")
    expect(await call).toBe("enough")
  })
})
