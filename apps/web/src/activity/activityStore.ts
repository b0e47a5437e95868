/** Stores the swaps that finished in this browser, newest first: amounts, chains, times and hashes, but no secrets. */
import * as Schema from "effect/Schema"
import * as storage from "../storage.js"

const SwapLeg = Schema.Struct({
  chainId: Schema.Int,
  chain: Schema.String,
  symbol: Schema.String,
  amount: Schema.String
})

/** Unix milliseconds within the range of `Date`. */
const Time = Schema.Finite.check(Schema.isBetween({ minimum: -8.64e15, maximum: 8.64e15 }))

const Entry = Schema.Struct({
  /** The service's id for the swap. */
  id: Schema.NonEmptyString,
  status: Schema.Literals(["settled", "failed", "refunded"]),
  trip: Schema.Struct({ from: SwapLeg, to: SwapLeg, recipient: Schema.String }),
  /** The wallet that paid. */
  wallet: Schema.String,
  beganAt: Time,
  endedAt: Time,
  originTxHash: Schema.optionalKey(Schema.String),
  deliveryTxHash: Schema.optionalKey(Schema.String),
  refundTxHash: Schema.optionalKey(Schema.String),
  /** The refunded amount, if it is less than the payment. */
  refunded: Schema.optionalKey(Schema.String),
  failureCode: Schema.optionalKey(Schema.String)
})

/** A finished swap. */
export type Entry = typeof Entry.Type

const decode = Schema.decodeUnknownOption(Entry)
const key = "geoswap.history"
const maxEntries = 200

/** Parses stored entries. Invalid entries are omitted. */
export const parseEntries = (stored: unknown): ReadonlyArray<Entry> =>
  (Array.isArray(stored) ? (stored as ReadonlyArray<unknown>) : [])
    .flatMap((value) => {
      const entry = decode(value)
      return entry._tag === "Some" ? [entry.value] : []
    })
    .slice(0, maxEntries)

/** Adds an entry. Each swap is listed once. */
const withEntry = (entries: ReadonlyArray<Entry>, entry: Entry): ReadonlyArray<Entry> =>
  [entry, ...entries.filter(({ id }) => id !== entry.id)].slice(0, maxEntries)

/** The finished swaps in this browser, shared by all tabs. */
export interface ActivityStore {
  readonly subscribe: (listener: () => void) => () => void
  readonly entries: () => ReadonlyArray<Entry>
  readonly add: (entry: Entry) => void
  readonly clear: () => void
  /** Adds entries that were cleared. */
  readonly restore: (entries: ReadonlyArray<Entry>) => void
}

/**
 * Creates the store. `onOther` is called with each swap that finished in another tab, before that swap is added to the
 * list.
 */
export const createActivityStore = (onOther: (entry: Entry) => void): ActivityStore => {
  const listeners = new Set<() => void>()
  const load = () => parseEntries(storage.read(key))
  let entries = load()
  const set = (next: ReadonlyArray<Entry>) => {
    entries = next
    for (const listener of listeners) listener()
  }
  window.addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return
    const next = load()
    next.filter(({ id }) => entries.every((entry) => entry.id !== id)).forEach(onOther)
    set(next)
  })
  const keep = (next: ReadonlyArray<Entry>) => {
    storage.write(key, next)
    set(next)
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    entries: () => entries,
    // Read the list again, because another tab may have stored an entry in the meantime.
    add: (entry) => keep(withEntry(parseEntries(storage.read(key) ?? entries), entry)),
    clear: () => keep([]),
    restore: (cleared) => keep(cleared.toReversed().reduce(withEntry, parseEntries(storage.read(key) ?? entries)))
  }
}
