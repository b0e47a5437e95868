/** Opens SQLite files that only their owner can read. */
import { closeSync, openSync, realpathSync } from "node:fs"
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite"
import { errorCode } from "../../node/errorCode.js"

/** An in-memory database, which is lost when it is closed. */
export const memory = ":memory:"

/**
 * Creates the file if it does not exist. SQLite gives the `-wal` and `-shm` files the same mode. An existing file is
 * not opened here, because closing it would release the locks that SQLite holds on it in this process.
 */
const create = (path: string) => {
  try {
    closeSync(openSync(path, "wx", 0o600))
  } catch (cause) {
    if (errorCode(cause) !== "EEXIST") throw cause
  }
}

export const open = (path: string, options: DatabaseSyncOptions) => {
  if (path !== memory) create(path)
  return new DatabaseSync(path, options)
}

/** Resolves symbolic links, so that each file has only one lock. */
export const real = (path: string) => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
