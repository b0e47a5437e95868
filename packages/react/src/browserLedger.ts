/** A ledger that all tabs share and that survives a reload. */
import { isSwapError, type Ledger, storageLedger } from "@geoswap/core/promise"
import { webLocks } from "./internal/webLocks.js"
import { readableStorage } from "./internal/readableStorage.js"

/** The options of the ledger. */
export interface BrowserLedgerOptions {
  /** The prefix of its keys (default: `geoswap.ledger.`). */
  readonly prefix?: string | undefined
  /**
   * What to do if `localStorage` is missing or full, or if there are no Web Locks because the page is not served over
   * https (default: `refuse`). `refuse`: budgets and idempotency keys fail with `LedgerError` before anything is signed.
   * `memory`: they are kept until the page is closed, in this tab only.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

/**
 * Creates a ledger in `localStorage`, guarded by Web Locks: idempotency keys and budgets are the same in every tab. Create
 * one and pass it to every client of the page.
 */
export const browserLedger = ({ fallback = "refuse", prefix }: BrowserLedgerOptions = {}): Ledger => {
  const memory = new Map<string, string>()
  const [storage, locks] = [readableStorage(), webLocks()]
  const stored = storage && locks && storageLedger(storage, { locks, ...(prefix !== undefined && { prefix }) })

  const updateMemory: Ledger["update"] = async (name, change) => {
    const [next, result] = change(memory.get(name))
    if (next === undefined) memory.delete(name)
    else memory.set(name, next)
    return result
  }

  return {
    update: async (name, change) => {
      if (stored === undefined && fallback === "refuse") {
        throw new Error(
          "localStorage or Web Locks are not available. Allow storage for this site and serve it over https."
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
        // The storage is full: continue in memory from its last value.
        if (last !== undefined) memory.set(name, last)
        return updateMemory(name, change)
      }
    }
  }
}
