/** Runs the program in a pseudo-terminal, with `script` from util-linux. */
import { spawn, spawnSync } from "node:child_process"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { cli, type Ended, type Workspace } from "./runCli.js"
import { columnsOf, makeTerminal, type Terminal } from "./terminal.js"

const script = "script"

/** Whether `script` is installed. */
export const hasPty: boolean = /util-linux/.test(spawnSync(script, ["--version"], { encoding: "utf8" }).stdout)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Starts `geoswap` as a process in a new terminal; the scope kills it. */
export const open = (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<Terminal, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const { environment, folder } = workspace
        const command = ["exec", ...[process.execPath, cli, ...args].map(quoted)].join(" ")
        const child = spawn(script, ["-qec", `stty rows 50 cols ${columnsOf(workspace)}; ${command}`, "/dev/null"], {
          cwd: folder,
          env: { PATH: process.env["PATH"], TERM: "xterm-256color", SHELL: "/bin/sh", ...environment },
          stdio: ["pipe", "pipe", "pipe"]
        })
        let shown = ""
        child.stdout.on("data", (chunk: Buffer) => void (shown += chunk.toString()))
        child.stderr.on("data", (chunk: Buffer) => void (shown += chunk.toString()))
        child.stdin.on("error", () => undefined)
        const closed = new Promise<Pick<Ended, "code">>((resolve) => {
          child.on("close", (code, signal) => resolve({ code: code ?? signal }))
        })
        return { child, ended: Effect.promise(() => closed), output: () => shown }
      }),
      ({ child, ended }) =>
        Effect.andThen(
          Effect.sync(() => void child.kill("SIGKILL")),
          ended
        )
    ),
    ({ child, ended, output }) => makeTerminal(output, ended, (keys) => void child.stdin.write(keys))
  )
