/** Files that contain secrets. Only the current user may read them. */
import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { shellQuote } from "../output/shellQuote.js"

/** A file cannot be used. */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  message: Schema.String,
  next: Schema.String
}) {}

/** Describes a file system error, without Node's message. */
export const describeFileError = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "ENOENT":
      return "it does not exist"
    case "EACCES":
    case "EPERM":
      return "permission denied"
    case "EISDIR":
      return "it is a folder"
    default:
      return typeof code === "string" ? code : "unknown error"
  }
}

/** Reads a secret file. Rejects a file that other users can read or write. */
export const readSecret = (path: string, what: string): Effect.Effect<Uint8Array, FileProblem> =>
  Effect.suspend(() => {
    try {
      const file = openSync(path, "r")
      try {
        const { mode } = fstatSync(file)
        if (process.platform !== "win32" && (mode & 0o077) !== 0) {
          return Effect.fail(
            new FileProblem({
              message: `${what} in ${path} is accessible to other users: its mode is ${(mode & 0o777).toString(8)}.`,
              next: `Run chmod 600 ${shellQuote(path)}, and consider who may have read the file.`
            })
          )
        }
        return Effect.succeed(new Uint8Array(readFileSync(file)))
      } finally {
        closeSync(file)
      }
    } catch (cause) {
      return Effect.fail(
        new FileProblem({
          message: `${what} cannot be read from ${path}: ${describeFileError(cause)}.`,
          next: "Use a different file, or run geoswap doctor."
        })
      )
    }
  })

/** Writes a file atomically, with permissions that allow only the current user to read it. */
export const writePrivate = (path: string, text: string | Uint8Array): Effect.Effect<void, FileProblem> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const temporary = `${path}.${process.pid}.new`
      try {
        const file = openSync(temporary, "wx", 0o600)
        try {
          fchmodSync(file, 0o600)
          writeFileSync(file, text)
        } finally {
          closeSync(file)
        }
        renameSync(temporary, path)
      } finally {
        rmSync(temporary, { force: true })
      }
    },
    catch: (cause) =>
      new FileProblem({
        message: `${path} cannot be written: ${describeFileError(cause)}.`,
        next: "Check the folder permissions."
      })
  })
