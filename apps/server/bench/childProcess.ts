/** Child processes that answer requests: the server, the baseline, the load and the chains run in separate processes. */
import { fork } from "node:child_process"
import { Console } from "node:console"
import { fileURLToPath } from "node:url"

/** The requests that a process answers. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>

interface Question {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** The resources that a process has used and holds. */
export interface Usage {
  /** Seconds of all threads. */
  readonly cpu: number
  /** Bytes after a garbage collection. */
  readonly resident: number
  readonly heap: number
}

const usage = async (): Promise<Usage> => {
  const { system, user } = process.cpuUsage()
  const collect = globalThis.gc
  if (collect !== undefined) {
    for (let round = 0; round < 3; round++) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const { heapUsed, rss } = process.memoryUsage()
  return { cpu: (system + user) / 1e6, resident: rss, heap: heapUsed }
}

/** Only the processor time: a garbage collection would distort the measurement. */
const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

/** Answers requests in this process until its parent disconnects. Logs go to stderr, because stdout is for the report. */
export const answer = (answers: Answers): void => {
  globalThis.console = new Console(process.stderr)
  const all: Answers = { ...answers, usage, cpu }
  // A parent that disconnected gets no answer: this process exits on `disconnect`, without an error.
  const reply = (message: Answer) => void process.send?.(message, undefined, undefined, () => undefined)
  process.on("disconnect", () => process.exit())
  process.on("message", (message: Question) => {
    const { id, input, name } = message
    const run = async () => all[name]?.(input as never)
    run().then(
      (value) => reply({ id, value }),
      (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    )
  })
}

/** A started process. */
export interface Process {
  readonly ask: <A>(name: string, input?: unknown) => Promise<A>
  readonly end: () => Promise<void>
}

/** Starts a program of this folder. */
export const start = (
  program: string,
  environment: Readonly<Record<string, string>> = {},
  flags: ReadonlyArray<string> = []
): Process => {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [], {
    execArgv: ["--expose-gc", "--disable-warning=ExperimentalWarning", ...flags],
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const waiting = new Map<
    number,
    { readonly name: string; readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >()
  let asked = 0
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      isOver = true
      for (const { name, reject } of waiting.values()) {
        reject(new Error(`${program} ended with ${signal ?? `code ${code}`} before it answered "${name}".`))
      }
      resolve()
    })
  })
  child.on("message", (message) => {
    const { error, id, value } = message as Answer
    const asker = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asker?.resolve(value)
    else asker?.reject(new Error(`${program} failed to answer "${asker.name}": ${error}`))
  })
  return {
    ask: <A>(name: string, input?: unknown) =>
      new Promise<A>((resolve, reject) => {
        if (isOver || !child.connected) return reject(new Error(`${program} has ended: it cannot answer "${name}".`))
        const id = ++asked
        waiting.set(id, { name, resolve: (value) => resolve(value as A), reject })
        child.send({ id, name, input } satisfies Question, (error) => {
          if (error === null) return
          waiting.delete(id)
          reject(new Error(`${program} cannot be asked "${name}": ${error.message}`))
        })
      }),
    end: async () => {
      // A regular exit writes the profile. It does not wait for requests that the server holds.
      if (child.connected) child.disconnect()
      const late = setTimeout(() => child.kill("SIGKILL"), 5_000)
      await ended
      clearTimeout(late)
    }
  }
}
