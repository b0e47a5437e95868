/** Users with a policy, and the official MCP client connected to `geoswap mcp`. */
import { readFileSync } from "node:fs"
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { expect } from "vitest"
import { enter, open } from "./pty.js"
import { cli, start, type Started, until, type Workspace } from "./runCli.js"
import { makeUser } from "./swapFixture.js"

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
    "max-impact-bps": ["1000"],
    "max-slippage-bps": ["500"],
    "max-swaps-per-hour": ["100"]
  })

/** Sets the policy of a wallet, as a person at a terminal. */
export const setPolicy = ({ flags, workspace }: Place, rules: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const terminal = yield* open(workspace, ...flags, "policy", "init", ...rules)
      yield* terminal.shows(/Creating a policy for/)
      terminal.type(`y${enter}`)
      const { code, screen } = yield* terminal.ended
      expect({ code, screen }).toMatchObject({ code: 0 })
    })
  )

/** The environment of a process, which inherits only PATH. */
const environmentOf = ({ environment }: Workspace): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...environment
})

/** The newest protocol version, and the newest version with sessions. */
const versions = {
  "2026-07-28": { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  "2025-11-25": {}
} as const satisfies Record<string, ClientOptions>

/** A connection to the server. */
export interface Connection {
  readonly client: Client
  /** Kills the server, as `kill -9` does. */
  readonly kill: () => void
}

const makeClient = (options: ClientOptions) => new Client({ name: "geoswap-test", version: "1.0.0" }, options)

const closing = ({ client }: Connection) => Effect.promise(() => client.close().catch(() => undefined))

/** Starts the server over standard input and output. */
export const connectStdio = (
  { flags, workspace }: Place,
  options: ClientOptions = {}
): Effect.Effect<Connection, never, Scope.Scope> =>
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
  readonly started: Started
}

/** Starts the server over HTTP. */
export const serveHttp = Effect.fnUntraced(function* ({ flags, workspace }: Place, ...args: ReadonlyArray<string>) {
  const started = yield* start(workspace, cli, ["mcp", "--http", ...flags, ...args])
  yield* until(
    () => /bearer token is in/.test(started.stderr()) || started.process.exitCode !== null,
    "the server to listen"
  )
  const [, url] = /Serving MCP on (\S+)/.exec(started.stderr()) ?? []
  const [, file] = /bearer token is in (\S+)/.exec(started.stderr()) ?? []
  if (url === undefined || file === undefined) {
    return yield* Effect.die(new Error(`The server does not listen. ${started.stderr()}`))
  }
  const server: HttpServer = { url, token: readFileSync(file, "utf8").trim(), started }
  return server
})

/** Connects to a server over HTTP. */
export const connectHttp = (
  { started, token, url }: HttpServer,
  options: ClientOptions = {}
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = makeClient(options)
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
      return { client, kill: () => void started.process.kill("SIGKILL") }
    }),
    closing
  )

/** Starts a server and connects to it. */
export const transports = {
  stdio: (place: Place, version: keyof typeof versions) => connectStdio(place, versions[version]),
  http: (place: Place, version: keyof typeof versions) =>
    Effect.flatMap(serveHttp(place), (server) => connectHttp(server, versions[version]))
} as const

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
    const [content] = result.content
    return {
      isError: result.isError ?? false,
      text: content?.type === "text" ? content.text : "",
      value: (result.structuredContent ?? {}) as Result["value"]
    }
  })
