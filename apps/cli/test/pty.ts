/** Runs the program in a pseudo-terminal, with `script` from util-linux. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { stripVTControlCharacters } from "node:util"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { cli, type Workspace, until } from "./runCli.js"

const script = "script"

/** Whether `script` is installed. */
export const hasPty: boolean = /util-linux/.test(spawnSync(script, ["--version"], { encoding: "utf8" }).stdout)

/** A program in a terminal. */
export interface Terminal {
  readonly process: ChildProcess
  /** All output so far, without control sequences. */
  readonly screen: () => string
  /** Types keys. */
  readonly type: (keys: string) => void
  /** Waits until the output contains a string or pattern. */
  readonly shows: (expected: string | RegExp) => Effect.Effect<void>
  /** The exit code and the output. */
  readonly ended: Effect.Effect<{ readonly code: number | string | null; readonly screen: string }>
}

/** The character of Ctrl-C. */
export const ctrlC = "\u0003"

/** The character of the Enter key. */
export const enter = "\r"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts `geoswap` in a new terminal, with the width in `COLUMNS` (default: 160); the scope kills it. */
export const open = (
  { environment, folder }: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<Terminal, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const command = ["exec", ...[process.execPath, cli, ...args].map(quoted)].join(" ")
      const { COLUMNS: columns = "160" } = environment
      const child = spawn(script, ["-qec", `stty rows 50 cols ${columns}; ${command}`, "/dev/null"], {
        cwd: folder,
        env: { PATH: process.env["PATH"], TERM: "xterm-256color", SHELL: "/bin/sh", ...environment },
        stdio: ["pipe", "pipe", "pipe"]
      })
      let shown = ""
      child.stdout.on("data", (chunk: Buffer) => void (shown += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => void (shown += chunk.toString()))
      child.stdin.on("error", () => undefined)
      const screen = () => stripVTControlCharacters(shown)
      const closed = new Promise<{ readonly code: number | string | null; readonly screen: string }>((resolve) => {
        child.on("close", (code, signal) => resolve({ code: code ?? signal, screen: screen() }))
      })
      const matches = (expected: string | RegExp) =>
        typeof expected === "string" ? screen().includes(expected) : expected.test(screen())
      return {
        process: child,
        screen,
        type: (keys) => void child.stdin.write(keys),
        shows: (expected) =>
          until(() => {
            if (!matches(expected) && child.exitCode !== null)
              throw new Error(`It exited without showing ${expected}:\n${screen()}`)
            return matches(expected)
          }, `${expected} on the screen:\n${screen()}`),
        ended: Effect.promise(() => closed)
      }
    }),
    ({ ended, process: child }) =>
      Effect.andThen(
        Effect.sync(() => void child.kill("SIGKILL")),
        ended
      )
  )
