/** The built `geoswap` as a process of its own, and what it says. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The built program. */
export const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url))

/** Where and with what it runs: nothing of this process' environment but the path gets into it. */
export interface Place {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** How a process ended. */
export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/** A process that was started. */
export interface Started {
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Effect.Effect<Ended>
}

/** A folder that goes with the scope, and is the home of a person who has configured nothing. */
export const home: Effect.Effect<Place, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "geoswap-home-"))
      mkdirSync(join(folder, "work"))
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => ({ folder: join(folder, "work"), environment: { HOME: folder } })
)

/** Starts a program of Node in pipes; it is gone when the scope closes. */
export const start = (
  { environment, folder }: Place,
  script: string,
  args: ReadonlyArray<string>,
  input = ""
): Effect.Effect<Started, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: folder,
        env: { PATH: process.env["PATH"], ...environment },
        stdio: ["pipe", "pipe", "pipe"]
      })
      let [stdout, stderr] = ["", ""]
      child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
      child.stdin.on("error", () => undefined).end(input)
      const closed = new Promise<Ended>((resolve) => {
        child.on("close", (code, signal) => resolve({ code: code ?? signal, stdout, stderr }))
      })
      return { process: child, stdout: () => stdout, stderr: () => stderr, ended: Effect.promise(() => closed) }
    }),
    ({ ended, process }) =>
      Effect.andThen(
        Effect.sync(() => void process.kill("SIGKILL")),
        ended
      )
  )

/** Runs `geoswap` in pipes to its end. */
export const run = (place: Place, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(start(place, cli, args), ({ ended }) => ended))

/** The same with `--json`; the answer is all that is on standard output. */
export const runJson = (
  place: Place,
  ...args: ReadonlyArray<string>
): Effect.Effect<{ readonly code: Ended["code"]; readonly answer: unknown; readonly stderr: string }> =>
  Effect.map(run(place, ...args, "--json"), ({ code, stderr, stdout }) => ({
    code,
    answer: JSON.parse(stdout) as unknown,
    stderr
  }))

/** Asks until the answer is yes. */
export const until = (question: () => boolean, what: string, millis = 120_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!question()) yield* Effect.sleep(20)
  }).pipe(Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.die(new Error(`Not in time: ${what}`)) }))
