/**
 * A ledger in a folder, with one file per idempotency key and one per budget. Processes that share the folder share the
 * budgets. The files contain no sealed tokens or signatures.
 */
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { hasTag } from "../codecs/hasTag.js"
import * as Ledger from "../Ledger.js"
import { LedgerError } from "../SwapError.js"
import { NotAFile, reasonOf } from "./internal/fileError.js"
import { withLock } from "./internal/lock.js"
import * as Folder from "./internal/privateFolder.js"
import { formatVersioned, parseVersioned } from "./internal/versioned.js"

/** Options for a file-backed ledger. */
export interface Options {
  /** How long an update waits for another process to release the lock, in milliseconds (default: 10,000). */
  readonly lockTimeout?: number | undefined
}

/** Whether a name has the format that ledgers use for names. A path does not have this format. */
const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,79}$/.test(text)

const suffix = ".json"

/** Creates a store in a folder. The folder is created when the first record is written. */
const makeStore = (path: string, { lockTimeout = 10_000 }: Options = {}): Ledger.Store => {
  const folder = resolve(path)
  const failure = (cause: unknown): LedgerError =>
    hasTag("LedgerError", cause)
      ? cause
      : new LedgerError({ message: `The ledger in ${folder} cannot be used: ${reasonOf(cause)}.` })
  const damaged = (file: string) =>
    new LedgerError({
      message: `The ledger file ${file} is damaged. It has been left in place because a budget or an idempotency key depends on it. Restore it, or remove it once you are sure that nothing can be spent or signed twice.`
    })

  const read = (name: string): string | undefined => {
    const file = join(folder, name + suffix)
    let text: string | undefined
    try {
      text = Folder.read(folder, name + suffix)
    } catch (cause) {
      throw cause instanceof NotAFile ? damaged(file) : cause
    }
    if (text === undefined) return undefined
    const parsed = parseVersioned(text)
    if (parsed._tag === "Newer") {
      throw new LedgerError({
        message: `The ledger file ${file} has format version ${parsed.version}, which requires a newer version of this package. Upgrade all programs that share it.`
      })
    }
    if (parsed._tag === "Damaged") throw damaged(file)
    const { value } = parsed
    // A copy of a file under another name would be read as another budget's record.
    if (!("name" in value && value.name === name && "record" in value)) throw damaged(file)
    return JSON.stringify(value.record)
  }

  const change = <A>(name: string, change: Ledger.Change<A>): A => {
    const before = read(name)
    const [after, answer] = apply(name, before, change)
    if (after === before) return answer
    if (after === undefined) Folder.remove(folder, name + suffix)
    else Folder.write(folder, name + suffix, formatVersioned({ name, record: JSON.parse(after) as unknown }))
    return answer
  }

  /** Adds the file name to an error about a record. */
  const apply = <A>(name: string, before: string | undefined, change: Ledger.Change<A>) => {
    try {
      return change(before)
    } catch (cause) {
      if (!hasTag("LedgerError", cause)) throw cause
      throw new LedgerError({ message: `${cause.message} The file is ${join(folder, name + suffix)}.` })
    }
  }

  return {
    update: (name, next) =>
      isName(name)
        ? Effect.andThen(
            Effect.try({ try: () => Folder.ensure(folder), catch: failure }),
            withLock(join(folder, ".lock"), lockTimeout, () => change(name, next), failure)
          )
        : Effect.fail(new LedgerError({ message: `"${name}" is not a valid file name.` }))
  }
}

/** Creates a ledger in a folder. The folder is created when the first record is written. */
export const make = (folder: string, options?: Options): Ledger.Ledger => Ledger.make(makeStore(folder, options))

/**
 * Creates a file-backed ledger for the promise client.
 *
 * @example
 * ```ts
 * const client = createClient({ transport, signers, policy, ledger: fileLedger("/var/lib/app/ledger") })
 * ```
 */
export const fileLedger = (folder: string, options?: Options): Ledger.PromiseLedger => {
  const store = makeStore(folder, options)
  return { update: (name, change) => Effect.runPromise(store.update(name, change)) }
}

/** A layer that provides a file-backed ledger. */
export const layer = (folder: string, options?: Options): Layer.Layer<never> => Ledger.layer(make(folder, options))
