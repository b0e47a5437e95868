/** A journal that survives a reload of the page. */
import { type Journal, type Flow, storageJournal } from "@geoswap/core/promise"
import { readableStorage } from "./internal/readableStorage.js"

/** What it may be told. */
export interface BrowserJournalOptions {
  /** What its keys begin with; `geoswap.flow.` where absent. */
  readonly prefix?: string | undefined
  /** Told of an entry that cannot be read when flows are listed, which then leave it out; without it, listing fails. */
  readonly onDamaged?: ((key: string) => void) | undefined
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

/**
 * `localStorage` as a journal. On a server, and where storage is blocked, it is in memory; so is a flow that a full
 * storage does not take.
 */
export const browserJournal = ({ onDamaged, prefix }: BrowserJournalOptions = {}): Journal => {
  const memory = memoryJournal()
  const storage = readableStorage()
  if (storage === undefined) return memory
  const stored = storageJournal(storage, {
    ...(prefix !== undefined && { prefix }),
    ...(onDamaged !== undefined && { onDamaged })
  })
  return {
    put: (flow) => stored.put(flow).catch(() => memory.put(flow)),
    get: async (id) => (await memory.get(id)) ?? stored.get(id),
    remove: async (id) => {
      await memory.remove(id)
      await stored.remove(id)
    },
    list: async () => [...(await stored.list()), ...(await memory.list())]
  }
}
