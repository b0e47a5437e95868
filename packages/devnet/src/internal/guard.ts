/** Child processes that end with this one, however it ends. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Runs the program of its arguments in a process group of its own and waits on standard input, a pipe that only we
 * hold: the kernel closes it when this process is gone, also after kill -9, and the shell ends the whole group. In its
 * own group the program does not see the terminal's Ctrl-C either; it ends when its scope does.
 */
const script = `exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( read -r _ <&3; kill -s KILL -- -$$ ) >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait "$child"
status=$?
kill -s KILL "$guard" 2>/dev/null
exit "$status"`

/** A running program. */
export interface Guarded {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** The last of what it printed. */
  readonly output: () => string
}

const kept = 8_000

const stop = ({ process: child }: Guarded): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      // The group is gone already; "close" follows.
    }
  })

/** Starts a program that ends with the scope, or with this process. */
export const run = (command: string, args: ReadonlyArray<string>): Effect.Effect<Guarded, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("/bin/sh", ["-c", script, "geoswap-devnet", command, ...args], {
        stdio: ["pipe", "pipe", "pipe"],
        detached: true
      })
      let output = ""
      const collect = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-kept))
      child.stdout.on("data", collect)
      child.stderr.on("data", collect)
      // The pipe breaks when the program ends first: that is seen by its exit.
      child.stdin.on("error", () => {})
      return { process: child, output: () => output.trim() }
    }),
    stop
  )
