/** Processes of a test that can be killed at any moment. They import the package as it is built. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** How a process ended, and what it printed. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly lines: ReadonlyArray<string>
  readonly stderr: string
}

/** A running process. */
export interface Child {
  /** The lines that it has printed so far. */
  readonly lines: ReadonlyArray<string>
  /** Waits until a line satisfies the condition. Fails if the process ends first. */
  readonly printed: (condition: (lines: ReadonlyArray<string>) => boolean) => Effect.Effect<void, Error>
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** Waits until it ended and its output was read. */
  readonly ended: Effect.Effect<Ended>
}

/** What a process is started with, besides its task. */
export interface Options {
  readonly env?: Readonly<Record<string, string>>
  /** A shell's commands to run first, in the same process. */
  readonly prelude?: string
}

/** Starts `child.ts` with a task and its arguments. It is killed when the scope closes. */
export const start = (args: ReadonlyArray<string>, { env = {}, prelude = "" }: Options = {}) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const command = [process.execPath, "--expose-gc", "--import", file("faults.ts"), file("child.ts"), ...args]
      const child = spawn("/bin/sh", ["-c", `${prelude} exec "$@"`, "sh", ...command], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, ...env }
      })
      const lines: Array<string> = []
      let stderr = ""
      let ended: Ended | undefined
      const waiting = new Set<() => void>()
      const wake = () => {
        for (const check of waiting) check()
      }
      createInterface({ input: child.stdout }).on("line", (line) => {
        lines.push(line)
        wake()
      })
      child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
      child.on("close", (code, signal) => {
        ended = { code, signal, lines, stderr }
        wake()
      })
      const when = <A, E>(look: () => Effect.Effect<A, E> | undefined): Effect.Effect<A, E> =>
        Effect.callback((resume) => {
          const check = () => {
            const found = look()
            if (found === undefined) return
            waiting.delete(check)
            resume(found)
          }
          waiting.add(check)
          check()
          return Effect.sync(() => waiting.delete(check))
        })
      return {
        lines,
        printed: (condition) =>
          when(() => {
            if (condition(lines)) return Effect.void
            return (
              ended && Effect.fail(new Error(`It ended with ${ended.code ?? ended.signal}: ${lines.join()} ${stderr}`))
            )
          }),
        signal: (name) => Effect.sync(() => void child.kill(name)),
        ended: when(() => ended && Effect.succeed(ended))
      }
    }),
    (child) => Effect.andThen(child.signal("SIGKILL"), child.ended)
  )

/** Runs a task to its end. */
export const run = (args: ReadonlyArray<string>, options?: Options) =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ ended }) => ended))
