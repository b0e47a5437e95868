/** File and folder errors, with human-readable messages. */

/** A file or folder cannot be used. */
export class FileError extends Error {}

/** The path is a link, a folder or a pipe instead of a regular file. */
export class NotAFile extends FileError {
  constructor(path: string) {
    super(`${path} is not a regular file`)
  }
}

/** The Node error code, such as `ENOSPC`. */
export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined

/** The primary SQLite result code. */
export const sqliteCodeOf = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode & 0xff : undefined

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission was denied",
  EDQUOT: "the disk quota is exhausted",
  EEXIST: "a file with that name already exists",
  EFBIG: "the file is larger than the system allows",
  EIO: "the disk reported an error",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link",
  EMFILE: "this process has too many open files",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "it is not a folder",
  EPERM: "permission was denied",
  EROFS: "the file system is read-only"
}

const sqliteReasons: Readonly<Record<number, string>> = {
  8: "its lock file cannot be written",
  10: "the disk reported an error",
  13: "the disk is full",
  14: "its lock file cannot be opened: check the folder's permissions and the free disk space",
  26: "its lock file is invalid"
}

/**
 * Returns the reason for an error as a phrase that can be inserted into a sentence. Never returns the error's own
 * message, which may quote file contents.
 */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof FileError) return cause.message
  const sqlite = sqliteCodeOf(cause)
  if (sqlite !== undefined) return sqliteReasons[sqlite] ?? `its lock file cannot be used (SQLite error ${sqlite})`
  const code = codeOf(cause)
  return code === undefined ? "the system denied access" : (reasons[code] ?? `the system reported ${code}`)
}

/** Quotes a path for a shell. */
export const forShell = (path: string): string =>
  /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
