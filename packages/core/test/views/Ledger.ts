/** The commitments of a store as the swap programs see them, to make single steps slow or fail. */
import * as Effect from "effect/Effect"
import { makeLedger } from "../../src/programs/ledger.js"
import { Store } from "../../src/index.js"

export { makeLedger as make } from "../../src/programs/ledger.js"
export type { Claim, EntryKey, Ledger } from "../../src/programs/ledger.js"

export const makeMemory = Effect.map(Store.makeMemory, makeLedger)

/** The commitments in a store that fails. */
export const failing: ReturnType<typeof makeLedger> = makeLedger(
  Store.fromPromise({
    update: () => Promise.reject(new Error("disk full")),
    names: () => Promise.reject(new Error("disk full"))
  })
)
