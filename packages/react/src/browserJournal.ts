/** A journal that survives a page reload. */
import { type PromiseJournal, type Flow, storageJournal } from "@geoswap/core/promise"
import { readableStorage } from "./internal/readableStorage.js"

/** Options for the journal. */
export interface BrowserJournalOptions {
  /** The prefix for the journal's storage keys (default: `geoswap.flow.`). */
  readonly prefix?: string | undefined
  /**
   * Called with the storage key of each journal entry that cannot be read. Unreadable entries are then left out of the
   * list. If this option is omitted, a single unreadable entry makes listing fail.
   */
  readonly onDamaged?: ((key: string) => void) | undefined
  /**
   * What to do if `localStorage` is unavailable or full (default: `refuse`). With `refuse`, the swap fails with
   * `JournalError` before it is submitted. With `memory`, the flow is kept in memory until the page is closed, so the
   * swap cannot be resumed after a reload.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

const memoryJournal = (): PromiseJournal => {
  const flows = new Map<string, Flow>()
  return {
    put: async (flow) => void flows.set(flow.id, flow),
    get: async (id) => flows.get(id),
    remove: async (id) => void flows.delete(id),
    list: async () => [...flows.values()]
  }
}

const refuse = () => Promise.reject(new Error("localStorage is not available. Allow storage for this site."))

/** Creates a journal in `localStorage`. */
export const browserJournal = ({
  onDamaged,
  fallback = "refuse",
  prefix
}: BrowserJournalOptions = {}): PromiseJournal => {
  const memory = memoryJournal()
  const storage = readableStorage()
  if (storage === undefined) return fallback === "memory" ? memory : { ...memory, put: refuse }
  const stored = storageJournal(storage, {
    ...(prefix !== undefined && { prefix }),
    ...(onDamaged !== undefined && { onDamaged })
  })
  return {
    put: (flow) => (fallback === "memory" ? stored.put(flow).catch(() => memory.put(flow)) : stored.put(flow)),
    get: async (id) => (await memory.get(id)) ?? stored.get(id),
    remove: async (id) => {
      await memory.remove(id)
      await stored.remove(id)
    },
    list: async () => [...(await stored.list()), ...(await memory.list())]
  }
}
