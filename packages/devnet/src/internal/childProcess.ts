/** Child processes that always exit when this process does, even if this process is killed. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { constants } from "node:os"
import type { Readable, Writable } from "node:stream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * A shell script that runs a program in a new process group and waits on standard input, which is a pipe that only this
 * process holds open. When this process exits, even because of kill -9, the kernel closes the pipe and the shell kills
 * the entire group. Because the program has a separate group, it does not receive the terminal's Ctrl-C. The program
 * stops when its scope closes. The shell itself prints nothing, not even "Killed".
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
  /** The program's last output. */
  readonly output: () => string
  /** The last lines of the program's standard error. */
  readonly errors: () => string
  /** Completes with the exit code if the program exits before it is stopped. */
  readonly died: Effect.Effect<number>
}

const kept = 8_000
const keptLines = 20

/** The status that a shell reports: the exit code, or 128 plus the signal number. */
const codeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])

interface Stoppable extends ChildProgram {
  /** Must be called before stopping the program, so that its exit is not reported in `died`. */
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
      // The group has already exited. The "close" event follows.
    }
  })

/** Starts a program that stops when the scope closes or this process exits. */
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
      // The pipe breaks if the program exits before it is stopped. The "close" event reports the exit.
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
