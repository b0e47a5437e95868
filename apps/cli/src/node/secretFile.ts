/** Files that hold secrets: read only where nobody else can, written so that nobody else can. */
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
import { forShell } from "../output/shellQuote.js"

/** A file that cannot be used as it is. */
export class FileProblem extends Schema.TaggedError<FileProblem>()("FileProblem", {
  message: Schema.String,
  next: Schema.String
}) {}

/** Why the system refused, without the words that Node adds. */
export const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "ENOENT":
      return "it is not there"
    case "EACCES":
    case "EPERM":
      return "this user may not"
    case "EISDIR":
      return "it is a folder"
    default:
      return typeof code === "string" ? code : "the system refused"
  }
}

/** Reads a file of secrets; refuses one that others of this machine can read or change. */
export const readSecret = (path: string, what: string): Effect.Effect<Uint8Array, FileProblem> =>
  Effect.suspend(() => {
    try {
      const file = openSync(path, "r")
      try {
        const { mode } = fstatSync(file)
        if (process.platform !== "win32" && (mode & 0o077) !== 0) {
          return Effect.fail(
            new FileProblem({
              message: `${what} in ${path} can be read by others: its mode is ${(mode & 0o777).toString(8)}.`,
              next: `Run chmod 600 ${forShell(path)}, and think of who may have read it.`
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
          message: `${what} cannot be read from ${path}: ${reasonOf(cause)}.`,
          next: "Name another file, or see geoswap doctor."
        })
      )
    }
  })

/** Writes a file whole or not at all, for this user alone. */
export const writePrivate = (path: string, text: string | Uint8Array): Effect.Effect<void, FileProblem> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      const fresh = `${path}.${process.pid}.new`
      try {
        const file = openSync(fresh, "wx", 0o600)
        try {
          fchmodSync(file, 0o600)
          writeFileSync(file, text)
        } finally {
          closeSync(file)
        }
        renameSync(fresh, path)
      } finally {
        rmSync(fresh, { force: true })
      }
    },
    catch: (cause) =>
      new FileProblem({
        message: `${path} cannot be written: ${reasonOf(cause)}.`,
        next: "Check the rights of its folder."
      })
  })
