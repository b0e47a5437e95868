/** Files of SQLite, readable by nobody but their owner. */
import { closeSync, openSync, realpathSync } from "node:fs"
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite"

/** A database that is not a file, and gone when it is closed. */
export const memory = ":memory:"

/**
 * Makes the file where there is none. SQLite gives its own mode to `-wal` and `-shm`. A file that exists is not opened
 * here: closing it again would take away the locks that SQLite has on it in this process.
 */
const create = (path: string): void => {
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
  }
}

export const open = (path: string, options: DatabaseSyncOptions): DatabaseSync => {
  if (path !== memory) create(path)
  return new DatabaseSync(path, options)
}

/** The path behind links, so that one file has one lock. */
export const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** SQLite's code of an error, without what it says in its upper bits. */
export const codeOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode & 0xff : undefined
