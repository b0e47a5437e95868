/** A store that all tabs share and that survives a page reload. */
import { isSwapError, type PromiseStore, storageStore } from "@geoswap/core/promise"
import { readableStorage } from "./internal/readableStorage.js"
import { webLocks } from "./internal/webLocks.js"

/** Options for the store. */
interface BrowserStoreOptions {
  /** The prefix for the storage keys (default: `geoswap.`). */
  readonly prefix?: string | undefined
  /**
   * Called with the storage key of each record that cannot be read. The flows in unreadable records are then left out of
   * the list. If this option is omitted, a single unreadable record makes listing fail.
   */
  readonly onDamaged?: ((key: string) => void) | undefined
  /**
   * What to do if `localStorage` is unavailable or full, or if Web Locks are unavailable because the page is not served
   * over https (default: `refuse`). With `refuse`, every swap fails with `StoreError` before it is submitted. With
   * `memory`, this tab stores its flows, budgets and idempotency keys only until the page is closed, so a swap cannot be
   * resumed after a reload. If only Web Locks are unavailable, they are stored nevertheless, but two tabs that write at
   * the same moment may overwrite each other's records.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

/** Without Web Locks, a change is written right after it was read. */
const unlocked = { request: <A>(_: string, run: () => Promise<A>): Promise<A> => run() }

/**
 * Creates a store in `localStorage`, guarded by Web Locks, so every tab shares the same flows, idempotency keys and
 * budgets. Create one store and pass it to every client on the page.
 */
export const browserStore = ({ fallback = "refuse", onDamaged, prefix }: BrowserStoreOptions = {}): PromiseStore => {
  /** The records that this tab has changed but cannot store. A removed record is `undefined`. */
  const memory = new Map<string, string | undefined>()
  const storage = readableStorage()
  const locks = webLocks() ?? (fallback === "memory" ? unlocked : undefined)
  const stored = storage && locks && storageStore(storage, { locks, onDamaged, prefix })

  const updateMemory: PromiseStore["update"] = async (name, change) => {
    const [next, result] = change(memory.get(name))
    memory.set(name, next)
    return result
  }

  return {
    locate: stored?.locate,
    onDamaged,
    names: async () => {
      const names = new Set(await stored?.names())
      for (const [name, text] of memory) {
        if (text === undefined) names.delete(name)
        else names.add(name)
      }
      return [...names]
    },
    update: async (name, change) => {
      if (stored === undefined && fallback === "refuse") {
        throw new Error(
          "localStorage or Web Locks are not available. Allow storage for this site, and serve it over https."
        )
      }
      if (stored === undefined || memory.has(name)) return updateMemory(name, change)
      let last: string | undefined
      try {
        return await stored.update(name, (text) => {
          last = text
          return change(text)
        })
      } catch (error) {
        if (fallback === "refuse" || isSwapError(error)) throw error
        // The storage is full, so continue in memory, starting from the last stored value.
        memory.set(name, last)
        return updateMemory(name, change)
      }
    }
  }
}
