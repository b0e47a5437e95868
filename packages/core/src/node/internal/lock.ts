/** Locks between processes that end with the process that holds them, however it ends. */
import { chmodSync, lstatSync } from "node:fs"
import type * as Sqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import { FileError, NotAFile, sqliteCodeOf } from "./fileError.js"

/** A lock that is held. */
export interface Lock {
  readonly release: () => void
}

/** SQLite's code for a database that another connection has locked. */
const busy = 5

/**
 * The locks of this process. A connection that nothing refers to is closed by the garbage collector, which would drop its
 * lock, and a fiber that only waits is referred to by nothing.
 */
const held = new Set<Sqlite.DatabaseSync>()

/** Node's SQLite, without the warning of those versions of Node that call it experimental. */
const sqlite = (): typeof Sqlite => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    const found: typeof Sqlite | undefined = process.getBuiltinModule("node:sqlite")
    if (found !== undefined) return found
  } finally {
    process.emitWarning = emitWarning
  }
  throw new FileError("this runtime has no node:sqlite, which its locks need: use Node 22.19 or later")
}

const statOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/**
 * Takes the lock at a path without waiting; `undefined` if another process or another part of this one has it. It is an
 * exclusive transaction on an empty database: the system takes it away from a process that dies. A file that names its
 * process does not have this property, since process ids are reused and differ between containers.
 *
 * The file is never opened except by SQLite. POSIX drops all locks of a process on a file when it closes any handle of it.
 */
export const tryLock = (path: string): Lock | undefined => {
  const before = statOf(path)
  if (before !== undefined && !before.isFile()) throw new NotAFile(path)
  const { DatabaseSync } = sqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // SQLite made the file with the mode of any file. Nothing is ever written to it.
    if (((statOf(path)?.mode ?? 0) & 0o777) !== 0o600) chmodSync(path, 0o600)
    database.exec("PRAGMA journal_mode = MEMORY")
    database.exec("BEGIN EXCLUSIVE")
    held.add(database)
    return {
      release: () => {
        if (held.delete(database)) database.close()
      }
    }
  } catch (cause) {
    database.close()
    if (sqliteCodeOf(cause) === busy) return undefined
    throw cause
  }
}

/** A pause in real time: another process does not follow the clock of this one's tests. */
const pause: Effect.Effect<void> = Effect.callback((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 1 + Math.random() * 15)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Runs `body` while no other process runs one under the same lock. The body is synchronous, so that nothing else of this
 * process runs in between either, and an interrupt comes before it or after it.
 */
export const withLock = <A, E>(
  path: string,
  timeoutMillis: number,
  body: () => A,
  onError: (cause: unknown) => E
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const until = performance.now() + timeoutMillis
    const attempt: Effect.Effect<A, E> = Effect.suspend(() => {
      try {
        const lock = tryLock(path)
        if (lock !== undefined) {
          try {
            return Effect.succeed(body())
          } finally {
            lock.release()
          }
        }
      } catch (cause) {
        return Effect.fail(onError(cause))
      }
      return performance.now() < until
        ? Effect.andThen(pause, attempt)
        : Effect.fail(
            onError(new FileError(`another process has held the lock ${path} for ${timeoutMillis / 1000} seconds`))
          )
    })
    return attempt
  })
