/** The flows of a store as the swap programs see them, to make single steps slow or fail. */
import * as Effect from "effect/Effect"
import { makeJournal } from "../../src/programs/journal.js"
import { Store } from "../../src/index.js"

export type { Journal } from "../../src/programs/journal.js"
export { makeJournal as make } from "../../src/programs/journal.js"
export type { Flow, Signed } from "../../src/Store.js"

export const makeMemory = Effect.map(Store.makeMemory, makeJournal)
