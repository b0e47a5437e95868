/**
 * Remembers what a wallet has committed itself to: which idempotency keys were used and for what, and how much of each
 * budget is spent. It belongs to the wallet, not to a service, and must be shared by all processes that sign for it.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import { compact } from "./internal/compact.js"
import { keccak256 } from "./internal/keccak.js"
import { optionalText } from "./internal/lenient.js"
import { wordsOf } from "./internal/words.js"
import type { Storage } from "./Journal.js"
import { LedgerError } from "./SwapError.js"

/**
 * An idempotency key and what became of it. `claimed`: an `execute` works on it and has signed nothing. `signing`: a
 * signature may exist, and the journal may hold the flow. `accepted`: the service gave the swap an id. `ended`: the swap
 * is settled, failed or refunded.
 */
export const Entry = /* @__PURE__ */ Schema.Struct({
  key: Schema.String,
  /** Tells whether the key is used for the same request again. */
  requestHash: Schema.String,
  state: /* @__PURE__ */ Schema.Literals(["claimed", "signing", "accepted", "ended"]),
  /** Who works on it: a name that is made for one `execute`. */
  owner: Schema.String,
  /** Unix milliseconds after which another `execute` may take over a claim that is not `signing` yet. */
  until: Schema.Finite,
  /** The flow in the journal, from `signing` on. */
  flowId: optionalText,
  /** How often something was signed for the flow so far. */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /** Whether the flow was resumed since the last signature: the signature may have left, and its count stays. */
  resumed: /* @__PURE__ */ Schema.optionalKey(Schema.Boolean),
  swapId: optionalText,
  /** How the swap ended. */
  status: optionalText
})
export type Entry = typeof Entry.Type

/** What an `execute` claims before its first request. */
export interface Claim extends Pick<Entry, "key" | "requestHash" | "owner"> {
  /** Milliseconds for which nobody else may take the claim over. */
  readonly lease: number
}

/** How the swap of a flow ended. */
export interface End extends Pick<Entry, "signatures"> {
  readonly flowId: string
  readonly swapId: string
  readonly status: string
}

/** How long an amount counts against a budget after it was reserved. */
export type Window = "hour" | "day" | "total"

/** The most that may be reserved within a window. */
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

/** An amount that is set aside before it is signed for. */
export interface Reservation extends Scope {
  /** Names the reservation. Reserving it again checks the limits again and moves it to now; it is still spent once. */
  readonly id: string
  readonly amount: bigint
  readonly limits: ReadonlyArray<Limit>
}

/** The limit that a reservation would break, and what is left of it. */
export interface Exhausted {
  readonly window: Window
  readonly left: bigint
}

/** The methods of a ledger. Each is atomic over all processes that share the ledger, and durable once it succeeds. */
export interface Shape {
  /**
   * Claims a key. The answer is the entry as it is now: the caller's if the owner is, and else another one's. A claim that
   * ran out and is not `signing` is taken over by the same request.
   */
  readonly claim: (claim: Claim) => Effect.Effect<Entry, LedgerError>
  /** The entry of a key as it is now, or `undefined`. */
  readonly get: (key: string) => Effect.Effect<Entry | undefined, LedgerError>
  /** Changes an entry if every field of `from` is still so, and answers whether it was; `undefined` removes it. */
  readonly advance: (
    key: string,
    from: Partial<Entry>,
    to: Partial<Omit<Entry, "key" | "requestHash">> | undefined
  ) => Effect.Effect<boolean, LedgerError>
  /** Sets an amount aside, or answers with the limit that forbids it. */
  readonly reserve: (reservation: Reservation) => Effect.Effect<Exhausted | undefined, LedgerError>
  /** Takes a reservation back. Only for one whose signature never left the process. */
  readonly release: (reservation: Scope & Pick<Reservation, "id">) => Effect.Effect<void, LedgerError>
  /**
   * Keeps how the swap of a key ended, and answers whether it ended. Changes nothing if it ended before, if the key stands
   * for another flow, or if another number of signatures was made for the flow.
   */
  readonly finish: (key: string, end: End) => Effect.Effect<boolean, LedgerError>
}

/** The ledger that the programs use. Without one, budgets last as long as their policy, and keys are refused. */
export const Ledger = /* @__PURE__ */ Context.Reference<Shape | undefined>("@geoswap/core/Ledger", {
  defaultValue: () => undefined
})

/**
 * What a record becomes, and what to answer. `undefined` is a record that is not there. Pure and synchronous. If it
 * throws, the record stays as it is, and `update` fails with what was thrown.
 */
export type Change<A> = (text: string | undefined) => readonly [next: string | undefined, answer: A]

/**
 * Named texts with an atomic read-modify-write: all that a ledger needs of a store. Names are lower-case letters, digits
 * and dashes, at most 80 of them.
 */
export interface Store {
  readonly update: <A>(name: string, change: Change<A>) => Effect.Effect<A, LedgerError>
}

/**
 * A ledger in promises: a store with an atomic read-modify-write. While `change` runs, no other process may read or write
 * the record, and what it returns must be durable before the promise resolves.
 */
export interface PromiseLedger {
  readonly update: <A>(name: string, change: Change<A>) => Promise<A>
}

