/** Runs `geoswap-server`: the built program as a separate process, or one command in this process. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { main } from "../../src/main.js"

/** The built program. */
export const built = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))

/** The working directory and the environment. Only `PATH` is inherited. */
export interface Workspace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Its `cli.js` (default: the one of this package). */
  readonly cli?: string
}

export interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null
  readonly stdout: string
  readonly stderr: string
}

export interface Program {
  readonly process: ChildProcessByStdio<null, Readable, Readable>
  readonly stdout: () => string
  readonly stderr: () => string
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly ended: Effect.Effect<Ended>
}

const spawned = (
  { cli = built, environment, folder }: Workspace,
  args: ReadonlyArray<string>,
  preload: ReadonlyArray<string>
): Program => {
  const child = spawn(process.execPath, [...preload, cli, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [stdout, stderr] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()))
  const closed = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ code: code ?? signal, stdout, stderr }))
  })
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => Effect.sync(() => void child.kill(signal)),
    ended: Effect.promise(() => closed)
  }
}

/** Starts the program; it is killed when the scope closes. */
export const start = (
  workspace: Workspace,
  args: ReadonlyArray<string>,
  preload: ReadonlyArray<string> = []
): Effect.Effect<Program, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawned(workspace, args, preload)),
    (program) => Effect.andThen(program.kill("SIGKILL"), program.ended)
  )

/** Collects what is written to a stream until the end. */
const capture = (stream: NodeJS.WriteStream) => {
  const write = stream.write.bind(stream)
  let text = ""
  stream.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
    const written = rest.find((one) => typeof one === "function")
    if (written !== undefined) process.nextTick(written)
    return true
  }
  return { text: () => text, end: () => void (stream.write = write) }
}

/** The listeners that a command adds for the rest of its process. */
const watchListeners = () => {
  const events = ["SIGINT", "SIGTERM", "warning"]
  const before = new Set(events.flatMap((event) => process.rawListeners(event)))
  const added = (event: string) => process.rawListeners(event).filter((listener) => !before.has(listener))
  const remove = () => {
    for (const event of events) for (const listener of added(event)) process.off(event, listener as () => void)
  }
  return { added, remove }
}

/** Makes this process look like that of a command: its folder, its environment and its arguments. */
const impersonate = ({ environment, folder }: Workspace, args: ReadonlyArray<string>) => {
  const { argv, env } = process
  const home = process.cwd()
  process.chdir(folder)
  process.env = { PATH: env["PATH"], ...environment }
  process.argv = [process.execPath, built, ...args]
  return () => {
    Object.assign(process, { argv, env })
    process.chdir(home)
  }
}

const runHere = async (workspace: Workspace, args: ReadonlyArray<string>): Promise<Ended> => {
  const { remove } = watchListeners()
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  const restore = impersonate(workspace, args)
  try {
    const code = await main(args)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    restore()
    stdout.end()
    stderr.end()
    remove()
  }
}

// The folder, the environment and the output belong to the whole process.
const oneCommand = Semaphore.makeUnsafe(1)

/** Runs a command in this process, in its folder and with its environment. This is much faster than a process. */
export const run = (workspace: Workspace, ...args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  oneCommand.withPermit(Effect.promise(() => runHere(workspace, args)))

const startHere = async (workspace: Workspace, args: ReadonlyArray<string>): Promise<Omit<Server, "process">> => {
  const { added, remove } = watchListeners()
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  const restore = impersonate(workspace, args)
  let killed = false
  const ended = main(args).then((code): Ended => {
    stdout.end()
    stderr.end()
    remove()
    Effect.runSync(oneCommand.release(1))
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  })
  await Promise.race([ended, Effect.runPromise(until(() => stdout.text().includes("\n"), "a listening server"))])
  restore()
  return {
    url: listeningOn(stdout.text(), stderr.text()),
    stdout: stdout.text,
    stderr: stderr.text,
    kill: (signal) =>
      Effect.sync(() => {
        // A second signal would end this process.
        if (!killed) for (const listener of added(signal)) Reflect.apply(listener, process, [signal])
        killed = true
      }),
    ended: Effect.promise(() => ended)
  }
}

/** A server in this process, until it gets a signal or the scope closes. No other command can run here meanwhile. */
export const serveHere = (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.Effect<Omit<Server, "process">, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.andThen(
      oneCommand.take(1),
      Effect.promise(() => startHere(workspace, ["serve", ...args]))
    ),
    ({ ended, kill }) => Effect.andThen(kill("SIGTERM"), ended)
  )

/** Polls until a condition holds. */
export const until = (question: () => boolean, what: string, millis = 180_000): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!question()) yield* Effect.sleep(20)
  }).pipe(Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.die(new Error(`Not in time: ${what}`)) }))

/** A listening server. */
export interface Server extends Program {
  readonly url: string
}

const listeningOn = (stdout: string, stderr: string): string => {
  const [, url] = /(?:is listening|listens) on (http:\/\/\S+) /.exec(stdout) ?? []
  if (url === undefined) throw new Error(`It does not listen. ${stdout}${stderr}`)
  return url
}

/** Starts a server, and waits until it prints its address. */
export const serve = Effect.fnUntraced(function* (
  workspace: Workspace,
  ...args: ReadonlyArray<string>
): Effect.fn.Return<Server, never, Scope.Scope> {
  const program = yield* start(workspace, ["serve", ...args])
  yield* until(() => program.stdout().includes("\n") || program.process.exitCode !== null, "a listening server")
  return { ...program, url: listeningOn(program.stdout(), program.stderr()) }
})

/** Stops a server as a deployment does. */
export const stop = ({ ended, kill }: Pick<Program, "ended" | "kill">): Effect.Effect<Ended> =>
  Effect.andThen(kill("SIGTERM"), ended)

/** Parses the entries of a log. */
export const logOf = (stderr: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stderr
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
