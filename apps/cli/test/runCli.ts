/** Runs `geoswap`: its sources in this process, or the built program as a process. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { fileURLToPath } from "node:url"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import manifest from "../package.json" with { type: "json" }
import * as Main from "../src/main.js"
import { Host } from "../src/node/Host.js"
import { codes } from "../src/output/exitCodes.js"

/** The built program. */
export const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url))

/** The folder and environment of a run. A process also has PATH from this process. */
export interface Workspace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /**
   * The clock of a run in this process: how far it is ahead, in milliseconds (default: 0), and how many times faster
   * pauses pass (default: 1).
   */
  readonly clock?: { readonly ahead?: number; readonly pace?: number }
}

/** Accepts the terms of a swap without a prompt, for at least two units: the price is not what is tested. */
export const accept = ["--yes", "--min-output-raw", "2"] as const

/** The result of a run. */
export interface Ended {
  /** The exit code, or the signal that killed the process. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

/** A running program, and its output so far. */
export interface Running {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Effect.Effect<Ended>
}

/** A running process. */
export interface Started extends Running {
  readonly process: ChildProcess
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

/** Runs the built program as a process in pipes, until it exits. */
export const runProcess = (workspace: Workspace, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(start(workspace, cli, args), ({ ended }) => ended))

const makeClock = ({ ahead = 0, pace = 1 }: NonNullable<Workspace["clock"]>): Clock.Clock => {
  const system = Clock.Clock.defaultValue()
  const now = () => Date.now() + ahead
  return {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => system.currentTimeNanosUnsafe(),
    currentTimeNanos: system.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: system.monotonicTimeNanos,
    sleep: (duration) => system.sleep(Duration.times(duration, 1 / pace))
  }
}

/** The terminal of a run in this process. */
interface TerminalOptions {
  readonly stdin: PassThrough
  readonly columns: number
}

/** Starts `geoswap` in this process, at a terminal or with pipes; the scope interrupts it. */
export const startAt = (
  { clock = {}, environment, folder }: Workspace,
  args: ReadonlyArray<string>,
  terminal?: TerminalOptions
): Effect.Effect<Running & { readonly output: () => string }, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const written = { stdout: "", stderr: "" }
        const all = { text: "" }
        const isTerminal = terminal !== undefined
        const host: Host = {
          environment,
          folder,
          home: environment["HOME"] ?? "",
          terminals: { stdin: isTerminal, stdout: isTerminal, stderr: isTerminal },
          columns: terminal?.columns ?? 80,
          rows: 50,
          stdin: terminal?.stdin ?? new PassThrough().end(),
          write: (stream, text) => {
            written[stream] += text
            all.text += text
          }
        }
        const running = Main.run(args, manifest.version).pipe(
          Effect.provideService(Host, host),
          Effect.provideService(Clock.Clock, makeClock(clock))
        )
        return { fiber: Effect.runFork(running), all, written }
      }),
      ({ fiber }) => Fiber.interrupt(fiber)
    ),
    ({ all, fiber, written }) => ({
      stdout: () => written.stdout,
      stderr: () => written.stderr,
      output: () => all.text,
      ended: Effect.map(Fiber.await(fiber), (exit) => ({
        code: Exit.isSuccess(exit) ? exit.value : codes.interrupted,
        ...written
      }))
    })
  )

/** Starts `geoswap` in this process, with pipes; the scope interrupts it. */
export const startHere = (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<Running, never, Scope.Scope> => startAt(workspace, args)

/**
 * Runs `geoswap` in this process, with pipes, until it exits. A swap that is left unfinished stays claimed by its
 * process, so a run that leaves one needs a process.
 */
export const run = (workspace: Workspace, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.scoped(Effect.flatMap(startHere(workspace, ...args), ({ ended }) => ended))

const parse = ({ code, stderr, stdout }: Ended) => ({ code, answer: JSON.parse(stdout) as unknown, stderr })

/** Runs `geoswap` in this process with `--json`; parses standard output. */
export const runJson = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(run(workspace, ...args, "--json"), parse)

/** Runs the built program as a process with `--json`; parses standard output. */
export const runProcessJson = (workspace: Workspace, ...args: ReadonlyArray<string>) =>
  Effect.map(runProcess(workspace, ...args, "--json"), parse)

/** Polls until a condition is true. */
export const until = (condition: () => boolean, what: string, millis = 120_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!condition()) yield* Effect.sleep(20)
  }).pipe(
    Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.die(new Error(`Timed out waiting for ${what}`)) })
  )
