/** A Debian PostgreSQL for tests, with real files and real `fsync`, that stops with the scope. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { execFile, spawn, type ChildProcess } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client } from "pg"
import { afterAll, beforeAll } from "vitest"
import { freePort } from "../freePort.js"

const home = "/usr/lib/postgresql"

/** The path of the newest installed version; `undefined` if there is none. */
export const programs: string | undefined = (existsSync(home) ? readdirSync(home) : [])
  .map((version) => join(home, version, "bin"))
  .filter((folder) => existsSync(join(folder, "postgres")))
  .toSorted()
  .at(-1)

/** PostgreSQL does not run as root. Debian's package creates a user for it. */
const userOf = async (): Promise<{ readonly uid?: number; readonly gid?: number }> => {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await promisify(execFile)("id", [flag, "postgres"])).stdout)
  return { uid: await id("-u"), gid: await id("-g") }
}

/** A user who needs a password. */
export const guarded = { user: "guarded", password: "sesame-7f3a" } as const

/** Trusts all users except one, who has a password. */
const access = `host all ${guarded.user} 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`

const elapse = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** A cluster that many tests share, each with its own database. */
export interface Cluster {
  readonly port: number
  /** Creates an empty database and returns its URL. */
  readonly newDatabase: () => Promise<string>
  /** Creates an empty schema and returns its URL. This is faster, and enough for tests without LISTEN. */
  readonly newSchema: () => Promise<string>
  /** Runs one statement in a database. */
  readonly query: (url: string, sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>
}

/** A cluster that a test can stop. */
export interface StoppableCluster extends Cluster {
  /** Stops it: `fast` like a restart, `immediate` like a crash. */
  readonly stop: (mode: "fast" | "immediate") => Promise<void>
  readonly start: () => Promise<void>
  /** The process id of the postmaster. */
  readonly pid: () => number
}

/** Waits until this process has exited, even if it was killed. Then stops the cluster and removes its folder. */
const guard = `read -r _
pid=$(head -n 1 "$0/data/postmaster.pid") && kill -s QUIT "$pid" && while kill -s 0 "$pid"; do sleep 0.1; done
rm -rf "$0"`

const make = async (): Promise<StoppableCluster & { readonly remove: () => Promise<void> }> => {
  if (programs === undefined) throw new Error("PostgreSQL is not installed: install Debian's postgresql-15.")
  const bin = programs
  const user = await userOf()
  const folder = mkdtempSync(join(tmpdir(), "geoswap-postgres-"))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const guarding = spawn("/bin/sh", ["-c", guard, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true })
  guarding.unref()
  const port = await Effect.runPromise(freePort)
  await promisify(execFile)(
    join(bin, "initdb"),
    ["-D", data, "-U", "geoswap", "--auth=trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { ...user, cwd: folder }
  )
  writeFileSync(join(data, "pg_hba.conf"), access)
  const url = (name: string) => `postgres://geoswap@127.0.0.1:${port}/${name}`
  let server: ChildProcess | undefined
  let databases = 0
  let schemas = 0

  const query = async (address: string, sql: string) => {
    const client = new Client({ connectionString: address })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const answers = async () => {
    const end = Date.now() + 60_000
    for (;;) {
      try {
        return void (await query(url("postgres"), "SELECT 1"))
      } catch (error) {
        if (Date.now() > end) throw error
        await elapse(50)
      }
    }
  }
  const start = async () => {
    const settings = [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      "max_connections=200",
      // The tests stop the server, not the machine: what was committed is then in the system's cache.
      "fsync=off",
      "full_page_writes=off"
    ]
    server = spawn(join(bin, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...user,
      cwd: folder,
      stdio: "ignore"
    })
    await answers()
  }
  const stop = async (mode: "fast" | "immediate") => {
    const ending = server
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once("close", resolve))
    ending.kill(mode === "fast" ? "SIGINT" : "SIGQUIT")
    await ended
  }
  await start()
  await query(url("postgres"), `CREATE USER ${guarded.user} PASSWORD '${guarded.password}'`)
  return {
    port,
    query,
    start,
    stop,
    pid: () => server?.pid ?? 0,
    newDatabase: async () => {
      const name = `test_${++databases}`
      await query(url("postgres"), `CREATE DATABASE ${name}`)
      return url(name)
    },
    newSchema: async () => {
      const name = `test_${++schemas}`
      await query(url("postgres"), `CREATE SCHEMA ${name}`)
      return `${url("postgres")}?options=${encodeURIComponent(`-c search_path=${name}`)}`
    },
    remove: async () => {
      guarding.kill("SIGKILL")
      await stop("immediate")
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

let sharedCluster: Promise<Cluster> | undefined

/** The cluster of all test files in this process, which stops with the process. */
const ofProcess = (): Promise<Cluster> => (sharedCluster ??= make())

/** The shared cluster, as an effect. */
export const cluster = Effect.promise(ofProcess)

/** Starts something before all tests of a suite. */
const started = <A>(start: () => Promise<A>, stop: (running: A) => Promise<void>): (() => A) => {
  let running: { readonly value: A } | undefined
  beforeAll(async () => void (running = { value: await start() }), 240_000)
  afterAll(() => (running === undefined ? undefined : stop(running.value)), 60_000)
  return () => {
    if (running === undefined) throw new Error("The cluster runs only while tests do.")
    return running.value
  }
}

/** The shared cluster, for the tests of a suite. */
export const shared = (): (() => Cluster) => started(ofProcess, () => Promise.resolve())

/** A cluster that the tests of a suite may stop. */
export const stoppable = (): (() => StoppableCluster) => started(make, ({ remove }) => remove())

/** A cluster that a test may stop, and that stops with the scope. */
export const stoppableCluster = Effect.acquireRelease(Effect.promise(make), ({ remove }) => Effect.promise(remove))

/** In the form that the server accepts. */
export const databaseAt = (url: string) => ({ kind: "postgres", url: Redacted.make(url) }) as const
