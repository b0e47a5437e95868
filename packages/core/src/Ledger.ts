/**
 * Stores a wallet's commitments: which idempotency keys were used for which requests, and how much of each budget has
 * been spent. All processes that sign for the wallet must share one ledger.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import { addressKey } from "./codecs/addressKey.js"
import { compact } from "./codecs/compact.js"
import { hasTag } from "./codecs/hasTag.js"
import { keccak256 } from "./codecs/keccak.js"
import { optionalString } from "./codecs/lenient.js"
import { causeMessage } from "./codecs/causeMessage.js"
import type { FlowId, SwapId } from "./Id.js"
import type { Storage } from "./Journal.js"
import { LedgerError } from "./SwapError.js"

/**
 * The state of an `execute` call. `claimed`: the call has claimed the entry but has signed nothing. `signing`:
 * a signature may exist, and the journal may contain the flow. `accepted`: the service has assigned a swap id. `ended`:
 * the swap has settled, failed or been refunded.
 */
export const Entry = /* @__PURE__ */ Schema.Struct({
  /** The idempotency key, or the id of the flow if it has no idempotency key. */
  key: Schema.String,
  /** Identifies the request that the entry belongs to. */
  requestHash: Schema.String,
  state: /* @__PURE__ */ Schema.Literals(["claimed", "signing", "accepted", "ended"]),
  /** The id of the `execute` call that claimed the key. */
  owner: Schema.String,
  /**
   * The time, in Unix milliseconds, after which another `execute` call may take over the claim if its state is still
   * `claimed`. If the time is 0, the claim has been released.
   */
  until: Schema.Finite,
  /** The id of the flow in the journal, set once the state is `signing`. */
  flowId: /* @__PURE__ */ Schema.optionalKey(Schema.String as Schema.Codec<FlowId, string>),
  /** How many signatures have been made for the flow. */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /**
   * Whether the flow has been resumed since the latest signature. If so, the latest signature may have been sent, so it
   * must stay in the signature count.
   */
  resumed: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean),
  /** Whether the process that made the latest signature may have sent it. */
  sent: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean),
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.String as Schema.Codec<SwapId, string>),
  /** The terminal status of the swap. */
  status: optionalString
})
export type Entry = typeof Entry.Type

/** The claim that an `execute` call makes before its first request. */
export interface Claim extends Pick<Entry, "key" | "requestHash" | "owner"> {
  /** How long other `execute` calls are prevented from taking over the claim, in milliseconds. */
  readonly lease: number
  /** If set, a new entry starts in the state `signing`, with these fields. */
  readonly flow?: Pick<Entry, "flowId" | "signatures" | "resumed" | "sent">
}

/** How a flow's swap ended. */
export interface End extends Pick<Entry, "signatures"> {
  readonly flowId: FlowId
  readonly swapId: SwapId
  readonly status: string
}

/** The time window during which a reserved amount is counted against a budget. */
export type Window = "hour" | "day" | "total"

/** The maximum amount that may be reserved within a time window. */
export interface Limit {
  readonly window: Window
  readonly amount: bigint
}

/** The budget that a reservation belongs to. */
export interface Scope {
  readonly wallet: string
  readonly chain: number
  readonly token: string
}

/** Identifies a reservation. */
export interface ReservationId extends Scope {
  readonly id: string
}

/**
 * An amount that is reserved before signing. Reserving the same id again rechecks the limits and updates the time of
 * the reservation, but the amount is counted only once.
 */
export interface Reservation extends ReservationId {
  readonly amount: bigint
  readonly limits: ReadonlyArray<Limit>
}

/** The limit that a reservation would exceed, and the amount that is still available within that limit. */
export interface Exhausted {
  readonly window: Window
  readonly left: bigint
}

/**
 * The methods of a ledger. Each method is atomic across all processes that share the ledger. Once a method succeeds,
 * its effect is durable.
 */
