/** Updates the sealing keys: in the file that stores them, or by returning the new value for a variable. */
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { dirname } from "node:path"
import { Seal } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Environment, sealKeysVariable } from "./Secrets.js"
import { attempt, Failure } from "../output/Failure.js"

export type Keys = ReadonlyArray<Seal.Key>

const fileVariable = `${sealKeysVariable}_FILE`

const parse = (name: string, text: string) =>
  Effect.mapError(Seal.parseKeys(Redacted.make(text)), ({ message }) => new Failure({ message: `${name}: ${message}` }))

/** Flushes a directory, so that a rename survives a power failure. */
const sync = (folder: string) => {
  const handle = openSync(folder, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Replaces the key file atomically, and keeps its owner and mode. */
const replace = (path: string, next: string, handle: number, text: Redacted.Redacted) => {
  const { gid, mode, uid } = statSync(path)
  writeSync(handle, `${Redacted.value(text)}\n`)
  const made = statSync(next)
  if (made.uid !== uid || made.gid !== gid) chownSync(next, uid, gid)
  chmodSync(next, mode & 0o777)
  fsyncSync(handle)
  renameSync(next, path)
  sync(dirname(path))
}

/**
 * Rewrites the key file. While the temporary file exists, no other process updates the keys. Messages omit the path that
 * was given, because users sometimes set the `_FILE` variable to the secret itself.
 */
const rewrite = Effect.fnUntraced(function* <E>(file: string, change: (keys: Keys) => Effect.Effect<Keys, E>) {
  const path = yield* attempt(
    () => realpathSync(file),
    () => `${fileVariable}: the file cannot be read. Check the path.`
  )
  const next = `${path}.next`
  let isDone = false
  return yield* Effect.acquireUseRelease(
    attempt(
      () => openSync(next, "wx", 0o600),
      (code) =>
        code === "EEXIST"
          ? `${next} exists, so another rotation is running or was interrupted. If no rotation is running, remove that file.`
          : `${next} cannot be written (${code}). Run this command where the file is writable. If the file cannot be made writable, as with a mounted secret, pass its contents in ${sealKeysVariable} instead. The new value is then printed.`
    ),
    Effect.fnUntraced(function* (handle) {
      const text = yield* attempt(
        () => readFileSync(path, "utf8"),
        () => `${fileVariable}: the file cannot be read. Check its permissions.`
      )
      const keys = yield* Effect.flatMap(parse(fileVariable, text), change)
      yield* attempt(
        () => {
          replace(path, next, handle, Seal.formatKeys(keys))
          isDone = true
        },
        (code) =>
          `${path} could not be replaced (${code}) and is unchanged. Check its permissions and the available disk space.`
      )
      return { keys, path }
    }),
    (handle) =>
      Effect.sync(() => {
        closeSync(handle)
        // After the rename, a file with the temporary file's name belongs to another process.
        if (!isDone) rmSync(next, { force: true })
      })
  )
})

/** Updates the keys. Returns the path if the keys are stored in a file. */
export const updateSealKeys = Effect.fnUntraced(function* <E>(
  environment: Environment,
  change: (keys: Keys) => Effect.Effect<Keys, E>
) {
  const direct = environment[sealKeysVariable]?.trim() ?? ""
  const file = environment[fileVariable]?.trim() ?? ""
  if (direct !== "" && file !== "") {
    return yield* new Failure({
      message: `${sealKeysVariable} and ${fileVariable} are both set. Set only one of them.`
    })
  }
  if (file !== "") return yield* rewrite(file, change)
  if (direct !== "") {
    return { keys: yield* Effect.flatMap(parse(sealKeysVariable, direct), change), path: undefined }
  }
  return yield* new Failure({
    message: `${sealKeysVariable} is not set. Set it to the same value as on the server, or set ${fileVariable} to the path of a file that contains that value.`
  })
})
