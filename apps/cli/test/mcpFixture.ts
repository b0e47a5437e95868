/** Users with a policy, and the official MCP client connected to `geoswap mcp`. */
import { readFileSync } from "node:fs"
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { expect } from "vitest"
import { cli, type Running, start, startHere, until, type Workspace } from "./runCli.js"
import { makeUser } from "./swapFixture.js"
import { runAsPerson } from "./terminal.js"

/** Where a server runs, and the flags that select its wallet. */
interface Place {
  readonly workspace: Workspace
  readonly flags: ReadonlyArray<string>
}

/** A user of the devnet whose wallet has a policy. */
export const makeAgent = Effect.fnUntraced(function* (walletName: string) {
  const user = yield* makeUser(walletName)
  const flags = ["--devnet", "--wallet", walletName]
  yield* setPolicy({ flags, workspace: user.workspace }, policyArgs(user.recipient))
  const order = { amount: "100", from: "usdc@devnet-a", to: "weth@devnet-b", recipient: user.recipient }
  return { ...user, flags, order }
})

/** Converts flags with several values to arguments. */
export const toArgs = (flags: Readonly<Record<string, ReadonlyArray<string>>>): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([flag, values]) => values.flatMap((value) => [`--${flag}`, value]))

const policyArgs = (recipient: string): ReadonlyArray<string> =>
  toArgs({
    chain: ["devnet-a", "devnet-b"],
    token: ["usdc@devnet-a", "weth@devnet-b"],
    recipient: [recipient],
    budget: ["1000 usdc@devnet-a/day"],
    "min-rate": ["usdc@devnet-a weth@devnet-b 0.0001"],
    "max-total-cost-bps": ["1000"],
    "max-slippage-bps": ["500"],
    "max-swaps-per-hour": ["100"]
  })

/** Sets the policy of a wallet, as a person at a terminal. */
export const setPolicy = ({ flags, workspace }: Place, rules: ReadonlyArray<string>) =>
  Effect.map(runAsPerson(workspace, ...flags, "policy", "init", ...rules), (ended) =>
    expect(ended).toMatchObject({ code: 0 })
  )

/** The environment of a process, which inherits only PATH. */
const environmentOf = ({ environment }: Workspace): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...environment
})

/** The newest protocol version, and the newest version with sessions. */
export const versions = {
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  "2025-11-25": {}
} as const satisfies Record<string, ClientOptions>

/** A connection to the server. */
export interface Connection {
  readonly client: Client
}

/** A connection to a server in another process. */
export interface ProcessConnection extends Connection {
  /** Kills the server, as `kill -9` does. */
  readonly kill: () => void
}

const makeClient = (options: ClientOptions) => new Client({ name: "geoswap-test", version: "1.0.0" }, options)

const closing = ({ client }: Connection) => Effect.promise(() => client.close().catch(() => undefined))

/** Starts the server as a process, over standard input and output. */
export const connectStdio = (
  { flags, workspace }: Place,
  options: ClientOptions = {}
): Effect.Effect<ProcessConnection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [cli, "mcp", ...flags],
        env: environmentOf(workspace),
        cwd: workspace.folder,
        stderr: "pipe"
      })
      let stderr = ""
      transport.stderr?.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
      const client = makeClient(options)
      await client.connect(transport).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${stderr}`)
      })
      const { pid } = transport
      return { client, kill: () => void (pid !== null && process.kill(pid, "SIGKILL")) }
    }),
    closing
  )

/** A server over HTTP. */
export interface HttpServer {
  readonly url: string
  readonly token: string
  readonly stdout: () => string
}

const listening = Effect.fnUntraced(function* ({ ended, stderr, stdout }: Running) {
  const isListening = until(() => /bearer token is in/.test(stderr()), "the server to listen")
  yield* Effect.raceFirst(isListening, Effect.asVoid(ended))
  const [, url] = /Serving MCP on (\S+)/.exec(stderr()) ?? []
  const [, file] = /bearer token is in (\S+)/.exec(stderr()) ?? []
  if (url === undefined || file === undefined) {
    return yield* Effect.die(new Error(`The server does not listen. ${stderr()}`))
  }
  const server: HttpServer = { url, token: readFileSync(file, "utf8").trim(), stdout }
  return server
})

/** Starts the server over HTTP, in this process. */
export const serveHttp = ({ flags, workspace }: Place, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(startHere(workspace, "mcp", "--http", ...flags, ...args), listening)

/** Connects to a server over HTTP. */
export const connectHttp = (
  { token, url }: HttpServer,
  options: ClientOptions = {}
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = makeClient(options)
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
      return { client }
    }),
    closing
  )

/** Starts a server in this process, and connects to it. */
export const connect = (place: Place, options: ClientOptions = {}) =>
  Effect.flatMap(serveHttp(place), (server) => connectHttp(server, options))

/** Starts a server over HTTP as a process, and connects to it. */
export const connectHttpProcess = Effect.fnUntraced(function* ({ flags, workspace }: Place) {
  const started = yield* start(workspace, cli, ["mcp", "--http", ...flags])
  const connection = yield* connectHttp(yield* listening(started), versions["2026-07-28"])
  return { ...connection, kill: () => void started.process.kill("SIGKILL") }
})

/** Starts a server, and connects to it. A server over standard input and output is a process. */
export const transports = {
  stdio: (place: Place, version: keyof typeof versions) => connectStdio(place, versions[version]),
  http: (place: Place, version: keyof typeof versions) => connect(place, versions[version])
} as const

/** Every transport with every version. */
export const combinations = (["stdio", "http"] as const).flatMap((transport) =>
  (["2026-07-28", "2025-11-25"] as const).map((version) => ({ transport, version }))
)

/** The result of a tool. */
export interface Result {
  readonly isError: boolean
  readonly text: string
  /** The fields of structured results that tests use. */
  readonly value: {
    readonly swap?: { readonly swapId: string; readonly status: string; readonly [name: string]: unknown }
    readonly error?: { readonly code: string; readonly nextStep: string; readonly [name: string]: unknown }
    readonly [name: string]: unknown
  }
}

/** Calls a tool. The client checks the structured result against the tool's output schema. */
export const call = (
  { client }: Connection,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client["callTool"]>[1] = {}
): Effect.Effect<Result> =>
  Effect.promise(async (signal) => {
    const result = await client.callTool({ name, arguments: args }, { timeout: 590_000, signal, ...options })
    const [content, fields] = result.content
    // The fields of an error are text, because they do not match the output schema.
    const structured: unknown = fields?.type === "text" ? JSON.parse(fields.text) : result.structuredContent
    return {
      isError: result.isError ?? false,
      text: content?.type === "text" ? content.text : "",
      value: (structured ?? {}) as Result["value"]
    }
  })
