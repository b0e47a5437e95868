/** Child processes that can be killed at any moment. They run the built package, bundled into one program. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { bundleProgram } from "../../../../tooling/runtimes/bundle.ts"
import { freshFolder } from "./fixture.js"

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Without the bundle, a process would spend most of its time on loading modules. Each worker has its own. */
const folder = file(`../../node_modules/.child-test/${process.env["VITEST_POOL_ID"] ?? 0}`)
const program = await bundleProgram(file("child.ts"), folder)

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
  /** Starts a process that waits for a signal. */
  readonly begin: Effect.Effect<void>
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** Waits until the process has ended and its output was read. */
  readonly ended: Effect.Effect<Ended>
}

/** The options of a process. */
export interface Options {
  readonly env?: Readonly<Record<string, string>>
  /** Shell commands to run first, in the same process. */
  readonly prelude?: string
}

/** Starts `child.ts` with a task and its arguments. It is killed when the scope closes. */
export const start = (args: ReadonlyArray<string>, { env = {}, prelude = "" }: Options = {}) =>
  Effect.acquireRelease(
    Effect.sync((): Child => {
      const command = [process.execPath, "--expose-gc", program, ...args]
      const child = spawn("/bin/sh", ["-c", `${prelude} exec "$@"`, "sh", ...command], {
        stdio: ["pipe", "pipe", "pipe"],
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
      // A process that has ended does not read its input.
      child.stdin.on("error", () => undefined)
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
        begin: Effect.sync(() => void child.stdin.end()),
        signal: (name) => Effect.sync(() => void child.kill(name)),
        ended: when(() => ended && Effect.succeed(ended))
      }
    }),
    (child) => Effect.andThen(child.signal("SIGKILL"), child.ended)
  )

/** Runs a task to its end. */
export const run = (args: ReadonlyArray<string>, options?: Options) =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ begin, ended }) => Effect.andThen(begin, ended)))

/**
 * Runs one write for every step of it, with a fault at that step and each time on a new folder: in a new process each if
 * the fault kills it, and several in one process otherwise. Returns the number of steps.
 */
export const everyStep = Effect.fnUntraced(function* (
  fault: "KILL" | "ENOSPC",
  [task = "", ...args]: ReadonlyArray<string>,
  prepare: (path: string) => Effect.Effect<unknown, unknown>,
  check: (path: string, line: string | undefined, ended: Ended) => Effect.Effect<void, unknown>
) {
  const atOnce = fault === "KILL" ? 1 : 12
  for (let first = 1; ; first += atOnce) {
    const last = yield* Effect.scoped(
      Effect.gen(function* () {
        const paths = yield* Effect.all(Array.from({ length: atOnce }, () => freshFolder))
        for (const path of paths) yield* prepare(path)
        const ended = yield* run([task, paths.join(":"), ...args], { env: { FAULT: fault, STEP: `${first}` } })
        for (const [index, path] of paths.entries()) {
          const line = ended.lines[index]
          yield* check(path, line, ended)
          const step = first + index
          if (line?.startsWith("done") && line.split(" ").length - 1 < step) return step - 1
        }
        return undefined
      })
    )
    if (last !== undefined) return last
  }
})
