/** A ledger that all tabs of a page share, and that survives a reload. */
import { isSwapError, type Ledger, storageLedger } from "@geoswap/core/promise"
import { webLocks } from "./internal/webLocks.js"
import { readableStorage } from "./internal/readableStorage.js"

/** How the ledger of a browser behaves. */
export interface BrowserLedgerOptions {
  /** What its keys in `localStorage` start with. Default: `geoswap.ledger.`. */
  readonly prefix?: string | undefined
  /**
   * What to do where there is no `localStorage`, no Web Locks (a page without https) or no space left. `refuse`: budgets
   * and idempotency keys fail with `LedgerError` before anything is signed. `memory`: they last until the page is closed,
   * in this tab alone. Default: `refuse`.
   */
  readonly fallback?: "refuse" | "memory" | undefined
}

/**
 * `localStorage` under Web Locks as a ledger: idempotency keys and budgets are the same in every tab. Make one and give it
 * to every client of the page.
 */
export const browserLedger = ({ fallback = "refuse", prefix }: BrowserLedgerOptions = {}): Ledger => {
  const memory = new Map<string, string>()
  const [storage, locks] = [readableStorage(), webLocks()]
  const stored = storage && locks && storageLedger(storage, { locks, ...(prefix !== undefined && { prefix }) })

  const remember: Ledger["update"] = async (name, change) => {
    const [next, answer] = change(memory.get(name))
    if (next === undefined) memory.delete(name)
    else memory.set(name, next)
    return answer
  }

  return {
    update: async (name, change) => {
      if (stored === undefined && fallback === "refuse") {
        throw new Error("This page has no localStorage or no Web Locks. Allow storage for it, and serve it over https.")
      }
      if (stored === undefined || memory.has(name)) return remember(name, change)
      let last: string | undefined
      try {
        return await stored.update(name, (text) => {
          last = text
          return change(text)
        })
      } catch (error) {
        if (fallback === "refuse" || isSwapError(error)) throw error
        // The storage is full: what it holds goes on from here in memory.
        if (last !== undefined) memory.set(name, last)
        return remember(name, change)
      }
    }
  }
}
