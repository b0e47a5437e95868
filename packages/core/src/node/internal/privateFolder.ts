/** A folder for this user alone, whose files are replaced whole or not at all and are on the disk afterwards. */
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

/** Unix modes mean nothing on Windows, and folders cannot be synced there. */
const unix = process.platform !== "win32"

/** Windows has no such flag. */
const noFollow = unix ? constants.O_NOFOLLOW : 0

const assertPrivate = (path: string, mode: number, wanted: 0o600 | 0o700): void => {
  const found = mode & 0o777
  if (!unix || (found & 0o077) === 0) return
  throw new FileError(
    `${path} is open to other users: its mode is ${found.toString(8)}. Run chmod ${wanted.toString(8)} ${forShell(path)}, and consider who may have read it`
  )
}

/** Puts the entries of a folder on the disk: files that were renamed, made or removed in it. */
const syncFolder = (path: string): void => {
  if (!unix) return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } catch (cause) {
    // Some file systems sync no folders, and need not.
    const code = codeOf(cause)
    if (code !== "EINVAL" && code !== "ENOTSUP") throw cause
  } finally {
    closeSync(folder)
  }
}

/** Whether the folder exists; refuses one that is open to others. */
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

/** Makes the folder if there is none, with those above it. */
export const ensure = (folder: string): void => {
  if (exists(folder)) return
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A new folder is on the disk once the one above it is.
  if (first !== undefined) {
    for (let made = folder; made.startsWith(first); made = dirname(made)) syncFolder(dirname(made))
  }
  exists(folder)
}

/** The names of the files in the folder, also of what is no file. */
export const names = (folder: string): ReadonlyArray<string> => (exists(folder) ? readdirSync(folder).toSorted() : [])

/** Whether there is a file of that name, and not a link or a folder. */
export const isFile = (folder: string, name: string): boolean =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true

/** The text of a file; `undefined` if there is none. Refuses links, and files that are open to others. */
export const read = (folder: string, name: string): string | undefined => {
  if (!exists(folder)) return undefined
  const path = join(folder, name)
  try {
    // Without O_NONBLOCK, a named pipe would wait for its writer for ever.
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

/** What a file is called until it is whole. */
const fresh = ".new"

/** The next writer removes it if this one cannot. */
const discard = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

/** Replaces a file, or makes it. Call it under the lock of the folder: two writers at once would share a name. */
export const write = (folder: string, name: string, text: string): void => {
  const path = join(folder, name)
  const unfinished = path + fresh
  // What a killed process left; also a link, which is removed and not followed.
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

/** Removes files, if they are there. */
export const remove = (folder: string, ...names: ReadonlyArray<string>): void => {
  for (const name of names) rmSync(join(folder, name), { force: true })
  syncFolder(folder)
}

/** Removes what killed processes left half written. Call it under the lock of the folder. */
export const sweep = (folder: string): void => {
  for (const name of names(folder)) if (name.endsWith(fresh)) rmSync(join(folder, name), { force: true })
}
