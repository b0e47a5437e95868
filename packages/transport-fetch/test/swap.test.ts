import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { type ClientOptions, createClient } from "@geoswap/core/promise"
import { describe, expect, it, vi } from "@effect/vitest"
import { fetchTransport, type FetchTransportOptions } from "../src/index.js"
import { rejection } from "../../../tooling/testing/failure.ts"
import { apiKey, serveScripted } from "./scriptedServer.js"
import { signers } from "./signers.js"

const start = async (options: Partial<ClientOptions> = {}, more: Partial<FetchTransportOptions> = {}) => {
  const service = ScriptedTransport.make()
  service.ends("settled", 50)
  const server = await serveScripted(service)
  const client = createClient({
    transport: fetchTransport({ baseUrl: server.url, apiKey, ...more }),
    signers,
    policy: { deployments: service.deployments },
    ...options
  })
  return { client, server, service, [Symbol.asyncDispose]: server.close }
}

describe("a whole swap over real HTTP", () => {
  it("settles from an EVM wallet that was never delegated", async () => {
    await using world = await start()
    const swap = await world.client.execute(ScriptedTransport.evmRequest)
    expect(swap.status).toBe("settled")
    expect(world.service.swaps).toHaveLength(1)
    const lines = world.server.received.map(({ method, url }) => `${method} ${url.split("?")[0]}`)
    expect(lines.filter((line) => line === "POST /swap/submit")).toHaveLength(1)
    expect(lines.at(-1)).toBe(`GET /swap/status/${swap.swapId}`)
    expect(world.server.received.every(({ headers }) => headers["x-api-key"] === apiKey)).toBe(true)
  })

  it("settles from a Solana wallet", async () => {
    await using world = await start()
    expect((await world.client.execute(ScriptedTransport.solanaRequest)).status).toBe("settled")
  })

  it.each([undefined, false])("carries no trace where traceparent is %s", async (traceparent) => {
    await using world = await start({}, { traceparent })
    await world.client.execute(ScriptedTransport.evmRequest)
    await world.client.chains()
    expect(world.server.received.length).toBeGreaterThan(4)
    expect(world.server.received.filter(({ headers }) => "traceparent" in headers)).toEqual([])
  })

  it("carries one trace from quote to status where traceparent is true", async () => {
    await using world = await start({}, { traceparent: true })
    await world.client.execute(ScriptedTransport.evmRequest)
    const traces = world.server.received.map(({ headers }) => String(headers["traceparent"]).split("-"))
    expect(traces.every(({ length }) => length === 4)).toBe(true)
    expect(traces.length).toBeGreaterThan(3)
    expect(new Set(traces.map(([, trace]) => trace)).size).toBe(1)
    expect(new Set(traces.map(([, , span]) => span)).size).toBe(traces.length)
  })

  it("is one swap where the answer to submit is lost with its connection", async () => {
    await using world = await start({ settings: { backoff: [10, 20] } })
    world.service.next("submit", Fault.disconnect({ after: true }))
    expect((await world.client.execute(ScriptedTransport.evmRequest)).status).toBe("settled")
    expect(world.service.swaps).toHaveLength(1)
    const bodies = world.server.received.filter(({ url }) => url === "/swap/submit").map(({ body }) => body)
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toBe(bodies[0])
  })

  it("fails at once where the key is wrong", async () => {
    await using world = await start()
    const transport = fetchTransport({ baseUrl: world.server.url, apiKey: "key-of-nobody" })
    const client = createClient({ transport, signers, policy: { deployments: world.service.deployments } })
    expect(await rejection(client.execute(ScriptedTransport.evmRequest))).toMatchObject({ _tag: "Unauthorized" })
    expect(world.server.received).toHaveLength(1)
  })

  it("stops where the caller aborts: the held connection is closed and nothing more is sent", async () => {
    await using world = await start()
    world.service.ends("never")
    const controller = new AbortController()
    const call = rejection(world.client.execute(ScriptedTransport.evmRequest, { signal: controller.signal }))
    const isHeld = () => world.server.received.find(({ url }) => url.startsWith("/swap/status/"))
    const held = await vi.waitUntil(isHeld, { timeout: 60_000 })
    const sent = world.server.received.length
    controller.abort(new Error("changed my mind"))
    expect(await call).toMatchObject({ message: "changed my mind" })
    await held.closed
    expect(world.server.received).toHaveLength(sent)
  })
})

describe("the client ends at once what does not listen to its signal", () => {
  const never = () => new Promise<never>(() => undefined)

  it.each([
    ["a fetch", { fetch: never }],
    ["a function for the key", { apiKey: never }]
  ])("%s", async (_, deaf) => {
    const transport = fetchTransport({ baseUrl: "https://swap.example", apiKey, ...deaf })
    const client = createClient({ transport, settings: { callAttempts: 1 } })
    expect(await rejection(client.chains({ timeout: 50 }))).toMatchObject({ _tag: "Unavailable", reason: "timeout" })
    const controller = new AbortController()
    const call = rejection(client.status("s-1", { signal: controller.signal }))
    controller.abort("enough")
    expect(await call).toBe("enough")
  })
})
