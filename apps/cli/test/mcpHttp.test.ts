import { statSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { connectHttp, serveHttp } from "./mcpFixture.js"
import { cli, home, run, start } from "./runCli.js"

vi.setConfig({ testTimeout: 120_000 })

/** A user with a service that is never reached. */
const makeUser = Effect.gen(function* () {
  const workspace = yield* home
  const environment = {
    ...workspace.environment,
    GEOSWAP_URL: "http://127.0.0.1:9",
    GEOSWAP_API_KEY: "test"
  }
  return { workspace: { ...workspace, environment }, flags: [] }
})

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

/** Sends a request with these headers, and returns the status. `fetch` would not send another host. */
const post = (url: string, headers: Record<string, string>, body = initialize): Effect.Effect<number> =>
  Effect.promise(
    () =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          url,
          {
            method: "POST",
            headers: {
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
              ...headers
            }
          },
          (response) => {
            response.resume()
            resolve(response.statusCode ?? 0)
          }
        )
        sent.on("error", reject).end(body)
      })
  )

describe("geoswap mcp --http", () => {
  it.live("serves only requests with the bearer token, this host and an allowed origin", () =>
    Effect.gen(function* () {
      const user = yield* makeUser
      const server = yield* serveHttp(user, "--allow-origin", "https://app.example")
      const { token, url } = server
      const authorization = `Bearer ${token}`
      const { port } = new URL(url)
      expect(new URL(url).hostname).toBe("127.0.0.1")
      const statuses = yield* Effect.all({
        none: post(url, {}),
        wrong: post(url, { authorization: `Bearer ${token.slice(0, -1)}x` }),
        longer: post(url, { authorization: `Bearer ${token}x` }),
        basic: post(url, { authorization: `Basic ${token}` }),
        origin: post(url, { authorization, origin: "https://evil.example" }),
        nullOrigin: post(url, { authorization, origin: "null" }),
        host: post(url, { authorization, host: `evil.example:${port}` }),
        hostWithoutPort: post(url, { authorization, host: "127.0.0.1" }),
        large: post(url, { authorization }, JSON.stringify({ text: "x".repeat(1_100_000) })),
        allowed: post(url, { authorization, origin: "https://app.example" }),
        good: post(url, { authorization }),
        lowerCase: post(url, { authorization: `bearer ${token}` })
      })
      expect(statuses).toEqual({
        none: 401,
        wrong: 401,
        longer: 401,
        basic: 401,
        origin: 403,
        nullOrigin: 403,
        host: 403,
        hostWithoutPort: 403,
        large: 413,
        allowed: 200,
        good: 200,
        lowerCase: 200
      })
      const { client } = yield* connectHttp(server)
      expect((yield* Effect.promise(() => client.listTools())).tools).toHaveLength(12)
      expect(server.stdout()).toBe("")
    })
  )

  it.live("answers a browser that asks for a web page with an allowed origin, and no other", () =>
    Effect.gen(function* () {
      const server = yield* serveHttp(yield* makeUser, "--allow-origin", "https://app.example")
      const send = (origin: string, init: RequestInit = {}) =>
        Effect.promise(async () => {
          const { headers, status } = await fetch(server.url, { ...init, headers: { ...init.headers, origin } })
          const allowed = headers.get("access-control-allow-headers")
          return { status, origin: headers.get("access-control-allow-origin"), allowed: allowed?.split(", ") }
        })
      const preflight = {
        method: "OPTIONS",
        headers: { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
      }
      const asked = yield* send("https://app.example", preflight)
      expect(asked).toMatchObject({ status: 204, origin: "https://app.example" })
      expect(asked.allowed).toEqual(expect.arrayContaining(["authorization", "content-type", "mcp-session-id"]))
      expect(yield* send("https://evil.example", preflight)).toMatchObject({ status: 403, origin: null })
      // Only a preflight request needs no token.
      expect(yield* send("https://app.example", { method: "OPTIONS" })).toMatchObject({ status: 401 })
      expect(yield* send("https://app.example", { method: "POST", body: initialize })).toMatchObject({ status: 401 })
      const authorized = {
        method: "POST",
        body: initialize,
        headers: {
          authorization: `Bearer ${server.token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream"
        }
      }
      expect(yield* send("https://app.example", authorized)).toMatchObject({
        status: 200,
        origin: "https://app.example"
      })
      expect(yield* send("https://evil.example", authorized)).toMatchObject({ status: 403, origin: null })
    })
  )

  it.live("keeps its token in a file that only the user can read, and refuses a file that others can read", () =>
    Effect.gen(function* () {
      const user = yield* makeUser
      const file = join(user.workspace.folder, "token")
      const first = yield* Effect.scoped(serveHttp(user, "--token-file", file))
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(first.token).toMatch(/^[\w-]{43}$/)
      const second = yield* Effect.scoped(serveHttp(user, "--token-file", file))
      expect(second.token).toBe(first.token)
      const open = join(user.workspace.folder, "open")
      writeFileSync(open, `${"a".repeat(40)}\n`, { mode: 0o644 })
      const refused = yield* run(user.workspace, "mcp", "--http", "--token-file", open)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/accessible to other users/)])
      const weak = join(user.workspace.folder, "weak")
      writeFileSync(weak, "short\n", { mode: 0o600 })
      const short = yield* run(user.workspace, "mcp", "--http", "--token-file", weak)
      expect([short.code, short.stderr]).toEqual([1, expect.stringMatching(/no usable bearer token/)])
    })
  )
})

describe("geoswap mcp", () => {
  it.live("writes only protocol messages, answers other lines with an error, and ends with its input", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeUser
      const bad = ["not JSON", "42", "null", '{"jsonrpc":', `"${"x".repeat(3_000_000)}"`]
      const lines = [
        initialize,
        JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
        ...bad,
        "",
        JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_chains", arguments: {} } }),
        JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "no_such_tool", arguments: {} } })
      ]
      const started = yield* start(workspace, cli, ["mcp"], `${lines.join("\n")}\n`)
      const { code, stderr, stdout } = yield* started.ended
      const messages = stdout
        .trim()
        .split("\n")
        .map(
          (line) =>
            JSON.parse(line) as {
              readonly id: number | null
              readonly result?: object
              readonly error?: { readonly code: number }
            }
        )
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(messages.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual(bad.map(() => -32700))
      expect(new Set(messages.flatMap(({ id }) => id ?? []))).toEqual(new Set([1, 2, 3]))
      expect(messages.find(({ id }) => id === 2)?.result).toMatchObject({
        isError: true,
        content: [{ type: "text" }, { text: expect.stringContaining('"code":"UNAVAILABLE"') as unknown }]
      })
      expect(messages.find(({ id }) => id === 3)?.error).toMatchObject({ code: expect.any(Number) as unknown })
    })
  )

  it.live("answers why it cannot start", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeUser
      const started = yield* start(workspace, cli, ["mcp", "--devnet=missing.json"], `${initialize}\n`)
      const { code, stderr, stdout } = yield* started.ended
      expect([code, stderr]).toEqual([1, expect.stringContaining("missing.json cannot be read")])
      expect(JSON.parse(stdout)).toMatchObject({
        id: 1,
        error: { message: expect.stringContaining("missing.json cannot be read") as unknown }
      })
    })
  )

  it.live("ends without a crash if its client stops reading", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeUser
      const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })
      const started = yield* start(workspace, cli, ["mcp"], `${[initialize, list, list].join("\n")}\n`)
      started.process.stdout?.destroy()
      const { code, stderr } = yield* started.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    })
  )
})
