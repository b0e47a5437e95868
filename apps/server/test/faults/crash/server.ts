/**
 * The built server in a process that dies on command: `server.ts <configuration> [<file>]`, where `DATABASE_URL`
 * replaces the file. It starts with the line `start` on its standard input, dies at
 * `die <occurrence> <checkpoint>`, pauses there with `stop`, and prints every checkpoint.
 */
import { Secrets, Server, Storage } from "@geoswap/server"
import { Config, Checkpoints } from "@geoswap/service"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { readFileSync, writeSync } from "node:fs"
import { flushCompileCache } from "node:module"
import { createInterface } from "node:readline"

const [file = "", path = ""] = process.argv.slice(2)

/** Written synchronously, before anything else happens. */
const say = (line: string): void => void writeSync(1, `${line}\n`)

let deadly = ""
let left = 0
let signal: "SIGKILL" | "SIGSTOP" = "SIGKILL"

/** Prints a checkpoint, and dies or pauses there if it is the chosen one: no code after it runs. */
const mark = (step: string) =>
  Effect.sync(() => {
    say(`step ${step}`)
    if (step === deadly && --left === 0) process.kill(process.pid, signal)
  })

const announce = Layer.effectDiscard(
  Effect.map(HttpServer, ({ address }) => {
    say(`listens on ${formatAddress(address)}`)
    // Node would write it when the process exits, which a killed process never does.
    flushCompileCache()
  })
)

const log = Logger.map(Logger.formatLogFmt, (line) => void writeSync(2, `${line}\n`))

const serve = Effect.gen(function* () {
  const config = yield* Config.parse(readFileSync(file, "utf8"))
  const secrets = yield* Secrets.read(config, process.env)
  const url = yield* Effect.mapError(Secrets.databaseUrl(process.env), (message) => new Error(message))
  const database: Storage.Database = url === undefined ? Storage.file(path) : { kind: "postgres", url }
  const server = Server.layer({ config, secrets, database, version: "0.0.0" })
  return yield* Layer.launch(
    announce.pipe(Layer.provide(server), Layer.provide(Layer.succeed(Checkpoints.Checkpoints, mark)))
  )
}).pipe(
  Effect.catchCause((cause) =>
    Effect.sync(() => {
      writeSync(2, `${Cause.pretty(cause)}\n`)
      process.exit(1)
    })
  ),
  Effect.provide(Logger.layer([log]))
)

/** From that point, a checkpoint is its last, permanently or until it is resumed. */
const arm =
  (how: typeof signal) =>
  ([occurrence, ...step]: ReadonlyArray<string>): void => {
    left = Number(occurrence)
    deadly = step.join(" ")
    signal = how
    say("armed")
  }

const commands: Readonly<Record<string, (rest: ReadonlyArray<string>) => void>> = {
  start: () => {
    say(`pid ${process.pid}`)
    say("starts")
    Effect.runFork(serve)
  },
  die: arm("SIGKILL"),
  stop: arm("SIGSTOP")
}

// The parent process may have died.
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [command = "", ...rest] = line.split(" ")
    commands[command]?.(rest)
  })
  .on("close", () => process.exit())
