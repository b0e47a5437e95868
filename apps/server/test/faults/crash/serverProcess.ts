/** Servers in separate processes, one after the other on the same database and port. */
import { spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { build } from "tsup"

/** How a process exited. */
interface Death {
  readonly signal: string | null
  readonly code: number | null
  /** The last checkpoint that it reached. */
  readonly step: string | undefined
}

/** A process that has loaded its code and waits for a command, or serves. */
export interface Server {
  /** The lines that it has printed. */
  readonly lines: ReadonlyArray<string>
  /** The last lines of its log. */
  readonly log: () => string
  readonly tell: (line: string) => void
  /** Waits until it has printed a line that often, counting from one of its lines; fails if it exits before. */
  readonly said: (line: RegExp, times?: number, since?: number) => Promise<void>
  readonly signal: (signal: "SIGKILL" | "SIGTERM") => void
  readonly death: Promise<Death>
}

/** A process that prints nothing for that long has failed: far more than it needs on a busy machine. */
const maxWaitMillis = 120_000

/** Starts a Node program. */
export const run = (parameters: ReadonlyArray<string>, environment: Readonly<Record<string, string>>): Server => {
  const child = spawn(process.execPath, parameters, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...environment }
  })
  const lines: Array<string> = []
  let log = ""
  let waiting: ReadonlyArray<() => void> = []
  let dead = false
  const wake = () => {
    for (const check of waiting) check()
  }
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line)
    wake()
  })
  child.stderr.on("data", (chunk: Buffer) => void (log = `${log}${chunk.toString()}`.slice(-10_000)))
  // Commands to a dead process are lost.
  child.stdin.on("error", () => undefined)
  const death = new Promise<Death>((resolve) => {
    child.on("close", (code, signal) => {
      dead = true
      resolve({ code, signal, step: lines.findLast((line) => line.startsWith("step "))?.slice("step ".length) })
      wake()
    })
  })
  return {
    lines,
    log: () => log,
    tell: (line) => void child.stdin.write(`${line}\n`),
    said: (line, times = 1, since = 0) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`${why} before it said ${String(line)}.\n${log}`))
        const timer = setTimeout(() => fail(`${maxWaitMillis} ms went by`), maxWaitMillis)
        const check = () => {
          const isSaid = lines.slice(since).filter((each) => line.test(each)).length >= times
          if (!isSaid && !dead) return
          clearTimeout(timer)
          waiting = waiting.filter((other) => other !== check)
          if (isSaid) resolve()
          else fail("It ended")
        }
        waiting = [...waiting, check]
        check()
      }),
    signal: (signal) => void child.kill(signal),
    death
  }
}

/** The arguments and the environment of a process. */
export interface Options {
  readonly config: string
  readonly database: string
  readonly environment: Readonly<Record<string, string>>
}

/** A host that runs at most one server. */
export interface Host {
  /** The last server that was started. */
  readonly server: () => Server
  /** Starts a server, and returns when it listens. */
  readonly start: () => Promise<void>
  /** Starts a server, and returns as soon as it has started loading. It dies at a checkpoint, if one is given. */
  readonly begin: (step?: string) => Promise<void>
  /** Makes it die at a checkpoint. */
  readonly arm: (step: string, occurrence: number) => Promise<void>
  /** Kills it. */
  readonly kill: () => Promise<Death>
  readonly close: () => Promise<void>
}

/**
 * Bundles `server.ts` as `tsup.program.config.ts` bundles the program, so that a process needs a fraction of a second
 * to load its code.
 */
const bundleServer = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-crash-server-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  copyFileSync(fileURLToPath(new URL("../../../package.json", import.meta.url)), join(folder, "package.json"))
  await build({
    config: false,
    entry: { server: fileURLToPath(new URL("./server.ts", import.meta.url)) },
    outDir: join(folder, "dist"),
    format: "esm",
    target: "node22",
    platform: "node",
    noExternal: [/.*/],
    external: ["pg-native"],
    removeNodeProtocol: false,
    // The PostgreSQL client calls `require`.
    banner: { js: 'globalThis.require = process.getBuiltinModule("node:module").createRequire(import.meta.url)' },
    dts: false,
    silent: true
  })
  return join(folder, "dist", "server.js")
}

let bundled: Promise<string> | undefined

/** A host for servers. After the first kill, the next server loads its code while the last one serves. */
export const makeHost = async ({ config, database, environment }: Options): Promise<Host> => {
  bundled ??= bundleServer()
  const program = await bundled
  // All processes after the first one load faster, also those of other hosts.
  const load = () =>
    run([program, config, database], { NODE_COMPILE_CACHE: join(dirname(program), "code"), ...environment })
  let current = load()
  let next: Server | undefined
  let isFirst = true
  const begin = (step?: string) => {
    if (!isFirst) {
      current = next ?? load()
      next = load()
    }
    isFirst = false
    if (step !== undefined) current.tell(`die 1 ${step}`)
    current.tell("start")
    return current.said(/^starts$/)
  }
  const kill = (server: Server) => {
    server.signal("SIGKILL")
    return server.death
  }
  return {
    server: () => current,
    start: async () => {
      await begin()
      await current.said(/^listens on /)
    },
    begin,
    arm: (step, occurrence) => {
      const since = current.lines.length
      current.tell(`die ${occurrence} ${step}`)
      return current.said(/^armed$/, 1, since)
    },
    kill: () => kill(current),
    close: async () => {
      await Promise.all([kill(current), next && kill(next)])
    }
  }
}