export interface Ledger {
  /**
   * Claims a key and returns the key's entry. The claim belongs to the caller if the entry has the caller's `owner` id.
   * A call for the same request can take over an expired claim if nothing has been sent for it. A call for any request
   * can take over a released claim, whose `until` is 0. In both cases, the entry keeps the id of the previous owner's
   * flow.
   */
  readonly claim: (claim: Claim) => Effect.Effect<Entry, LedgerError>
  /** Returns the entry for a key, or `undefined` if there is no entry. */
  readonly get: (key: string) => Effect.Effect<Entry | undefined, LedgerError>
  /**
   * Updates an entry if it matches every field in `from`, and returns whether the entry matched. If `to` is
   * `undefined`, the entry is removed.
   */
  readonly advance: (
    key: string,
    from: Partial<Entry>,
    to: Partial<Omit<Entry, "key" | "requestHash">> | undefined
  ) => Effect.Effect<boolean, LedgerError>
  /** Reserves an amount, or returns the limit that the amount would exceed. */
  readonly reserve: (reservation: Reservation) => Effect.Effect<Exhausted | undefined, LedgerError>
  /**
   * Releases a reservation, unless it has been made permanent. Call this only if the signature for the reservation
   * never left the process.
   */
  readonly release: (reservation: ReservationId) => Effect.Effect<void, LedgerError>
  /**
   * Makes a reservation permanent, and returns whether the reservation exists. Called before a process submits a
   * signature that another process made.
   */
  readonly keep: (reservation: ReservationId) => Effect.Effect<boolean, LedgerError>
  /**
   * Records how the swap for a key ended, and returns whether the ledger now shows that the swap has ended. Changes
   * nothing if the swap had already ended, if the key belongs to another flow, or if the number of signatures differs
   * from the number in the entry.
   */
  readonly finish: (key: string, end: End) => Effect.Effect<boolean, LedgerError>
}

/**
 * The ledger that the swap programs use. Without a ledger, budgets are stored in the policy object, and idempotency
 * keys are rejected.
 */
export const Ledger = /* @__PURE__ */ Context.Reference<Ledger | undefined>("@geoswap/core/Ledger", {
  defaultValue: () => undefined
})

/**
 * Computes the new value of a record from the old value, and also computes a result. A value of `undefined`, old or
 * new, means that the record does not exist. The function must be pure and synchronous. If it throws, the record stays
 * unchanged, and `update` fails with that error.
 */
export type Change<A> = (text: string | undefined) => readonly [next: string | undefined, answer: A]

/**
 * A store for named strings with atomic read-modify-write. A name is at most 80 characters long and consists of
 * lowercase letters, digits and dashes.
 */
export interface Store {
  readonly update: <A>(name: string, change: Change<A>) => Effect.Effect<A, LedgerError>
}

/**
 * A ledger store whose `update` returns a promise. While `change` runs, no other process may read or write the record.
 * The new record must be durable before the promise resolves.
 */
export interface PromiseLedger {
  readonly update: <A>(name: string, change: Change<A>) => Promise<A>
}

/**
 * The reservations against one budget: their total amount, and a list of the reservations from the last day, which is
 * the longest window that needs individual reservations.
 */
const Spent = /* @__PURE__ */ Schema.Struct({
  wallet: Schema.String,
  chain: Schema.Finite,
  token: Schema.String,
  total: Amount,
  recent: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({
      id: Schema.String,
      amount: Amount,
      at: Schema.Finite,
      /** Whether the reservation is permanent. */
      kept: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean)
    })
  )
})
type Spent = typeof Spent.Type

const windows = { hour: 3_600_000, day: 86_400_000, total: Infinity }

/** Decodes a record. Throws if the record is unreadable, because a swap or a budget may depend on it. */
const decode = <A, I>(schema: Schema.Codec<A, I>, text: string | undefined): A | undefined => {
  if (text === undefined) return undefined
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text)
  if (read._tag === "Some") return read.value
  throw new LedgerError({
    message: "A ledger record is damaged. A swap or a budget may depend on it, so inspect it before you remove it."
  })
}

const encode = <A, I>(schema: Schema.Codec<A, I>, value: A): string =>
  Schema.encodeSync(Schema.fromJsonString(schema))(value)

/**
 * The amount reserved within a time window. Includes reservations whose time is in the future because the clock was
 * ahead when they were made.
 */
