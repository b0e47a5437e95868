/**
 * The journal of swaps in progress as a folder of files, one for each flow. What was written is on the disk before
 * anything is submitted, and a flow belongs to one process at a time.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Journal, SwapError } from "@geoswap/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { hold, type Lock } from "./internal/fileLock.js"
import { forShell, reasonOf } from "./internal/secretFile.js"
import { Settings } from "./Settings.js"

/** A flow that has no known end yet. */
interface Unfinished {
  readonly flow: Journal.Flow
  /** Whether another process works on it now. */
  readonly busy: boolean
}

/** What the folder holds. */
interface Contents {
  /** The oldest first. */
  readonly unfinished: ReadonlyArray<Unfinished>
  /** The files that cannot be read; they are kept, since a swap may depend on them. */
  readonly damaged: ReadonlyArray<string>
}

/** A journal that can say who works on a flow. */
export interface Shape extends Journal.Shape {
  readonly contents: Effect.Effect<Contents, SwapError.JournalError>
  /** Takes a flow for this process, until it ends. `false` where another process has it. */
  readonly claim: (id: string) => Effect.Effect<boolean, SwapError.JournalError>
  /** The flows that this process wrote and did not remove. */
  readonly own: Effect.Effect<ReadonlyArray<Journal.Flow>>
}

/** The journal of this machine. */
export class FileJournal extends Context.Service<FileJournal, Shape>()("@geoswap/cli/FileJournal") {}

/** Where the journal of a service is. */
export const folderOf = (stateFolder: string): string => join(stateFolder, "journal")

const Text = Schema.fromJsonString(Journal.Flow)
const decode = Schema.decodeUnknownOption(Text)
const encode = Schema.encodeSync(Text)

/** What the clients make as ids, and nothing that would be a path. */
const isId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)

const codeOf = (cause: unknown): unknown => (cause instanceof Error && "code" in cause ? cause.code : undefined)

/** Unix modes mean nothing elsewhere, and folders cannot be synced there. */
const unix = process.platform !== "win32"

const damaged = (path: string) =>
  new SwapError.JournalError({
    message: `The journal's file ${path} is damaged. It is kept, since a swap may depend on it: look at it, and remove it once you know how that swap ended.`
  })

/** Refuses what others of this machine can read or write: it holds what was signed. */
const assertPrivate = (path: string, mode: 0o600 | 0o700): void => {
  const found = lstatSync(path).mode & 0o777
  if (!unix || (found & 0o077) === 0) return
  throw new SwapError.JournalError({
    message: `The journal's ${mode === 0o700 ? "folder" : "file"} ${path} is open to others: its mode is ${found.toString(8)}. Run chmod ${mode.toString(8)} ${forShell(path)}, and think of who may have read it.`
  })
}

const sync = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const attempt = <A>(folder: string, run: () => A): Effect.Effect<A, SwapError.JournalError> =>
  Effect.try({
    try: run,
    catch: (cause) =>
      cause instanceof SwapError.JournalError
        ? cause
        : new SwapError.JournalError({ message: `The journal in ${folder} cannot be used: ${reasonOf(cause)}.` })
  })

/** Whole or not at all, and on the disk when it is back. */
const write = (folder: string, path: string, text: string): void => {
  const fresh = `${path}.${process.pid}.new`
  try {
    const handle = openSync(fresh, "w", 0o600)
    try {
      writeFileSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
  if (unix) sync(folder)
}

/** The text of a flow's file; `undefined` where there is none. */
const textAt = (path: string): string | undefined => {
  try {
    assertPrivate(path, 0o600)
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined
    throw cause
  }
}

/** A journal on a folder, which is made with the first flow. */
export const make = (folder: string): Shape => {
  const locks = new Map<string, Lock>()
  const own = new Map<string, Journal.Flow>()
  const pathOf = (id: string) => join(folder, `${id}.json`)
  const lockOf = (id: string) => join(folder, `${id}.lock`)

  const claim = (id: string, patience: number): boolean => {
    if (locks.has(id)) return true
    const lock = hold(lockOf(id), patience)
    if (lock !== undefined) locks.set(id, lock)
    return lock !== undefined
  }

  const release = (id: string): void => {
    locks.get(id)?.release()
    locks.delete(id)
  }

  const read = (id: string): Journal.Flow | undefined => {
    const text = isId(id) ? textAt(pathOf(id)) : undefined
    if (text === undefined) return undefined
    const flow = decode(text)
    if (flow._tag === "None" || flow.value.id !== id) throw damaged(pathOf(id))
    return flow.value
  }

  const isBusy = (id: string): boolean => {
    if (locks.has(id)) return false
    const free = claim(id, 0)
    if (free) release(id)
    return !free
  }

  const look = (): Contents => {
    const unfinished: Array<Unfinished> = []
    const unreadable: Array<string> = []
    let names: ReadonlyArray<string> = []
    try {
      assertPrivate(folder, 0o700)
      names = readdirSync(folder)
    } catch (cause) {
      if (codeOf(cause) !== "ENOENT") throw cause
    }
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      const id = name.slice(0, -".json".length)
      const text = textAt(join(folder, name))
      const flow = text === undefined ? undefined : decode(text)
      if (flow === undefined) continue
      if (flow._tag === "None" || flow.value.id !== id || !isId(id)) unreadable.push(join(folder, name))
      else unfinished.push({ flow: flow.value, busy: isBusy(id) })
    }
    unfinished.sort((one, other) => one.flow.createdAt - other.flow.createdAt)
    return { unfinished, damaged: unreadable.toSorted() }
  }

  const contents = attempt(folder, look)
  return {
    contents,
    list: Effect.map(contents, ({ unfinished }) => unfinished.map(({ flow }) => flow)),
    own: Effect.sync(() => [...own.values()]),
    claim: (id) => attempt(folder, () => claim(id, 500)),
    get: (id) => attempt(folder, () => read(id)),
    put: (flow) =>
      attempt(folder, () => {
        if (!isId(flow.id)) throw new SwapError.JournalError({ message: `"${flow.id}" cannot be the name of a file.` })
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        assertPrivate(folder, 0o700)
        // Ours before it can be seen: nobody may take it for one that was left.
        if (!claim(flow.id, 500)) {
          throw new SwapError.JournalError({ message: `Another process works on the flow ${flow.id}.` })
        }
        write(folder, pathOf(flow.id), encode(flow))
        own.set(flow.id, flow)
      }),
    remove: (id) =>
      attempt(folder, () => {
        own.delete(id)
        if (!isId(id)) return
        rmSync(pathOf(id), { force: true })
        // Who waited for the lock finds no flow any more, so that its file may go.
        release(id)
        for (const rest of [lockOf(id), `${lockOf(id)}-journal`]) rmSync(rest, { force: true })
      })
  }
}

/** The journal of the service that the settings name, also as the one that swaps are written to. */
export const layer: Layer.Layer<FileJournal | Journal.Journal, never, Settings> = Layer.effectContext(
  Effect.map(Settings, ({ stateFolder }) => {
    const journal = make(folderOf(stateFolder))
    return Context.make(FileJournal, journal).pipe(Context.add(Journal.Journal, journal))
  })
)
