/** Runs the built `geoswap-server` as a separate process. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The built program. */
export const built = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))

/** The working directory and the environment. Only `PATH` is inherited. */
export interface Workspace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Its `cli.js` (default: the one of this package). */
  readonly cli?: string
}

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  readonly stdout: () => string
  readonly stderr: () => string
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly ended: Effect.Effect<Ended>
}

const spawned = (
  { cli = built, environment, folder }: Workspace,
  args: ReadonlyArray<string>,
  preload: ReadonlyArray<string>
): Program => {
  const child = spawn(process.execPath, [...preload, cli, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
  const closed = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code: code ?? signal, stdout, stderr }))
  })
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => Effect.sync(() => void child.kill(signal)),
    ended: Effect.promise(() => closed)
  }
}

/** Starts the program; it is killed when the scope closes. */
export const start = (
  workspace: Workspace,
  args: ReadonlyArray<string>,
  preload: ReadonlyArray<string> = []
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawned(workspace, args, preload)),
    (program) => Effect.andThen(program.kill("SIGKILL"), program.ended)
  )

/** Runs the program until it exits. */
export const run = (workspace: Workspace, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(start(workspace, args), ({ ended }) => ended))

/** Polls until a condition holds. */
export const until = (question: () => boolean, what: string, millis = 180_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!question()) yield* Effect.sleep(20)
  }).pipe(Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.die(new Error(`Not in time: ${what}`)) }))

/** A listening server. */
export interface Server extends Program {
  readonly url: string
}

/** Starts a server, and waits until it prints its address. */
export const serve = Effect.fnUntraced(function* (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.fn.Return<Server, never, Scope.Scope> {
  const program = yield* start(workspace, ["serve", ...args])
  yield* until(() => program.stdout().includes("\n") || program.process.exitCode !== null, "a listening server")
  const [, url] = /(?:is listening|listens) on (http:\/\/\S+) /.exec(program.stdout()) ?? []
  return url === undefined
    ? yield* Effect.die(new Error(`It does not listen. ${program.stdout()}${program.stderr()}`))
    : { ...program, url }
})

/** Parses the entries of a log. */
export const logOf = (stderr: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
