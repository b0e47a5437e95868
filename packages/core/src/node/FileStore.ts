/**
 * A store in a folder, with one file per wallet and one per idempotency key. Each change is on disk before it counts, and
 * each flow belongs to one process at a time.
 */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { hasTag } from "../codecs/hasTag.js"
import * as Store from "../Store.js"
import { type Change, damaged, damagedCode } from "../store/records.js"
import { StoreError } from "../SwapError.js"
import { NotAFile, reasonOf } from "./internal/fileError.js"
import { makeFlowLocks } from "./internal/flowLocks.js"
import { withLock } from "./internal/lock.js"
import * as Folder from "./internal/privateFolder.js"
import { formatVersioned, parseVersioned } from "./internal/versioned.js"

/** Options for a file-backed store. */
export interface Options {
  /** Called with the path of each unreadable file when flows are listed. If this is omitted, listing fails. */
  readonly onDamaged?: ((path: string) => void) | undefined
  /** How long an update waits for another process to release the lock, in milliseconds (default: 10,000). */
  readonly lockTimeout?: number | undefined
}

/** Whether a name has the format that stores use for names. A path does not have this format. */
const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,79}$/.test(text)

const suffix = ".json"

/** Creates the records in a folder. The folder is created when the first record is written. */
export const makeRecords = (path: string, { lockTimeout = 10_000, onDamaged }: Options = {}): Store.Records => {
  const folder = resolve(path)
  const fileOf = (name: string) => join(folder, name + suffix)
  const failure = (cause: unknown): StoreError =>
    hasTag("StoreError", cause)
      ? cause
      : new StoreError({ message: `The store in ${folder} cannot be used: ${reasonOf(cause)}.` })
  const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: failure })
  const locks = makeFlowLocks(folder)

  const readText = (name: string): string | undefined => {
    const file = fileOf(name)
    let text: string | undefined
    try {
      text = Folder.read(folder, name + suffix)
    } catch (cause) {
      throw cause instanceof NotAFile ? damaged(file) : cause
    }
    if (text === undefined) return undefined
    const parsed = parseVersioned(text)
    if (parsed._tag === "Newer") {
      throw new StoreError({
        code: damagedCode,
        message: `The record ${file} has format version ${parsed.version}, which requires a newer version of this package.`
      })
    }
    // A copy of a record's file under another name is not the record.
    if (parsed._tag === "Damaged") throw damaged(file)
    const { name: found, record }: { readonly name?: unknown; readonly record?: unknown } = parsed.value
    if (found !== name || record === undefined || record === null) throw damaged(file)
    return JSON.stringify(record)
  }

  /** Removes what killed processes have left. */
  const tidy = () => {
    Folder.sweep(folder)
    locks.tidy()
  }

  const change = <A>(name: string, next: Change<A>): A => {
    const before = readText(name)
    const [after, answer] = next(before)
    if (after === before) return answer
    if (after === undefined) Folder.remove(folder, name + suffix)
    else Folder.write(folder, name + suffix, formatVersioned({ name, record: JSON.parse(after) as unknown }))
    tidy()
    return answer
  }

  const valid = <A, E>(name: string, use: Effect.Effect<A, E>): Effect.Effect<A, E | StoreError> =>
    isName(name) ? use : Effect.fail(new StoreError({ message: `"${name}" is not a valid file name.` }))

  return {
    update: (name, next) =>
      valid(
        name,
        Effect.andThen(
          attempt(() => Folder.ensure(folder)),
          withLock(join(folder, ".lock"), lockTimeout, () => change(name, next), failure)
        )
      ),
    read: (name) =>
      valid(
        name,
        attempt(() => readText(name))
      ),
    names: attempt(() =>
      Folder.names(folder)
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
    ),
    locks,
    locate: fileOf,
    onDamaged
  }
}

/** Creates a store in a folder. The folder is created when something is stored. */
export const make = (folder: string, options?: Options): Store.Store => Store.make(makeRecords(folder, options))

/** A layer that provides a file-backed store. */
export const layer = (folder: string, options?: Options): Layer.Layer<Store.Store> => Store.layer(make(folder, options))
