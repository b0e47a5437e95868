/**
 * A journal in a folder, with one file per flow. Each flow is written to disk before it is submitted, and belongs to
 * one process at a time.
 */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Flow, Journal, type PromiseJournal } from "../Journal.js"
import { JournalError } from "../SwapError.js"
import { NotAFile, reasonOf } from "./internal/fileError.js"
import { withLock, tryLock, type Lock } from "./internal/lock.js"
import * as Folder from "./internal/privateFolder.js"
import { formatVersioned, parseVersioned } from "./internal/versioned.js"

/** Options for a file-backed journal. */
export interface Options {
  /**
   * Called for every unreadable file when flows are listed. If this is omitted, listing fails at the first unreadable
   * file.
   */
  readonly onDamaged?: ((path: string) => void) | undefined
  /** How long a write waits for another process to release the folder's lock, in milliseconds (default: 10,000). */
  readonly lockTimeout?: number | undefined
}

/** A flow whose outcome is not yet known. */
export interface Unfinished {
  readonly flow: Flow
  /** Whether another process is working on the flow. */
  readonly busy: boolean
}

/** The contents of the folder. */
export interface Contents {
  /** The flows whose outcome is not yet known, oldest first. */
  readonly unfinished: ReadonlyArray<Unfinished>
  /** The files that cannot be read. They are kept, because a swap may depend on them. */
  readonly damaged: ReadonlyArray<string>
}

/** A journal that knows which process is working on a flow. */
export interface FileJournal extends Journal {
  readonly contents: Effect.Effect<Contents, JournalError>
  /**
   * Claims a flow for this process until it is released or removed, or the process ends. Returns `false` if another
   * process has already claimed the flow.
   */
  readonly claim: (id: string) => Effect.Effect<boolean, JournalError>
  /** The flows that this process has written but not removed. */
  readonly own: Effect.Effect<ReadonlyArray<Flow>>
}

/** Whether an id has the format that clients use for ids. A path does not have this format. */
const isId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)

const decode = Schema.decodeUnknownOption(Flow)
const encode = Schema.encodeSync(Flow)

const suffix = ".json"
const lockSuffix = ".lock"

