import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createServer, request, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { expect, vi } from "vitest"
import { version } from "../../../src/version.js"
import { freePort } from "../../stack/freePort.js"
import { logOf, type Workspace, type Program, run, serve, serveHere, start, stop, until } from "../../stack/program.js"
import { nodeKey, makeWorkspace } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return { status: response.status, text: await response.text() }
  })

/** Waits until something answers. */
const answers = (url: string): ReturnType<typeof get> =>
  Effect.catchCause(get(`${url}/health/ready`), () =>
    Effect.delay(
      Effect.suspend(() => answers(url)),
      50
    )
  )

const newKey = (workspace: Workspace) =>
  Effect.map(run(workspace, "keys", "create", "--account", "Ada"), ({ stdout }) => stdout.trim())

/** A request with half of its body, after the server has read its head: it delays the shutdown. */
const halfRequest = Effect.fnUntraced(function* (url: string, key: string) {
  const socket = yield* Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const made = connect(Number(new URL(url).port), "127.0.0.1", () => resume(Effect.succeed(made)))
      made.on("error", () => undefined)
    }),
    (made) => Effect.sync(() => made.destroy())
  )
  let answer = ""
  socket.on("data", (chunk: Buffer) => void (answer += chunk.toString()))
  const head = ["POST /swap/quote HTTP/1.1", "host: localhost", `x-api-key: ${key}`, "content-type: application/json"]
  const interim = "HTTP/1.1 100 Continue\r\n\r\n"
  socket.write(`${[...head, "content-length: 2", "expect: 100-continue"].join("\r\n")}\r\n\r\n{`)
  yield* until(() => answer.startsWith(interim), "a request in progress")
  return { answer: () => answer.slice(interim.length), finish: Effect.sync(() => void socket.write("}")) }
})

const runs = ({ process }: Program) => process.exitCode === null && process.signalCode === null

