/** Child processes that end with this one, however it ends. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { constants } from "node:os"
import type { Readable, Writable } from "node:stream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Runs the program of its arguments in a process group of its own and waits on standard input, a pipe that only we
 * hold: the kernel closes it when this process is gone, also after kill -9, and the shell ends the whole group. In its
 * own group the program does not see the terminal's Ctrl-C either; it ends when its scope does. The shell itself prints
 * nothing, such as "Killed".
 */
const script = `exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( read -r _ <&3; kill -s KILL -- -$$ ) >/dev/null 2>&1 &
guard=$!
exec 3<&- 2>/dev/null
wait "$child"
status=$?
kill -s KILL "$guard" 2>/dev/null
exit "$status"`

/** A running program. */
export interface ChildProgram {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** The last of what it printed. */
  readonly output: () => string
  /** The last lines that it printed on standard error. */
  readonly errors: () => string
  /** The exit code, once the program has ended without being stopped. */
  readonly died: Effect.Effect<number>
}

const kept = 8_000
const keptLines = 20

/** What a shell reports for a program: its exit code, or 128 plus the number of the signal that ended it. */
const codeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])

interface Stoppable extends ChildProgram {
  /** Called before it is stopped: its end is not reported as a death. */
  readonly expectEnd: () => void
}

const stop = ({ expectEnd, process: child }: Stoppable): Effect.Effect<void> =>
  Effect.callback((resume) => {
    expectEnd()
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      // The group is gone already; "close" follows.
    }
  })

/** Starts a program that ends with the scope, or with this process. */
export const run = (command: string, args: ReadonlyArray<string>): Effect.Effect<ChildProgram, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("/bin/sh", ["-c", script, "geoswap-devnet", command, ...args], {
        stdio: ["pipe", "pipe", "pipe"],
        detached: true
      })
      let [output, errors] = ["", ""]
      let stopping = false
      const collect = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-kept))
      child.stdout.on("data", collect)
      child.stderr.on("data", collect)
      child.stderr.on("data", (chunk: Buffer) => void (errors = (errors + chunk.toString()).slice(-kept)))
      const died = Deferred.makeUnsafe<number>()
      child.once("close", (code, signal) => {
        if (!stopping) Deferred.doneUnsafe(died, Effect.succeed(codeOf(code, signal)))
      })
      // The pipe breaks when the program ends first: that is seen by its exit.
      child.stdin.on("error", () => {})
      return {
        process: child,
        output: () => output.trim(),
        errors: () => errors.trim().split("\n").slice(-keptLines).join("\n"),
        died: Deferred.await(died),
        expectEnd: () => void (stopping = true)
      }
    }),
    stop
  )
