/** Handles `geoswap mcp`: opens the wallet once, and serves until the client disconnects. */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import manifest from "../../package.json" with { type: "json" }
import * as AgentPolicy from "../agent/AgentPolicy.js"
import { Settings } from "../config/Settings.js"
import type { Services } from "../mcp/backend.js"
import { usableRules } from "../mcp/names.js"
import { Host } from "../node/Host.js"
import { readSecret, writePrivate } from "../node/secretFile.js"
import * as Exit from "../output/Exit.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as StateFiles from "../swap/stateFiles.js"

interface McpArgs {
  readonly http: boolean
  readonly port: number | undefined
  readonly tokenFile: string | undefined
  readonly allowOrigin: ReadonlyArray<string>
}

/** Reads the bearer token, or creates one in a file that only this user can read. */
const bearerToken = Effect.fnUntraced(function* (path: string) {
  if (!existsSync(path)) yield* writePrivate(path, `${randomBytes(32).toString("base64url")}\n`)
  const text = (yield* readSecret(path, "The bearer token")).trim()
  if (/^[\w-]{32,}$/.test(text)) return Redacted.make(text, { label: "bearer token" })
  return yield* Exit.failure(
    `There is no usable bearer token in ${path}: expected at least 32 letters and digits.`,
    "Remove the file. The next start creates another token."
  )
})

const serve = Effect.fnUntraced(function* ({ allowOrigin, http, port = 0, tokenFile }: McpArgs) {
  const services = yield* Effect.context<Services>()
  // Opens the keys before the first request, because a password may have to be typed. A failure is reported on use.
  yield* usableRules
  if (!http) {
    const { serveStdio } = yield* Effect.promise(() => import("../mcp/stdio.js"))
    return yield* serveStdio(services, manifest.version)
  }
  const host = yield* Host
  const { stateFolder } = yield* Settings
  const file = tokenFile === undefined ? join(stateFolder, "mcp.token") : resolve(host.folder, tokenFile)
  const token = yield* bearerToken(file)
  const { serveHttp } = yield* Effect.promise(() => import("../mcp/http.js"))
  return yield* serveHttp(services, manifest.version, { port, origins: allowOrigin, token }, (url) =>
    Output.notice(`Serving MCP on ${url}\n  The bearer token is in ${file}`)
  )
})

/** Serves MCP. If the server cannot start, the client gets the reason. */
export const run = (args: McpArgs) =>
  serve(args).pipe(
    Effect.provide(
      AgentPolicy.layer.pipe(Layer.provideMerge(StateFiles.layer), Layer.provideMerge(Session.connection))
    ),
    Effect.tapError((error) =>
      args.http
        ? Effect.void
        : Effect.gen(function* () {
            const { next, what } = Exit.explain(error)
            const { refuseStdio } = yield* Effect.promise(() => import("../mcp/stdio.js"))
            yield* refuseStdio(`${what} ${next}`)
          })
    )
  )
