/** Interprocess locks. The operating system releases a lock when its process ends for any reason. */
import { chmodSync, lstatSync } from "node:fs"
import type * as Sqlite from "node:sqlite"
import * as Effect from "effect/Effect"
import { FileError, NotAFile, sqliteCodeOf } from "./fileError.js"

/** A lock that this process holds. */
export interface Lock {
  readonly release: () => void
}

/** SQLite's code for a database that another connection has locked. */
const busy = 5

/**
 * The locks that this process holds. These references are necessary because nothing else refers to a fiber that is only
 * waiting. Without them, the garbage collector could close such a fiber's connection, which would release the lock.
 */
const held = new Set<Sqlite.DatabaseSync>()

/** Loads `node:sqlite` without the warning that Node prints in versions where it is experimental. */
const sqlite = (): typeof Sqlite => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    const found: typeof Sqlite | undefined = process.getBuiltinModule("node:sqlite")
    if (found !== undefined) return found
  } finally {
    process.emitWarning = emitWarning
  }
  throw new FileError("locks require node:sqlite, which this runtime does not provide: use Node 22.19 or later")
}

const statOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })

/**
 * Takes the lock at a path without waiting. Returns `undefined` if the lock is already held, even by this process. The
 * lock is an exclusive transaction on an empty database. The transaction ends when the process dies. A lock file that
 * contains a process id would not work, because process ids are reused and differ between containers.
 *
 * Only SQLite may open the file. On POSIX, closing any handle to a file drops all locks that the process holds on that
 * file.
 */
export const tryLock = (path: string): Lock | undefined => {
  const before = statOf(path)
  if (before !== undefined && !before.isFile()) throw new NotAFile(path)
  const { DatabaseSync } = sqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // SQLite creates the file with the default mode, so the mode is changed here. Nothing is ever written to the file.
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

/** Waits for a short random time. Uses real time, because other processes do not follow the test clock. */
const pause: Effect.Effect<void> = Effect.callback((resume) => {
  const timer = setTimeout(() => resume(Effect.void), 1 + Math.random() * 15)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Runs `body` while holding the lock. The body is synchronous, so nothing else in this process runs until the body has
 * finished, and an interrupt takes effect only before or after the body.
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
