/** A folder that only the current user can access. Its files are replaced atomically and durably. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import { codeOf, FileError, forShell, NotAFile } from "./fileError.js"

/** Windows ignores Unix modes and cannot sync folders. */
const unix = process.platform !== "win32"

/** The flag that prevents links from being followed. Windows does not have this flag. */
const noFollow = unix ? constants.O_NOFOLLOW : 0

const assertPrivate = (path: string, mode: number, wanted: 0o600 | 0o700): void => {
  const found = mode & 0o777
  if (!unix || (found & 0o077) === 0) return
  throw new FileError(
    `other users can access ${path} because its mode is ${found.toString(8)}. Run chmod ${wanted.toString(8)} ${forShell(path)}, and consider who may have read it`
  )
}

/** Syncs a folder to disk. This makes the creation, renaming and removal of the folder's files durable. */
const syncFolder = (path: string): void => {
  if (!unix) return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } catch (cause) {
    // Some file systems cannot sync folders and do not need to.
    const code = codeOf(cause)
    if (code !== "EINVAL" && code !== "ENOTSUP") throw cause
  } finally {
    closeSync(folder)
  }
}

/** Whether the folder exists. Throws if other users can access it. */
export const exists = (folder: string): boolean => {
  try {
    const found = statSync(folder)
    if (!found.isDirectory()) throw new FileError(`${folder} is not a folder`)
    assertPrivate(folder, found.mode, 0o700)
    return true
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return false
    throw cause
  }
}

/** Creates the folder and its parents if they do not exist. */
export const ensure = (folder: string): void => {
  if (exists(folder)) return
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A new folder is durable once its parent is synced.
  if (first !== undefined) {
    for (let made = folder; made.startsWith(first); made = dirname(made)) syncFolder(dirname(made))
  }
  exists(folder)
}

/** The names of all entries in the folder. */
export const names = (folder: string): ReadonlyArray<string> => (exists(folder) ? readdirSync(folder).toSorted() : [])

/** Whether the entry is a regular file, not a link or a folder. */
export const isFile = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true

/**
 * Reads a file, or returns `undefined` if it does not exist. Throws for links, and for files that other users can
 * access.
 */
export const read = (folder: string, name: string): string | undefined => {
  if (!exists(folder)) return undefined
  const path = join(folder, name)
  try {
    // Without O_NONBLOCK, opening a named pipe would wait forever for a writer.
    const file = openSync(path, constants.O_RDONLY | noFollow | (unix ? constants.O_NONBLOCK : 0))
    try {
      const found = fstatSync(file)
      if (!found.isFile() || (!unix && lstatSync(path).isSymbolicLink())) {
        throw new NotAFile(path)
      }
      assertPrivate(path, found.mode, 0o600)
      return readFileSync(file, "utf8")
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    const code = codeOf(cause)
    if (code === "ENOENT") return undefined
    if (code === "ELOOP" || code === "ENXIO") throw new NotAFile(path)
    throw cause
  }
}

/** The suffix of a file that has not been completely written yet. */
const incomplete = ".new"

/** Removes an incomplete file. If the removal fails, the next writer removes the file. */
const discard = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

/**
 * Creates or replaces a file. Call this function while holding the folder's lock, because two writers would use the
 * same temporary name.
 */
export const write = (folder: string, name: string, text: string): void => {
  const path = join(folder, name)
  const unfinished = path + incomplete
  // A killed process may have left the temporary file behind. A link is removed, not followed.
  rmSync(unfinished, { force: true })
  try {
    const file = openSync(unfinished, "wx", 0o600)
    try {
      const bytes = new TextEncoder().encode(text)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(unfinished, path)
  } catch (cause) {
    discard(unfinished)
    throw cause
  }
  syncFolder(folder)
}

/** Removes files if they exist. */
export const remove = (folder: string, ...names: ReadonlyArray<string>): void => {
  for (const name of names) rmSync(join(folder, name), { force: true })
  syncFolder(folder)
}

/** Removes incomplete files left by killed processes. Call this function while holding the folder's lock. */
export const sweep = (folder: string): void => {
  for (const name of names(folder)) if (name.endsWith(incomplete)) rmSync(join(folder, name), { force: true })
}
