/** A journal that survives a reload of the page. */
import { type Journal, type Flow, storageJournal } from "@geoswap/core/promise"
import { readableStorage } from "./internal/readableStorage.js"

/** What it may be told. */
export interface BrowserJournalOptions {
  /** What its keys begin with; `geoswap.flow.` where absent. */
  readonly prefix?: string | undefined
  /** Told of an entry that cannot be read when flows are listed, which then leave it out; without it, listing fails. */
  readonly onDamaged?: ((key: string) => void) | undefined
  /**
   * What to do with a flow where there is no `localStorage`, or no space left in it. `refuse`: the swap fails with
   * `JournalError` before it is submitted. `memory`: the flow lasts until the page is closed, and a reload finds nothing
   * of a swap that is under way. Default: `refuse`.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

const memoryJournal = (): Journal => {
  const flows = new Map<string, Flow>()
  return {
    put: async (flow) => void flows.set(flow.id, flow),
    get: async (id) => flows.get(id),
    remove: async (id) => void flows.delete(id),
    list: async () => [...flows.values()]
  }
}

const refuse = () => Promise.reject(new Error("This page has no localStorage. Allow storage for it."))

/** `localStorage` as a journal. */
export const browserJournal = ({ onDamaged, fallback = "refuse", prefix }: BrowserJournalOptions = {}): Journal => {
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