const within = ({ recent, total }: Spent, window: Window, now: number): bigint =>
  window === "total"
    ? total
    : recent.reduce((sum, { amount, at }) => (at > now - windows[window] ? sum + amount : sum), 0n)

const reserveIn = (spent: Spent, { id, amount, limits }: Reservation, now: number): Spent | Exhausted => {
  const before = spent.recent.find((entry) => entry.id === id)
  const others = {
    ...spent,
    total: spent.total - (before?.amount ?? 0n),
    recent: spent.recent.filter((entry) => entry !== before)
  }
  for (const { window, amount: most } of limits) {
    const left = most - within(others, window, now)
    if (amount > left) return { window, left: left > 0n ? left : 0n }
  }
  // Keep reservations until they are a day old both by the clock and by the stored times. Otherwise, reservations would
  // be lost for good if the clock were briefly ahead, now or when the latest reservation was made.
  const newest = spent.recent.reduce((latest, { at }) => Math.max(latest, at), 0)
  const recent = others.recent.filter(({ at }) => at > Math.min(newest, now) - windows.day)
  // Reserving an amount again never moves the reservation's time back, even if the clock has been set back.
  const entry = { ...before, id, amount, at: Math.max(now, before?.at ?? now) }
  return { ...spent, total: others.total + amount, recent: [...recent, entry] }
}

/** Creates a ledger on top of a store with atomic read-modify-write. */
export const make = (store: Store): Ledger => {
  // `onEntry` and `onSpent` read the clock inside the update. A process may have to wait for the store, so a time that
  // was read before the update would be stale.
  const onEntry = <A>(
    key: string,
    change: (entry: Entry | undefined, now: number) => readonly [Entry | undefined, A]
  ) =>
    Effect.flatMap(Clock.Clock, (clock) =>
      store.update(`key-${keccak256(key)}`, (text) => {
        const before = decode(Entry, text)
        const [after, answer] = change(before, clock.currentTimeMillisUnsafe())
        return [after === before ? text : after && encode(Entry, after), answer] as const
      })
    )
  const onSpent = <A>(scope: Scope, change: (spent: Spent, now: number) => readonly [Spent, A]) => {
    const [wallet, chain, token] = [addressKey(scope.wallet), scope.chain, addressKey(scope.token)]
    return Effect.flatMap(Clock.Clock, (clock) =>
      store.update(`spent-${keccak256(`${wallet} ${chain} ${token}`)}`, (text) => {
        const before = decode(Spent, text) ?? { wallet, chain, token, total: 0n, recent: [] }
        const [after, answer] = change(before, clock.currentTimeMillisUnsafe())
        return [after === before ? text : encode(Spent, after), answer] as const
      })
    )
  }
  return {
    claim: ({ key, requestHash, owner, lease, flow }) =>
      onEntry(key, (entry, now) => {
        // A claim that expires more than two leases from now was made while the clock was far ahead. The clocks of
        // processes that share a ledger may differ by up to one lease.
        const isOver = ({ until }: Entry) => until <= now || until > now + 2 * lease
        const isUnsent = ({ state, signatures, resumed, sent }: Entry) =>
          state === "claimed" || (state === "signing" && signatures === 1 && resumed === false && sent === false)
        const isReleased = ({ state, until }: Entry) => state === "claimed" && until === 0
        const free =
          entry === undefined ||
          isReleased(entry) ||
          (isUnsent(entry) && entry.requestHash === requestHash && isOver(entry))
        if (!free) return [entry, entry]
        const state: Entry["state"] = flow ? "signing" : "claimed"
        const until = now + lease
        const held = compact({
          key,
          requestHash,
          state,
          owner,
          until,
          flowId: entry?.flowId,
          sent: entry?.sent,
          ...flow
        })
        return [held, held]
      }),
    get: (key) => onEntry(key, (entry) => [entry, entry]),
    advance: (key, from, to) =>
      onEntry(key, (entry) => {
        const fits = entry && Object.entries(from).every(([field, value]) => entry[field as keyof Entry] === value)
        return fits ? [to && { ...entry, ...compact(to) }, true] : [entry, false]
      }),
    reserve: (reservation) =>
      onSpent(reservation, (spent, now) => {
        const after = reserveIn(spent, reservation, now)
        return "left" in after ? [spent, after] : [after, undefined]
      }),
    release: ({ id, ...scope }) =>
      onSpent(scope, (spent) => {
        const found = spent.recent.find((entry) => entry.id === id && !entry.kept)
        const recent = spent.recent.filter((entry) => entry !== found)
        return [found ? { ...spent, total: spent.total - found.amount, recent } : spent, undefined]
      }),
    keep: ({ id, ...scope }) =>
      onSpent(scope, (spent) => {
        const found = spent.recent.find((entry) => entry.id === id)
        if (!found || found.kept) return [spent, found !== undefined]
        const recent = spent.recent.map((entry) => (entry === found ? { ...entry, kept: true } : entry))
        return [{ ...spent, recent }, true]
      }),
    finish: (key, { flowId, signatures, swapId, status }) =>
      onEntry(key, (entry) => {
        if (entry?.flowId !== flowId) return [entry, false]
        if (entry.state === "ended") return [entry, true]
        return entry.signatures === signatures ? [{ ...entry, state: "ended", swapId, status }, true] : [entry, false]
      })
  }
}

