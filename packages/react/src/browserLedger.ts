/** A ledger that all tabs share and that survives a reload. */
import { isSwapError, type PromiseLedger, storageLedger } from "@geoswap/core/promise"
import { webLocks } from "./internal/webLocks.js"
import { readableStorage } from "./internal/readableStorage.js"

/** Options for the ledger. */
export interface BrowserLedgerOptions {
  /** The prefix for the ledger's storage keys (default: `geoswap.ledger.`). */
  readonly prefix?: string | undefined
  /**
   * What to do if `localStorage` is unavailable or full, or if Web Locks are unavailable because the page is not served
   * over https (default: `refuse`). With `refuse`, every swap fails with `LedgerError` before its payment is signed.
   * With `memory`, budgets and idempotency keys are kept in this tab only, until the page is closed.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

/**
 * Creates a ledger in `localStorage`, guarded by Web Locks, so every tab shares the same idempotency keys and budgets.
 * Create one ledger and pass it to every client on the page.
 */
export const browserLedger = ({ fallback = "refuse", prefix }: BrowserLedgerOptions = {}): PromiseLedger => {
  const memory = new Map<string, string>()
  const [storage, locks] = [readableStorage(), webLocks()]
  const stored = storage && locks && storageLedger(storage, { locks, ...(prefix !== undefined && { prefix }) })

  const updateMemory: PromiseLedger["update"] = async (name, change) => {
    const [next, result] = change(memory.get(name))
    if (next === undefined) memory.delete(name)
    else memory.set(name, next)
    return result
  }

  return {
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
        if (last !== undefined) memory.set(name, last)
        return updateMemory(name, change)
      }
    }
  }
}
