/** Stores the swaps that finished in this browser, newest first: amounts, chains, times and hashes, but no secrets. */
import * as Schema from "effect/Schema"
import * as storage from "../storage.js"
import { SwapSummary } from "../swapSummary.js"
import { createStore } from "../ui/store.js"

/** Unix milliseconds within the range of `Date`. */
const Time = Schema.Finite.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 }))

const Entry = Schema.Struct({
  /** The service's id for the swap. */
  id: Schema.NonEmptyString,
  status: Schema.Literals(["settled", "failed", "refunded"]),
  trip: SwapSummary,
  /** The wallet that paid. */
  wallet: Schema.String,
  beganAt: Time,
  endedAt: Time,
  originTxHash: Schema.optional(Schema.String),
  deliveryTxHash: Schema.optional(Schema.String),
  refundTxHash: Schema.optional(Schema.String),
  /** The refunded amount, if it is less than the payment. */
  refunded: Schema.optional(Schema.String),
  failureCode: Schema.optional(Schema.String)
})

/** A finished swap. */
export type Entry = typeof Entry.Type

const key = "geoswap.history"
const maxEntries = 200

/** Parses stored entries. Invalid entries are omitted. */
export const parseEntries = (stored: unknown): ReadonlyArray<Entry> =>
  storage.itemsOf(Entry, stored).slice(0, maxEntries)

/**
 * Creates the store of the finished swaps in this browser, which all tabs share. `onOther` is called with each swap that finished in another tab, before that swap is added to the
 * list.
 */
export const createActivityStore = (onOther: (entry: Entry) => void) => {
  const load = () => parseEntries(storage.read(key))
  const entries = createStore(load())
  window.addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return
    const next = load()
    next.filter(({ id }) => entries.get().every((entry) => entry.id !== id)).forEach(onOther)
    entries.set(next)
  })
  const keep = (next: ReadonlyArray<Entry>) => {
    storage.write(key, next)
    entries.set(next)
  }
  return {
    entries,
    /** Adds the latest entries. Each swap is listed once. */
    add: (...added: ReadonlyArray<Entry>) => {
      // Read the list again, because another tab may have stored an entry in the meantime.
      const before = parseEntries(storage.read(key) ?? entries.get())
      const others = before.filter(({ id }) => added.every((entry) => entry.id !== id))
      keep([...added, ...others].slice(0, maxEntries))
    },
    clear: () => keep([])
  }
}
