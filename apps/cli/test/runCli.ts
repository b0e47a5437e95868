/** Runs the built `geoswap` as a process. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The built program. */
export const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url))

/** The folder and environment of a run. Only PATH comes from this process. */
export interface Workspace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** The result of a process. */
export interface Ended {
  /** The exit code, or the signal that killed the process. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/** A running process. */
export interface Started {
  readonly process: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Effect.Effect<Ended>
}

/** A temporary home folder without configuration; the scope removes it. */
export const home: Effect.Effect<Workspace, never, Scope.Scope> = Effect.map(
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

/** Starts a Node program in pipes; the scope kills it. */
export const start = (
  { environment, folder }: Workspace,
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

/** Runs `geoswap` in pipes until it exits. */
export const run = (workspace: Workspace, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(start(workspace, cli, args), ({ ended }) => ended))

/** The same with `--json`; parses standard output. */
export const runJson = (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<{ readonly code: Ended["code"]; readonly answer: unknown; readonly stderr: string }> =>
  Effect.map(run(workspace, ...args, "--json"), ({ code, stderr, stdout }) => ({
    code,
    answer: JSON.parse(stdout) as unknown,
    stderr
  }))

/** Polls until a condition is true. */
export const until = (condition: () => boolean, what: string, millis = 120_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!condition()) yield* Effect.sleep(20)
  }).pipe(
    Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.die(new Error(`Timed out waiting for ${what}`)) })
  )
