/** A lock between processes that ends with the process that holds it, however that ends. */
import { chmodSync, existsSync } from "node:fs"

/** A lock that is held. */
export interface Lock {
  readonly release: () => void
}

/** SQLite's word for a database that another process has. */
const busy = 5

/** Node's own SQLite, which some versions of Node announce as experimental to everybody who uses it. */
const sqlite = () => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule("node:sqlite")
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Takes the lock at a path, within some milliseconds; `undefined` where another process has it. It is an exclusive
 * transaction on an empty database: the system takes such a lock away from a process that is killed, as it does with no
 * file that merely names a process.
 */
export const hold = (path: string, patience: number): Lock | undefined => {
  const { DatabaseSync } = sqlite()
  const isNew = !existsSync(path)
  const database = new DatabaseSync(path, { timeout: patience })
  try {
    if (isNew) chmodSync(path, 0o600)
    // There is never anything to roll back.
    database.exec("PRAGMA journal_mode = MEMORY")
    database.exec("BEGIN EXCLUSIVE")
    return { release: () => database.close() }
  } catch (cause) {
    database.close()
    if (cause instanceof Error && "errcode" in cause && cause.errcode === busy) return undefined
    throw cause
  }
}
