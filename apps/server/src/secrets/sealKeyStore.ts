/** Where the keys that seal are kept: a variable, which this process can only read, or a file, which it rewrites. */
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
import { sealKeysVariable } from "./Secrets.js"
import { Failure } from "../output/Failure.js"

export type Keys = ReadonlyArray<Seal.Key>

const fileVariable = `${sealKeysVariable}_FILE`

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")

const parse = (name: string, text: string): Effect.Effect<Keys, Failure> =>
  Effect.mapError(Seal.parseKeys(Redacted.make(text)), ({ message }) => new Failure({ message: `${name}: ${message}` }))

/** The name of what is on the disk is not enough: after a loss of power the folder has to know it, too. */
const sync = (folder: string): void => {
  const handle = openSync(folder, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The path is not repeated where it names no file: people put the secret itself there. */
const real = (file: string): Effect.Effect<string, Failure> =>
  Effect.try({
    try: () => realpathSync(file),
    catch: () => new Failure({ message: `${fileVariable}: names a file that cannot be read: check its path.` })
  })

/** Takes the place of a file that somebody else rewrites at the same time. */
const claim = (path: string): Effect.Effect<number, Failure> =>
  Effect.try({
    try: () => openSync(path, "wx", 0o600),
    catch: (cause) =>
      new Failure({
        message:
          codeOf(cause) === "EEXIST"
            ? `${path} is there: another rotation runs, or one was ended in the middle. Where none runs, remove that file.`
            : `${path} cannot be written (${codeOf(cause)}): run this where the keys can be changed. A file that something else provides, a mounted secret say, is changed there: give its value in ${sealKeysVariable}, and this prints the new one.`
      })
  })

/** All of the old file or all of the new one, whatever happens, for the same readers as before. */
const replace = (path: string, next: string, handle: number, text: Redacted.Redacted): void => {
  const { gid, mode, uid } = statSync(path)
  writeSync(handle, `${Redacted.value(text)}\n`)
  const made = statSync(next)
  if (made.uid !== uid || made.gid !== gid) chownSync(next, uid, gid)
  chmodSync(next, mode & 0o777)
  fsyncSync(handle)
  renameSync(next, path)
  sync(dirname(path))
}

const rewrite = <E>(file: string, change: (keys: Keys) => Effect.Effect<Keys, E>) =>
  Effect.gen(function* () {
    const path = yield* real(file)
    const next = `${path}.next`
    let isDone = false
    return yield* Effect.acquireUseRelease(
      claim(next),
      (handle) =>
        Effect.gen(function* () {
          const text = yield* Effect.try({
            try: () => readFileSync(path, "utf8"),
            catch: () => new Failure({ message: `${fileVariable}: names a file that cannot be read: check its mode.` })
          })
          const keys = yield* Effect.flatMap(parse(fileVariable, text), change)
          yield* Effect.try({
            try: () => {
              replace(path, next, handle, Seal.formatKeys(keys))
              isDone = true
            },
            catch: (cause) =>
              new Failure({ message: `${path} cannot be rewritten (${codeOf(cause)}): it is as before.` })
          })
          return { keys, path }
        }),
      (handle) =>
        Effect.sync(() => {
          closeSync(handle)
          // A file of that name is by now that of somebody else.
          if (!isDone) rmSync(next, { force: true })
        })
    )
  })

/** Changes the keys where they are kept; the path is that of the file that was rewritten. */
export const updateSealKeys = Effect.fnUntraced(function* <E>(
  environment: Readonly<Record<string, string | undefined>>,
  change: (keys: Keys) => Effect.Effect<Keys, E>
): Effect.fn.Return<{ readonly keys: Keys; readonly path?: string }, E | Failure> {
  const direct = environment[sealKeysVariable]?.trim() ?? ""
  const file = environment[fileVariable]?.trim() ?? ""
  if (direct !== "" && file !== "") {
    return yield* new Failure({ message: `${sealKeysVariable}: is set, and so is ${fileVariable}. Set one of them.` })
  }
  if (file !== "") return yield* rewrite(file, change)
  if (direct !== "") return { keys: yield* Effect.flatMap(parse(sealKeysVariable, direct), change) }
  return yield* new Failure({
    message: `${sealKeysVariable}: is not set. Set it, or ${fileVariable} to the path of a file that holds it, as for the server.`
  })
})
