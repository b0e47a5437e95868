/** Where a store keeps its records: named strings with atomic read-modify-write. */
import * as Effect from "effect/Effect"
import { causeMessage } from "../codecs/causeMessage.js"
import { hasTag } from "../codecs/hasTag.js"
import type { FlowId } from "../Id.js"
import { StoreError } from "../SwapError.js"

/** The code of the error for a record that cannot be read. */
export const damagedCode = "STORE_DAMAGED"

/** Creates the error for a record that cannot be read. */
export const damaged = (place: string): StoreError =>
  new StoreError({
    code: damagedCode,
    message: `The record ${place} is damaged. It has been left in place because a swap or a budget may depend on it. Restore it, or remove it once you are sure that nothing can be spent or signed twice.`
  })

/**
 * Computes the new value of a record from the old value, and also computes a result. A value of `undefined`, old or
 * new, means that the record does not exist. The function is synchronous. If it throws, the record stays unchanged, and
 * `update` fails with that error.
 */
export type Change<A> = (text: string | undefined) => readonly [next: string | undefined, answer: A]

/**
 * Locks that the operating system releases when a process ends, so that a flow belongs to one living process at a time.
 * The methods are called only while `update` runs a change, except for `release`.
 */
export interface FlowLocks {
  /** Takes the lock of a flow, and returns `false` if another process holds it. */
  readonly claim: (flowId: FlowId) => boolean
  /** Whether another process holds the lock of a flow. */
  readonly isBusy: (flowId: FlowId) => boolean
  readonly release: (flowId: FlowId) => void
}

/** What a storage can do besides reading and writing. */
interface Abilities {
  /** Returns where a record is, for messages (default: its name). */
  readonly locate?: ((name: string) => string) | undefined
  /** Called with the place of each record that cannot be read when flows are listed. If omitted, listing fails. */
  readonly onDamaged?: ((place: string) => void) | undefined
  readonly locks?: FlowLocks | undefined
}

/**
 * Named strings. A name is at most 80 characters long and consists of lowercase letters, digits and dashes. While
 * `update` runs, no other process may read or write the record. The new value must be durable before `update` succeeds.
 */
export interface Records extends Abilities {
  readonly update: <A>(name: string, change: Change<A>) => Effect.Effect<A, StoreError>
  /** The names of all records. */
  readonly names: Effect.Effect<ReadonlyArray<string>, StoreError>
  /** Reads a record without waiting for its lock (default: an `update` that changes nothing). */
  readonly read?: ((name: string) => Effect.Effect<string | undefined, StoreError>) | undefined
  /** Whether several processes may write at the same time. Each flow then has its own record, and nothing else is stored. */
  readonly flowsOnly?: boolean | undefined
}

/** Records whose methods return promises. See `Records`. */
export interface PromiseStore extends Abilities {
  readonly update: <A>(name: string, change: Change<A>) => Promise<A>
  /** The names of all records. */
  readonly names: () => Promise<ReadonlyArray<string>>
  /** Reads a record without waiting for its lock (default: an `update` that changes nothing). */
  readonly read?: ((name: string) => Promise<string | undefined>) | undefined
  readonly flowsOnly?: false | undefined
}

/** Records without locks between processes. Budgets and idempotency keys cannot be stored in them. */
export interface FlowsOnlyStore extends Omit<PromiseStore, "flowsOnly"> {
  readonly flowsOnly: true
}

/** Returns an error that a storage has thrown as a `StoreError`. */
export const toStoreError = (cause: unknown): StoreError =>
  hasTag("StoreError", cause)
    ? cause
    : new StoreError({ message: "The store could not be read or written.", cause: causeMessage(cause) })

/** Creates records from functions that return promises. */
export const fromPromise = (store: PromiseStore | FlowsOnlyStore): Records => {
  const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: toStoreError })
  const { flowsOnly, locate, locks, onDamaged, read } = store
  return {
    update: (name, change) => attempt(() => store.update(name, change)),
    names: attempt(() => store.names()),
    read: read && ((name) => attempt(() => read(name))),
    flowsOnly,
    locate,
    locks,
    onDamaged
  }
}

/** Creates records in memory. */
export const memoryRecords = (): PromiseStore & { readonly records: Records } => {
  const texts = new Map<string, string>()
  const update: <A>(name: string, change: Change<A>) => A = (name, change) => {
    const [next, answer] = change(texts.get(name))
    if (next === undefined) texts.delete(name)
    else texts.set(name, next)
    return answer
  }
  return {
    update: async (name, change) => update(name, change),
    names: async () => [...texts.keys()],
    records: {
      update: (name, change) => Effect.try({ try: () => update(name, change), catch: toStoreError }),
      names: Effect.sync(() => [...texts.keys()])
    }
  }
}

/** A key-value store for strings: `localStorage`, or an asynchronous store with the same methods. */
export interface Storage {
  readonly getItem: (key: string) => string | null | Promise<string | null>
  readonly setItem: (key: string, value: string) => void | Promise<void>
  readonly removeItem: (key: string) => void | Promise<void>
  /**
   * Lists all keys. Optional only for `localStorage` and other stores whose keys are properties of the store object.
   */
  readonly keys?: () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
}

/** Exclusive named locks, such as `navigator.locks`, which all tabs on the same origin share. */
export interface Locks {
  readonly request: <A>(name: string, run: () => Promise<A>) => Promise<A>
}

/** Options for a store in a key-value store. */
export interface StorageOptions {
  /**
   * The locks that make updates atomic, such as `navigator.locks`. Without them, two tabs could spend the same budget,
   * so the store has flows only.
   */
  readonly locks?: Locks | undefined
  /** The key prefix (default: `geoswap.`). */
  readonly prefix?: string | undefined
  /** Called with the key of each unreadable record when flows are listed. If omitted, listing fails. */
  readonly onDamaged?: ((key: string) => void) | undefined
}

/**
 * Creates a store in a key-value store, for web pages. The records contain signatures, so keep them private. Writes to
 * `localStorage` may reach other tabs with a delay. If a budget must be enforced across tabs, use storage backed by
 * IndexedDB.
 *
 * @example
 * ```ts
 * const store = storageStore(localStorage, { locks: navigator.locks })
 * ```
 */
export function storageStore(storage: Storage, options: StorageOptions & { readonly locks: Locks }): PromiseStore
export function storageStore(
  storage: Storage,
  options?: Omit<StorageOptions, "locks"> & { readonly locks?: undefined }
): FlowsOnlyStore
export function storageStore(
  storage: Storage,
  { locks, onDamaged, prefix = "geoswap." }: StorageOptions = {}
): PromiseStore | FlowsOnlyStore {
  if (typeof storage.keys !== "function" && !("length" in storage)) {
    throw new StoreError({ message: "The storage cannot list its keys, so flows would be lost. Add a `keys` method." })
  }
  const update = async <A>(name: string, change: Change<A>): Promise<A> => {
    const text = (await storage.getItem(prefix + name)) ?? undefined
    const [next, answer] = change(text)
    if (next === undefined) await storage.removeItem(prefix + name)
    else if (next !== text) await storage.setItem(prefix + name, next)
    return answer
  }
  const store = {
    names: async () => {
      const keys = typeof storage.keys === "function" ? await storage.keys() : Object.keys(storage)
      return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
    },
    locate: (name: string) => prefix + name,
    onDamaged
  }
  return locks === undefined
    ? { ...store, update, flowsOnly: true }
    : { ...store, update: (name, change) => locks.request(prefix + name, () => update(name, change)) }
}
