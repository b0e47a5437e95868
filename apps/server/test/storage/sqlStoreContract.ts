/** What the SQL store must do on every engine, beyond the contract of stores: its rows and failures. */
import { describe } from "@effect/vitest"
import { claimTotalsContract } from "./sqlStoreContract/claimTotals.js"
import { rowsContract } from "./sqlStoreContract/rows.js"
import { type Fresh, storedBy } from "./sqlStoreContract/stored.js"
import { unavailableContract } from "./sqlStoreContract/unavailable.js"

/** Runs the suite. `fresh` is an empty database each time that it is built, and is removed with its scope. */
export const sqlStoreContract = (engine: string, fresh: Fresh) =>
  describe(`the SQL store on ${engine}`, () => {
    const stored = storedBy(fresh)
    rowsContract(stored)
    claimTotalsContract(stored)
    unavailableContract(stored)
  })