describe.concurrent("geoswap-server serve", () => {
  it.live("serves the host names of the configuration on the port of the flag", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace((file) => ({ ...file, listen: { hosts: ["swap.example"] } }))
      const server = yield* serve(workspace, "--port", "0")
      const statusFor = (host: string) =>
        Effect.callback<number | undefined>((resume) => {
          request(`${server.url}/health/live`, { headers: { host } }, (response) => {
            response.resume()
            resume(Effect.succeed(response.statusCode))
          }).end()
        })
      expect(yield* statusFor("swap.example")).toBe(200)
      expect(yield* statusFor("other.example")).toBe(403)
    })
  )

  it.live("prints its address on one line and logs JSON lines", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const server = yield* serve(workspace, "--port", "0")
      expect(server.stdout()).toBe(
        `geoswap-server ${version} is listening on ${server.url} (API reference: ${server.url}/docs)\n`
      )
      expect(yield* get(`${server.url}/health/live`)).toEqual({ status: 200, text: '{"status":"ok"}' })
      // Its nodes do not answer, which makes the service unready after a while.
      const ready = yield* get(`${server.url}/health/ready`)
      const { status, code: reason } = JSON.parse(ready.text) as { readonly status?: string; readonly code?: string }
      expect(ready.status === 200 ? ["ok", "degraded"] : ["UNAVAILABLE"]).toContain(status ?? reason)
      expect((yield* get(`${server.url}/swap/chains`)).status).toBe(401)
      yield* server.kill("SIGTERM")
      const { code, stderr, stdout } = yield* server.ended
      expect(code).toBe(0)
      expect(stdout.trimEnd().split("\n")).toHaveLength(1)

      const log = logOf(stderr)
      for (const { level, timestamp } of log) expect([typeof level, typeof timestamp]).toEqual(["string", "string"])
      const messages = log.map(({ message }) => String(message))
      expect(messages).toContain(`the server is listening on ${server.url}`)
      expect(messages.at(-1)).toBe("the server is stopping and is now responding to waiting requests")
      // Unreachable nodes are logged and do not stop the server.
      expect(messages.filter((message) => message.includes("could not be checked"))).toHaveLength(2)
      const request = log.find(({ message }) => message === "request")
      expect(request).toMatchObject({
        level: "INFO",
        annotations: { method: "GET", route: "/swap/chains", status: 401 }
      })
      expect(stderr).not.toContain(nodeKey)
    })
  )

  it.live("logs at the chosen level and in the chosen format", () =>
    Effect.gen(function* () {
      const debug = yield* serveHere(yield* makeWorkspace(), "--port", "0", "--log-level", "debug")
      yield* get(`${debug.url}/health/live`)
      yield* until(() => debug.stderr().includes("/health/live"), "the request in the log")
      expect(logOf(debug.stderr()).map(({ level }) => level)).toContain("DEBUG")
      yield* stop(debug)

      const error = yield* serveHere(yield* makeWorkspace(), "--port", "0", "--log-level", "error")
      yield* get(`${error.url}/swap/chains`)

      expect(yield* stop(error)).toMatchObject({ code: 0, stderr: "" })

      const pretty = yield* serveHere(yield* makeWorkspace(), "--port", "0", "--log-format", "pretty")
      yield* get(`${pretty.url}/swap/chains`)
      yield* until(() => pretty.stderr().includes("request"), "the request in the log")
      expect(pretty.stderr()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}chain 8453 could not be checked: /m)
      expect(pretty.stderr()).toMatch(
        /^\d\d:\d\d:\d\d\.\d{3} INFO {2}request method=GET route=\/swap\/chains status=401 milliseconds=\S+ requestId=\S+$/m
      )
    })
  )

  it.live("prefers the address of the flags over the configuration, and reports that it is taken", () =>
    Effect.gen(function* () {
      // An address that no machine has.
      const workspace = yield* makeWorkspace((file) => ({ ...file, listen: { host: "192.0.2.1", port: 1 } }))
      const port = yield* freePort
      const { url } = yield* serve(workspace, "--host", "127.0.0.1", "--port", String(port))
      expect(url).toBe(`http://127.0.0.1:${port}`)

      const taken = yield* run(yield* makeWorkspace(), "--host", "127.0.0.1", "--port", String(port))
      expect([taken.code, taken.stdout]).toEqual([1, ""])
      expect(taken.stderr).toContain(
        `Cannot listen on 127.0.0.1:${port}: another process is already using that port. Stop that process, or choose another port.\n`
      )
    })
  )

  it.live("refuses to use the database of another server", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const first = yield* serve(workspace, "--port", "0")
      const second = yield* run(workspace, "serve", "--port", "0")
      expect([second.code, second.stdout]).toEqual([1, ""])
      expect(second.stderr).toMatch(
        /^Another server is using the database \S+\/geoswap\.db .* Stop that server, or set/m
      )
      expect((yield* get(`${first.url}/health/live`)).status).toBe(200)
    })
  )

  it.live("refuses to start if a chain does not match, and lists all problems", () =>
    Effect.gen(function* () {
      // A node of the wrong chain, without any contracts.
      const node = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const made = createServer((request, response) => {
            let body = ""
            request.on("data", (chunk: Buffer) => void (body += chunk.toString()))
            request.on("end", () => {
              const calls = JSON.parse(body) as ReadonlyArray<{ readonly id: number; readonly method: string }>
              const result = { eth_chainId: "0x1" } as Record<string, string>
              response.end(
                JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: result[method] ?? "0x" })))
              )
            })
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) => Effect.sync(() => made.close().closeAllConnections())
      )
      const address = node.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const workspace = yield* makeWorkspace(({ chains: [evm], ...file }) => ({
        ...file,
        chains: [{ ...evm, rpcUrls: [`http://127.0.0.1:${port}`] }]
      }))
      for (const command of ["serve", "check"]) {
        const { code, stderr, stdout } = yield* run(workspace, command)
        expect([code, stdout]).toEqual([1, ""])
        expect(stderr).toContain("  - Chain 8453 (Base): the node is on chain 1. Set rpcUrls to nodes on chain 8453.\n")
        expect(stderr).toContain("  - Chain 8453 (Base): there is no contract at the vault address 0x5aa2")
        expect(stderr).toContain("  - Chain 8453 (Base): there is no contract at the USDC address")
      }
    })
  )

  it.live("finishes requests in progress after a signal and exits with 0", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const key = yield* newKey(workspace)
      const server = yield* serve(workspace, "--port", "0")
      const half = yield* halfRequest(server.url, key)
      // One Ctrl-C may arrive twice.
      yield* server.kill("SIGINT")
      yield* server.kill("SIGINT")
      yield* until(() => server.stderr().includes("the server is stopping"), "the start of the shutdown")
      expect(runs(server)).toBe(true)
      yield* half.finish
      expect((yield* server.ended).code).toBe(0)
      expect(half.answer()).toMatch(/^HTTP\/1\.1 400 /)
      expect(half.answer()).toContain('"code":"VALIDATION"')
    })
  )

  it.live.each<readonly ["SIGTERM" | "SIGINT", number]>([
    ["SIGTERM", 143],
    ["SIGINT", 130]
  ])("exits at once after a second %s", ([signal, code]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace()
      const key = yield* newKey(workspace)
      const impatient = yield* serve(workspace, "--port", "0")
      yield* halfRequest(impatient.url, key)
      yield* impatient.kill(signal)
      yield* until(() => impatient.stderr().includes("the server is stopping"), "the start of the shutdown")
      // Longer than the interval in which one Ctrl-C may arrive twice.
      yield* Effect.sleep(400)
      expect(runs(impatient)).toBe(true)
      yield* impatient.kill(signal)
      expect((yield* impatient.ended).code).toBe(code)
    })
  )

  it.live("keeps running if its output is closed, and still stops on a signal", () =>
    Effect.gen(function* () {
      for (const stream of ["stdout", "stderr"] as const) {
        const port = yield* freePort
        const server = yield* start(yield* makeWorkspace(), ["--port", String(port), "--log-level", "debug"])
        server.process[stream].destroy()
        const url = `http://127.0.0.1:${port}`
        expect((yield* answers(url)).status).toBe(200)
        expect((yield* answers(url)).status).toBe(200)
        expect(runs(server)).toBe(true)
        yield* server.kill("SIGTERM")
        expect((yield* server.ended).code).toBe(0)
      }
    })
  )
})
