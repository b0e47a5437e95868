/** A Debian PostgreSQL for the benchmark, with real files and real `fsync`. */
import * as Effect from "effect/Effect"
import { execFile, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client } from "pg"
import { freePort } from "../test/stack/freePort.ts"

const home = "/usr/lib/postgresql"
const execute = promisify(execFile)

/** The path of the newest installed version; `undefined` if there is none. */
export const programs: string | undefined = (existsSync(home) ? readdirSync(home) : [])
  .map((version) => join(home, version, "bin"))
  .filter((folder) => existsSync(join(folder, "postgres")))
  .toSorted()
  .at(-1)

/** PostgreSQL does not run as root. Debian's package creates a user for it. */
const userOf = async (): Promise<{ readonly uid?: number; readonly gid?: number }> => {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await execute("id", [flag, "postgres"])).stdout)
  return { uid: await id("-u"), gid: await id("-g") }
}

/** A connected client. */
export const connectTo = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}

/** A running cluster. */
export interface Cluster {
  /** Creates an empty database and returns its URL. */
  readonly newDatabase: () => Promise<string>
  readonly end: () => Promise<void>
}

/** Starts a cluster with default settings: `fsync` and `synchronous_commit` are on. */
export const startPostgres = async (): Promise<Cluster> => {
  if (programs === undefined) throw new Error("PostgreSQL is not installed: install Debian's postgresql-15.")
  const user = await userOf()
  const folder = mkdtempSync(join(tmpdir(), "geoswap-bench-postgres-"))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const port = await Effect.runPromise(freePort)
  const flags = ["-D", data, "-U", "geoswap", "--auth=trust", "-E", "UTF8", "--no-locale"]
  await execute(join(programs, "initdb"), flags, { ...user, cwd: folder })
  const settings = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`]
  const server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...user,
    cwd: folder,
    stdio: "ignore"
  })
  const url = (name: string) => `postgres://geoswap@127.0.0.1:${port}/${name}`
  const admin = async (): Promise<Client> => {
    for (let tries = 0; ; tries++) {
      try {
        return await connectTo(url("postgres"))
      } catch (error) {
        if (tries > 300) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  const client = await admin()
  let databases = 0
  return {
    newDatabase: async () => {
      const name = `bench_${++databases}`
      await client.query(`CREATE DATABASE ${name}`)
      return url(name)
    },
    end: async () => {
      await client.end()
      const ended = new Promise((resolve) => server.once("close", resolve))
      server.kill("SIGQUIT")
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
