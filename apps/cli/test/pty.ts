/** The program in a pseudo-terminal, which `script` of util-linux gives it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { stripVTControlCharacters } from "node:util"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { cli, type Place, until } from "./runCli.js"

/** Part of util-linux, and not of a package. */
const script = "script"

/** Whether it is here. */
export const hasPty: boolean = /util-linux/.test(spawnSync(script, ["--version"], { encoding: "utf8" }).stdout)

/** A program that believes that a person sits in front of it. */
export interface Terminal {
  readonly process: ChildProcess
  /** All that was on the screen so far, without what moves the cursor. */
  readonly screen: () => string
  /** Types, key by key. */
  readonly type: (keys: string) => void
  /** Waits until the screen shows something. */
  readonly shows: (words: string | RegExp) => Effect.Effect<void>
  /** How it ended. */
  readonly ended: Effect.Effect<{ readonly code: number | string | null; readonly screen: string }>
}

/** Ctrl-C, as a keyboard sends it. */
export const ctrlC = "\u0003"

/** The key that ends a line. */
export const enter = "\r"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts `geoswap` in a terminal of its own; it is gone when the scope closes. */
export const open = (
  { environment, folder }: Place,
  ...args: ReadonlyArray<string>
): Effect.Effect<Terminal, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const command = ["exec", ...[process.execPath, cli, ...args].map(quoted)].join(" ")
      const child = spawn(script, ["-qec", `stty rows 50 cols 160; ${command}`, "/dev/null"], {
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
      const fits = (words: string | RegExp) =>
        typeof words === "string" ? screen().includes(words) : words.test(screen())
      return {
        process: child,
        screen,
        type: (keys) => void child.stdin.write(keys),
        shows: (words) =>
          until(() => {
            if (!fits(words) && child.exitCode !== null) throw new Error(`It ended without ${words}:\n${screen()}`)
            return fits(words)
          }, `${words} on the screen:\n${screen()}`),
        ended: Effect.promise(() => closed)
      }
    }),
    ({ ended, process: child }) =>
      Effect.andThen(
        Effect.sync(() => void child.kill("SIGKILL")),
        ended
      )
  )
