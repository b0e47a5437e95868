/**
 * A store in one file with a message authentication code (MAC). Without the key, no record can be changed, added or
 * removed, and a missing file is an error instead of an empty store. An older copy of the whole file is noticed only by
 * a process that has seen a newer one.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { basename, dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { hasTag } from "../codecs/hasTag.js"
import * as Store from "../Store.js"
import { StoreError } from "../SwapError.js"
import { NotAFile, reasonOf } from "./internal/fileError.js"
import { makeFlowLocks } from "./internal/flowLocks.js"
import { withLock } from "./internal/lock.js"
import * as Folder from "./internal/privateFolder.js"
import { formatVersioned, parseVersioned } from "./internal/versioned.js"

/** Options for an authenticated store. */
export interface Options {
  /** The secret key of the MAC: at least 32 bytes. */
  readonly key: Uint8Array
  /** The id of the store. A file with another id is refused, even if its MAC is valid. */
  readonly id: string
  /** How long an update waits for another process to release the lock, in milliseconds (default: 60,000). */
  readonly lockTimeout?: number | undefined
}

/** The code of the error for a file that is missing, altered, or older than one that this process has seen. */
export const alteredCode = "STORE_ALTERED"

interface Contents {
  readonly id: string
  /** Grows with every change. */
  readonly counter: number
  readonly records: Readonly<Record<string, string>>
}

const isContents = (value: object): value is Contents & { readonly mac: string } =>
  "id" in value &&
  typeof value.id === "string" &&
  "counter" in value &&
  Number.isSafeInteger(value.counter) &&
  "records" in value &&
  typeof value.records === "object" &&
  value.records !== null &&
  Object.values(value.records).every((record) => typeof record === "string") &&
  "mac" in value &&
  typeof value.mac === "string"

const macOf = ({ counter, id, records }: Contents, key: Uint8Array): Buffer =>
  createHmac("sha256", key)
    .update(JSON.stringify(["geoswap store", id, counter, records]))
    .digest()

/** The file of a store, and how to read it without verifying it. */
const fileAt = (path: string, lockTimeout = 60_000) => {
  const file = resolve(path)
  const [folder, name] = [dirname(file), basename(file)]
  // Fibers of this process wait here and not for the lock, which is polled.
  const permits = Semaphore.makeUnsafe(1)

  const altered = (found: string) =>
    new StoreError({
      code: alteredCode,
      message: `The store ${file} ${found}. Nothing is signed with it, because budgets and idempotency keys depend on it. Restore the latest file.`
    })
  const failure = (cause: unknown): StoreError =>
    hasTag("StoreError", cause)
      ? cause
      : new StoreError({ message: `The store ${file} cannot be used: ${reasonOf(cause)}.` })

  const readText = (): string | undefined => {
    try {
      return Folder.read(folder, name)
    } catch (cause) {
      throw cause instanceof NotAFile ? altered("is not a regular file") : cause
    }
  }

  const parse = (): Contents & { readonly mac: string } => {
    const text = readText()
    if (text === undefined) throw altered("is missing")
    const parsed = parseVersioned(text)
    if (parsed._tag === "Newer") {
      throw new StoreError({
        message: `The store ${file} has format version ${parsed.version}, which requires a newer version of this package.`
      })
    }
    if (parsed._tag === "Damaged" || !isContents(parsed.value)) throw altered("is damaged")
    return parsed.value
  }

  const locked = <A>(prepare: () => void, body: () => A): Effect.Effect<A, StoreError> =>
    permits.withPermits(1)(
      Effect.andThen(
        Effect.try({ try: prepare, catch: failure }),
        withLock(join(folder, `.${name}.lock`), lockTimeout, body, failure)
      )
    )

  const requireFolder = () => {
    if (!Folder.exists(folder)) throw altered("is missing")
  }
  return { file, folder, name, altered, failure, readText, parse, locked, requireFolder, locks: makeFlowLocks(folder) }
}

const recordIn = ({ records }: Contents, record: string): string | undefined =>
  Object.hasOwn(records, record) ? records[record] : undefined

const open = (path: string, { id, key, lockTimeout }: Options) => {
  const { altered, failure, file, folder, locked, locks, name, parse, readText, requireFolder } = fileAt(
    path,
    lockTimeout
  )
  let newest = 0

  const read = (): Contents => {
    const value = parse()
    const [expected, found] = [macOf(value, key), Buffer.from(value.mac, "hex")]
    if (found.length !== expected.length || !timingSafeEqual(expected, found)) throw altered("has been altered")
    if (value.id !== id) throw altered("belongs to something else")
    if (value.counter < newest) throw altered("has been replaced with an older copy")
    newest = value.counter
    return value
  }

  const write = (contents: Contents): void => {
    Folder.write(folder, name, formatVersioned({ ...contents, mac: macOf(contents, key).toString("hex") }))
    newest = contents.counter
  }

  const records: Store.Records = {
    names: Effect.try({ try: () => Object.keys(read().records), catch: failure }),
    locks,
    update: (record, change) =>
      locked(requireFolder, () => {
        const contents = read()
        const before = recordIn(contents, record)
        const [after, answer] = change(before)
        if (after === before) return answer
        const { [record]: _, ...others } = contents.records
        const stored = after === undefined ? others : { ...others, [record]: after }
        write({ id, counter: contents.counter + 1, records: stored })
        Folder.sweep(folder)
        locks.tidy()
        return answer
      })
  }
  const create = locked(
    () => Folder.ensure(folder),
    () => {
      if (readText() !== undefined) throw new StoreError({ message: `The store ${file} already exists.` })
      write({ id, counter: 1, records: {} })
    }
  )
  return { create, records }
}

/**
 * Reads the store in an existing file without its key, to list the flows that can be resumed with the key. Nothing that it
 * returns is authenticated, and its updates change nothing.
 */
export const makeUnverified = (path: string): Store.Store => {
  const { failure, locked, locks, parse, requireFolder } = fileAt(path)
  return Store.make({
    names: Effect.try({ try: () => Object.keys(parse().records), catch: failure }),
    locks: { ...locks, claim: () => true },
    update: (record, change) => locked(requireFolder, () => change(recordIn(parse(), record))[1])
  })
}

/** Creates the file of an empty store, in a folder that only the current user can access. Fails if it exists. */
export const create = (path: string, options: Options): Effect.Effect<void, StoreError> => open(path, options).create

/** Opens the records in an existing file. Use one per process, because only the same object notices an older copy. */
export const makeRecords = (path: string, options: Options): Store.Records => open(path, options).records

/** Opens the store in an existing file. Use one per process, because only the same store notices an older copy. */
export const make = (path: string, options: Options): Store.Store => Store.make(makeRecords(path, options))

/** A layer that provides the store in an existing file. */
export const layer = (path: string, options: Options): Layer.Layer<Store.Store> => Store.layer(make(path, options))
