/** A server with a page that a test writes and chains that do not answer, and raw requests. */
import { type Config, Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import { randomBytes } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { dirname, join } from "node:path"
import type * as Server from "../../src/Server.js"
import * as Storage from "../../src/storage/Storage.js"
import { fileFor, folder, newSecrets } from "../admin/cli/fixture.js"
import { freePort } from "../stack/freePort.js"
import { startServer } from "../stack/stack.js"

/** The files of a built page, and files that do not belong to it. */
export const files: Readonly<Record<string, string | Uint8Array>> = {
  "index.html": `<!doctype html><title>Swap</title><script type="module" src="/assets/app-3f9c.js"></script>`,
  "favicon.svg": `<svg xmlns="http://www.w3.org/2000/svg">${"<path d='M0 0'/>".repeat(50)}</svg>`,
  "robots.txt": "User-agent: *\n",
  "assets/app-3f9c.js": `export const words = ${JSON.stringify("swap ".repeat(2_000))}\n`,
  "assets/app-77aa.css": "body { margin: 0 }\n".repeat(100),
  "assets/font-01.woff2": new Uint8Array(4_096).fill(7),
  "assets/a name.json": "{}",
  "assets/small.txt": "a".repeat(300),
  "assets/random.wasm": randomBytes(2_000),
  ".env": "SECRET_OF_THE_FOLDER=1"
}

/** Writes files to a new folder. */
export const pageFolder = (given: Readonly<Record<string, string | Uint8Array>> = files) =>
  Effect.map(folder, (path) => {
    const page = join(path, "page")
    for (const [name, content] of Object.entries(given)) {
      mkdirSync(dirname(join(page, name)), { recursive: true })
      writeFileSync(join(page, name), content)
    }
    writeFileSync(join(path, "beside.txt"), "SECRET_OF_THE_FOLDER")
    return page
  })

/** A server of a test. */
export interface Site {
  readonly url: string
  readonly config: Config.Config
  readonly secrets: ReturnType<typeof newSecrets>
  readonly folder: string
  readonly database: Storage.Database
}

/** Runs a server until the scope closes, on its own file if no database is given. */
export const site = (
  web: Readonly<Record<string, unknown>> | "none" = {},
  more: Readonly<Record<string, unknown>> = {},
  wallets?: Server.Options["wallets"],
  given?: Storage.Database
): Effect.Effect<Site, never, Scope.Scope> =>
  Effect.gen(function* () {
    const page = yield* pageFolder()
    const file = {
      ...fileFor(yield* freePort),
      listen: { host: "127.0.0.1", port: 0 },
      ...more,
      ...(web !== "none" && { web: { folder: page, ...web } })
    }
    const secrets = newSecrets()
    const database = given ?? Storage.file(join(yield* folder, "geoswap.db"))
    const { config, url } = yield* startServer(file, secrets, { database, wallets })
    return { url, config, secrets, folder: page, database }
  }).pipe(Effect.orDie, Effect.provideService(References.MinimumLogLevel, "None"))

/** The store of a server, beside it. */
export const stored = <A, E>({ database }: Site, use: (store: Store.Store) => Effect.Effect<A, E>) =>
  Effect.flatMap(Store.Store, use).pipe(Effect.provide(Storage.store(database)), Effect.orDie)

/** A request of a test. */
export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The local address that it comes from: all of 127.0.0.0/8 is available. */
  readonly from?: string
}

/** The response. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Sends a request with exactly this path. */
export const ask = ({ url }: Pick<Site, "url">, path: string, question: Question = {}): Effect.Effect<Answer> =>
  Effect.callback((resume, signal) => {
    const { body, from, headers, method = "GET" } = question
    const { hostname, port } = new URL(url)
    const sent = request(
      {
        hostname,
        port,
        path,
        method,
        signal,
        agent: false,
        ...(from !== undefined && { localAddress: from }),
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => void chunks.push(chunk))
        response.on("end", () => {
          const bytes = Buffer.concat(chunks)
          const { headers, statusCode = 0 } = response
          resume(Effect.succeed({ status: statusCode, headers, bytes, text: bytes.toString() }))
        })
      }
    )
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body))
  })

/** The body of a JSON response. */
export const json = ({ text }: Answer) => JSON.parse(text) as Readonly<Record<string, unknown>>