/** What was reserved of one budget: all of it, and one by one what the longest window still needs. */
const Spent = /* @__PURE__ */ Schema.Struct({
  wallet: Schema.String,
  chain: Schema.Finite,
  token: Schema.String,
  total: Amount,
  recent: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({ id: Schema.String, amount: Amount, at: Schema.Finite })
  )
})
type Spent = typeof Spent.Type

const windows = { hour: 3_600_000, day: 86_400_000, total: Infinity }

/** The record as its model; one that cannot be read stops everything, since a swap or a budget may depend on it. */
const decode = <A, I>(schema: Schema.Codec<A, I>, text: string | undefined): A | undefined => {
  if (text === undefined) return undefined
  const read = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(text)
  if (read._tag === "Some") return read.value
  throw new LedgerError({ message: "A record of the ledger is damaged; a swap or a budget may depend on it." })
}

const encode = <A, I>(schema: Schema.Codec<A, I>, value: A): string =>
  Schema.encodeSync(Schema.fromJsonString(schema))(value)

const cased = (address: string): string => (address.startsWith("0x") ? address.toLowerCase() : address)

/** What is still within a window. A reservation from a clock that was ahead stays. */
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
  // By the times that were written before, not by the clock: it may be ahead for a moment, and what it drops is gone.
  const newest = spent.recent.reduce((latest, { at }) => Math.max(latest, at), 0)
  const recent = others.recent.filter(({ at }) => at > newest - windows.day)
  // What is spent cannot become older: the clock may have been set back since.
  const entry = { id, amount, at: Math.max(now, before?.at ?? now) }
  return { ...spent, total: others.total + amount, recent: [...recent, entry] }
}

/** A ledger over a store with an atomic read-modify-write. */
export const make = (store: Store): Shape => {
  // Both read the clock within the update. Before it, the caller may wait for others, and its time would be past theirs.
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
    const [wallet, chain, token] = [cased(scope.wallet), scope.chain, cased(scope.token)]
    return Effect.flatMap(Clock.Clock, (clock) =>
      store.update(`spent-${keccak256(`${wallet} ${chain} ${token}`)}`, (text) => {
        const before = decode(Spent, text) ?? { wallet, chain, token, total: 0n, recent: [] }
        const [after, answer] = change(before, clock.currentTimeMillisUnsafe())
        return [after === before ? text : encode(Spent, after), answer] as const
      })
    )
  }
  return {
    claim: ({ key, requestHash, owner, lease }) =>
      onEntry(key, (entry, now) => {
        // A claim that lasts far longer than any claim was made by a clock that was far ahead. Clocks of processes that
        // share a ledger may differ by less than that.
        const isOver = ({ until }: Entry) => until <= now || until > now + 2 * lease
        const free =
          entry === undefined || (entry.state === "claimed" && entry.requestHash === requestHash && isOver(entry))
        const held: Entry = free ? { key, requestHash, state: "claimed", owner, until: now + lease } : entry
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
        const found = spent.recent.find((entry) => entry.id === id)
        const recent = spent.recent.filter((entry) => entry !== found)
        return [found ? { ...spent, total: spent.total - found.amount, recent } : spent, undefined]
      }),
    finish: (key, { flowId, signatures, swapId, status }) =>
      onEntry(key, (entry) => {
        if (entry?.flowId !== flowId) return [entry, false]
        if (entry.state === "ended") return [entry, true]
        return entry.signatures === signatures ? [{ ...entry, state: "ended", swapId, status }, true] : [entry, false]
      })
  }
}

/** A failure of a store as one of our errors. */
const toLedgerError = (cause: unknown): LedgerError =>
  cause instanceof LedgerError
    ? cause
    : new LedgerError({ message: "The ledger could not be read or written.", cause: wordsOf(cause) })

/** A ledger that lasts as long as the process. */
export const makeMemory: Effect.Effect<Shape> = Effect.sync(() => {
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

/** A ledger from a store in promises. */
export const fromPromise = (ledger: PromiseLedger): Shape =>
  make({
    update: (name, change) => Effect.tryPromise({ try: () => ledger.update(name, change), catch: toLedgerError })
  })

/** Exclusive locks by name, as `navigator.locks` of a page or a worker grants them over all tabs of its origin. */
export interface Locks {
  readonly request: <A>(name: string, run: () => Promise<A>) => Promise<A>
}

/** How a ledger over text storage behaves. */
export interface StorageOptions {
  /** What makes a change of the storage atomic: `navigator.locks`. */
  readonly locks: Locks
  /** What its keys begin with; `geoswap.ledger.` if omitted. */
  readonly prefix?: string
}

/**
 * A ledger over text storage, for pages. A storage without locks is refused: two tabs could spend the same budget. A
 * browser may show a tab late what another tab wrote to `localStorage`: if a budget must hold over tabs, give it a storage
 * over IndexedDB.
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
    throw new LedgerError({ message: "A storage without locks cannot keep a ledger: give it `navigator.locks`." })
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

/** A ledger as a layer. */
export const layer = (ledger: Shape): Layer.Layer<never> => Layer.succeed(Ledger, ledger)

/** A ledger that lasts as long as the layer: build it once, or its budgets and keys start again. */
export const layerMemory: Layer.Layer<never> = /* @__PURE__ */ Layer.effect(Ledger, makeMemory)

/** A ledger over text storage, as a layer. */
export const layerStorage = (...given: Parameters<typeof storageLedger>): Layer.Layer<never> =>
  layer(fromPromise(storageLedger(...given)))
