/** Files that contain secrets. Only the current user may read them. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { explained } from "../output/Exit.js"
import { shellQuote } from "../output/shellQuote.js"

/** A file cannot be used. */
class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", explained) {}

/** Creates a `FileProblem`. */
export const fileProblem = (message: string, next: string) => new FileProblem({ message, next })

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder"
}

/** Returns the code of an error of Node, if it has one. */
export const errorCode = (cause: unknown) =>
  cause instanceof Error && "code" in cause ? String(cause.code) : undefined

/** Describes a file system error, without Node's message. */
export const describeFileError = (cause: unknown): string => {
  const code = errorCode(cause) ?? "unknown error"
  return reasons[code] ?? code
}

/** Reads a file, or returns `undefined` if it does not exist. Throws any other error. */
export const readIfExists = (path: string) => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined
    throw cause
  }
}

/** Reads a file that is not secret. */
export const readText = (path: string, what: string, next: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) => fileProblem(`${what} cannot be read: ${describeFileError(cause)}.`, next)
  })

/**
 * Whether other users can access a file. systemd lets a service read its credentials through an access control list,
 * which appears as read access for the group.
 */
const isExposed = (path: string, mode: number) => {
  const { CREDENTIALS_DIRECTORY: credentials } = process.env
  const isCredential = credentials !== undefined && dirname(resolve(path)) === resolve(credentials)
  return process.platform !== "win32" && (mode & (isCredential ? 0o037 : 0o077)) !== 0
}

/** Reads a secret file. Rejects a file that other users can read or write. */
export const readSecret = (path: string, what: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => {
        const file = openSync(path, "r")
        try {
          return { mode: fstatSync(file).mode, text: readFileSync(file, "utf8") }
        } finally {
          closeSync(file)
        }
      },
      catch: (cause) =>
        fileProblem(
          `${what} cannot be read from ${path}: ${describeFileError(cause)}.`,
          "Use a different file, or run geoswap doctor."
        )
    }),
    ({ mode, text }) =>
      isExposed(path, mode)
        ? Effect.fail(
            fileProblem(
              `${what} in ${path} is accessible to other users: its mode is ${(mode & 0o777).toString(8)}.`,
              `Run chmod 600 ${shellQuote(path)}, and consider who may have read the file.`
            )
          )
        : Effect.succeed(text)
  )

/** A file to write. */
export interface PrivateFile {
  readonly path: string
  readonly text: string | Uint8Array
}

/** Writes a file that only the current user can read, under a temporary name. */
const stage = ({ path, text }: PrivateFile, temporary: string) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(temporary, "wx", 0o600)
  try {
    fchmodSync(file, 0o600)
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/**
 * Replaces files with permissions that allow only the current user to read them: all of them or, if one of them cannot
 * be written, none.
 */
export const writeAllPrivate = (files: ReadonlyArray<PrivateFile>) =>
  Effect.suspend(() => {
    const all = files.map((file) => ({ ...file, temporary: `${file.path}.${process.pid}.new` }))
    const replaced: Array<{ readonly path: string; readonly before: Uint8Array | undefined }> = []
    let current = ""
    try {
      for (const file of all) {
        current = file.path
        stage(file, file.temporary)
      }
      for (const { path, temporary } of all) {
        current = path
        const before = existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
        renameSync(temporary, path)
        replaced.push({ path, before })
      }
      return Effect.void
    } catch (cause) {
      for (const { before, path } of replaced.toReversed()) {
        if (before === undefined) rmSync(path, { force: true })
        else writeFileSync(path, before, { mode: 0o600 })
      }
      return Effect.fail(
        fileProblem(
          `${current} cannot be written: ${describeFileError(cause)}. Nothing was changed.`,
          "Check the folder permissions."
        )
      )
    } finally {
      for (const { temporary } of all) rmSync(temporary, { force: true })
    }
  })

/** Writes a file atomically, with permissions that allow only the current user to read it. */
export const writePrivate = (path: string, text: string | Uint8Array) => writeAllPrivate([{ path, text }])