/** Creates a journal in a folder. The folder is created when the first flow is written. */
export const make = (path: string, { lockTimeout = 10_000, onDamaged }: Options = {}): FileJournal => {
  const folder = resolve(path)
  const locks = new Map<string, Lock>()
  const own = new Map<string, Flow>()

  const failure = (cause: unknown): JournalError =>
    cause instanceof JournalError
      ? cause
      : new JournalError({ message: `The journal in ${folder} cannot be used: ${reasonOf(cause)}.` })
  const damaged = (name: string) =>
    new JournalError({
      message: `The journal file ${join(folder, name)} is damaged. It has been left in place because a swap may depend on it. Inspect it, and remove it once you know how that swap ended.`
    })
  const attempt = <A>(run: () => A) => Effect.try({ try: run, catch: failure })
  /** Serializes all changes and all lock checks, so that a lock file can be removed together with its flow. */
  const locked = <A>(run: () => A) => withLock(join(folder, ".lock"), lockTimeout, run, failure)

  const claim = (id: string): boolean => {
    if (locks.has(id)) return true
    const lock = tryLock(join(folder, id + lockSuffix))
    if (lock !== undefined) locks.set(id, lock)
    return lock !== undefined
  }

  const release = (id: string): void => {
    locks.get(id)?.release()
    locks.delete(id)
  }

  const textOf = (name: string): string | undefined => {
    try {
      return Folder.read(folder, name)
    } catch (cause) {
      throw cause instanceof NotAFile ? damaged(name) : cause
    }
  }

  const isBusy = (id: string): boolean => {
    if (locks.has(id)) return false
    const free = claim(id)
    if (free) release(id)
    return !free
  }

  const read = (name: string): Flow | undefined => {
    const text = textOf(name)
    if (text === undefined) return undefined
    const parsed = parseVersioned(text)
    if (parsed._tag === "Newer") {
      throw new JournalError({
        message: `The journal file ${join(folder, name)} has format version ${parsed.version}, which requires a newer version of this package. Upgrade to resume its swap.`
      })
    }
    const flow = parsed._tag === "Value" ? decode(parsed.value) : undefined
    // A copy of a flow's file under another name could be resumed but not removed.
    if (flow?._tag !== "Some" || flow.value.id + suffix !== name || !isId(flow.value.id)) throw damaged(name)
    return flow.value
  }

  /** Reads all flows, and collects an error for every file without a valid flow. */
  const readAll = () => {
    const flows: Array<Flow> = []
    const errors: Array<{ readonly path: string; readonly error: JournalError }> = []
    for (const name of Folder.names(folder).filter((one) => one.endsWith(suffix))) {
      try {
        const flow = read(name)
        if (flow !== undefined) flows.push(flow)
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        errors.push({ path: join(folder, name), error })
      }
    }
    return { flows: flows.toSorted((one, other) => one.createdAt - other.createdAt), errors }
  }

  const readContents = (): Contents => {
    const { errors, flows } = readAll()
    return {
      unfinished: flows.map((flow) => ({ flow, busy: isBusy(flow.id) })),
      damaged: errors.map(({ path }) => path)
    }
  }

  /** Removes incomplete files left by killed processes, and unused lock files left by removed flows. */
  const tidy = (): void => {
    Folder.sweep(folder)
    const names = Folder.names(folder)
    for (const name of names) {
      const id = name.slice(0, -lockSuffix.length)
      if (!name.endsWith(lockSuffix) || !isId(id) || locks.has(id) || names.includes(id + suffix)) continue
      if (Folder.isFile(folder, name) && !isBusy(id)) Folder.remove(folder, name)
    }
  }

  const put = (flow: Flow): void => {
    tidy()
    // Claim the flow before it becomes visible, so that no other process mistakes it for an abandoned one.
    if (!claim(flow.id)) throw new JournalError({ message: `Another process is working on flow ${flow.id}.` })
    Folder.write(folder, flow.id + suffix, formatVersioned(encode(flow)))
    own.set(flow.id, flow)
  }

  const remove = (id: string): void => {
    Folder.remove(folder, id + suffix)
    // Another process may hold the flow's lock. In that case, the other process removes the lock file once it knows
    // that the flow has ended.
    release(id)
    tidy()
  }

  const ifThere = <A>(empty: A, run: () => A): Effect.Effect<A, JournalError> =>
    Effect.flatMap(
      attempt(() => Folder.exists(folder)),
      (there) => (there ? locked(run) : Effect.succeed(empty))
    )

  return {
    busy: ifThere<ReadonlySet<string>>(
      new Set(),
      () => new Set(readAll().flows.flatMap(({ id }) => (isBusy(id) ? [id] : [])))
    ),
    contents: ifThere<Contents>({ unfinished: [], damaged: [] }, readContents),
    own: Effect.sync(() => [...own.values()]),
    release: (id) => ifThere(undefined, () => release(id)),
    claim: (id) => (isId(id) ? ifThere(false, () => claim(id)) : Effect.succeed(false)),
    get: (id) => attempt(() => (isId(id) ? read(id + suffix) : undefined)),
    list: attempt(() => {
      const { errors, flows } = readAll()
      for (const { error, path } of errors) {
        if (onDamaged === undefined) throw error
        onDamaged(path)
      }
      return flows
    }),
    put: (flow) =>
      isId(flow.id)
        ? Effect.andThen(
            attempt(() => Folder.ensure(folder)),
            locked(() => put(flow))
          )
        : Effect.fail(new JournalError({ message: `"${flow.id}" is not a valid file name.` })),
    remove: (id) =>
      Effect.suspend(() => {
        own.delete(id)
        return isId(id) ? ifThere(undefined, () => remove(id)) : Effect.void
      })
  }
}

/**
 * Creates a file-backed journal for the promise client.
 *
 * @example
 * ```ts
 * const client = createClient({ transport, signers, journal: fileJournal("/var/lib/app/journal") })
 * ```
 */
export const fileJournal = (folder: string, options?: Options): PromiseJournal => {
  const journal = make(folder, options)
  return {
    put: (flow) => Effect.runPromise(journal.put(flow)),
    get: (id) => Effect.runPromise(journal.get(id)),
    remove: (id) => Effect.runPromise(journal.remove(id)),
    list: () => Effect.runPromise(journal.list)
  }
}

/** A layer that provides a file-backed journal. */
export const layer = (folder: string, options?: Options): Layer.Layer<Journal> =>
  Layer.sync(Journal, () => make(folder, options))
