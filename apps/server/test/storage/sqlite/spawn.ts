/** Child processes of a test that can be killed. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Child {
  /** Every line that it has printed. */
  readonly lines: ReadonlyArray<string>
  /** Waits until it has printed that many lines. */
  readonly said: (count: number) => Effect.Effect<void, Error>
  /** Kills it, and waits until it is gone and its output is read. */
  readonly kill: Effect.Effect<void>
  /** Waits until it exits, and returns its exit code. */
  readonly ended: Effect.Effect<number | null>
}

/** Starts `child.ts`; it is killed when the scope closes. */
export const start = (what: string, path: string) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const child = spawn(
        process.execPath,
        [
          "--expose-gc",
          "--import",
          file("../../../../../tooling/testing/resolveSources.ts"),
          file("child.ts"),
          what,
          path
        ],
        {
          stdio: ["ignore", "pipe", "pipe"]
        }
      )
      const lines: Array<string> = []
      let complaint = ""
      let waiting: ReadonlyArray<() => void> = []
      const wake = () => {
        for (const check of waiting) check()
      }
      createInterface({ input: child.stdout }).on("line", (line) => {
        lines.push(line)
        wake()
      })
      child.stderr.on("data", (chunk: Buffer) => void (complaint += chunk.toString()))
      const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
      void closed.then(wake)
      const gone = () => child.exitCode !== null || child.signalCode !== null
      return {
        lines,
        said: (count) =>
          Effect.callback((resume) => {
            const check = () => {
              if (lines.length >= count) resume(Effect.void)
              else if (gone()) resume(Effect.fail(new Error(`It ended after ${lines.length} lines. ${complaint}`)))
            }
            waiting = [...waiting, check]
            check()
          }),
        kill: Effect.andThen(
          Effect.sync(() => child.kill("SIGKILL")),
          Effect.promise(() => closed)
        ),
        ended: Effect.promise(() => closed)
      }
    }),
    (child) => child.kill
  )