const toLedgerError = (cause: unknown): LedgerError =>
  hasTag("LedgerError", cause)
    ? cause
    : new LedgerError({ message: "The ledger could not be read or written.", cause: causeMessage(cause) })

/** Creates an in-memory ledger. */
export const makeMemory: Effect.Effect<Ledger> = Effect.sync(() => {
  const records = new Map<string, string>()
  return make({
    update: (name, change) =>
      Effect.try({
        try: () => {
          const [next, answer] = change(records.get(name))
          if (next === undefined) records.delete(name)
          else records.set(name, next)
          return answer
        },
        catch: toLedgerError
      })
  })
})

/** Creates a ledger from a store whose `update` returns a promise. */
export const fromPromise = (ledger: PromiseLedger): Ledger =>
  make({
    update: (name, change) => Effect.tryPromise({ try: () => ledger.update(name, change), catch: toLedgerError })
  })

/** Exclusive named locks, such as `navigator.locks`, which all tabs on the same origin share. */
export interface Locks {
  readonly request: <A>(name: string, run: () => Promise<A>) => Promise<A>
}

/** Options for a ledger in a key-value store. */
export interface StorageOptions {
  /** The locks that make storage updates atomic, such as `navigator.locks`. */
  readonly locks: Locks
  /** The key prefix (default: `geoswap.ledger.`). */
  readonly prefix?: string
}

/**
 * Creates a ledger in a key-value store, for web pages. Throws if there are no locks, because two tabs could then spend
 * the same budget. Writes to `localStorage` may reach other tabs with a delay. If a budget must be enforced across
 * tabs, use storage backed by IndexedDB.
 *
 * @example
 * ```ts
 * const ledger = storageLedger(localStorage, { locks: navigator.locks })
 * ```
 */
export const storageLedger = (
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">,
  { locks, prefix = "geoswap.ledger." }: StorageOptions
): PromiseLedger => {
  if (typeof locks?.request !== "function") {
    throw new LedgerError({ message: "A storage ledger requires locks: pass `navigator.locks`." })
  }
  return {
    update: (name, change) =>
      locks.request(prefix + name, async () => {
        const text = (await storage.getItem(prefix + name)) ?? undefined
        const [next, answer] = change(text)
        if (next === undefined) await storage.removeItem(prefix + name)
        else if (next !== text) await storage.setItem(prefix + name, next)
        return answer
      })
  }
}

/** A layer that provides a ledger. */
export const layer = (ledger: Ledger): Layer.Layer<never> => Layer.succeed(Ledger, ledger)

/**
 * A layer that provides an in-memory ledger. Build the layer only once, because every new ledger starts with no
 * spending and no keys.
 */
export const layerMemory: Layer.Layer<never> = /* @__PURE__ */ Layer.effect(Ledger, makeMemory)

/** A layer that provides a ledger in a key-value store. */
export const layerStorage = (...input: Parameters<typeof storageLedger>): Layer.Layer<never> =>
  layer(fromPromise(storageLedger(...input)))
