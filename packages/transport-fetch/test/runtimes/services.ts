/** The two services that the guest calls, open to pages of any origin. */
import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { vi } from "@effect/vitest"
import { answerScripted, apiKey } from "../scriptedServer.js"
import { type Received, serve } from "../server.js"
import type { Input } from "./guest.js"

/** Only what the README requires of a service for pages of another origin. */
const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "x-api-key, content-type",
  "access-control-expose-headers": "x-request-id, retry-after, ratelimit, ratelimit-reset, date"
}

const serveOpen = (service: ScriptedTransport.ScriptedTransport, ready: (request: Received) => Promise<unknown>) => {
  const answer = answerScripted(service)
  return serve(async (response, request) => {
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value)
    if (request.method === "OPTIONS") return response.writeHead(204).end()
    await ready(request)
    return answer(response, request)
  })
}

/** A service whose swaps settle quickly. */
const startSettling = async () => {
  const service = ScriptedTransport.make()
  service.ends("settled", 300)
  return { service, server: await serveOpen(service, async () => undefined) }
}

/**
 * A service that holds every status forever, redirects quotes and cuts the connection on delegations. It answers chains
 * first when a status request is held, and later when the connection of that request is closed.
 */
const startFailing = async () => {
  const service = ScriptedTransport.make()
  service.always("status", Fault.hang())
  service.always("quote", {
    type: "respond",
    answer: { status: 307, headers: { location: "/elsewhere" }, body: "" },
    after: false
  })
  service.always("delegation", Fault.disconnect())
  let listed = false
  const server = await serveOpen(service, async ({ url }) => {
    if (url !== "/swap/chains") return
    const held = await vi.waitUntil(
      () => server.received.find(({ method, url }) => method === "GET" && url.startsWith("/swap/status/")),
      { timeout: 60_000 }
    )
    if (listed) await held.closed
    listed = true
  })
  return server
}

/** Starts both services and returns the input of the guest. */
export const startServices = async () => {
  const { server, service } = await startSettling()
  const failing = await startFailing()
  const input: Input = { settling: server.url, failing: failing.url, apiKey }
  const close = async () => {
    await server.close()
    await failing.close()
  }
  return { input, service, failing, [Symbol.asyncDispose]: close }
}
