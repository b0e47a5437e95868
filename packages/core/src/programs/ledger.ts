/** The commitments in the store, as the swap programs use them: entries of `execute` calls, and reserved amounts. */
import * as Effect from "effect/Effect"
import { compact } from "../codecs/compact.js"
import type { FlowId, SwapId } from "../Id.js"
import * as Store from "../Store.js"
import type { StoreError } from "../SwapError.js"
import { Views } from "./journal.js"

type Entry = Store.Entry

/** Identifies an entry: an idempotency key or, without one, a flow of a wallet. */
export type EntryKey = string | { readonly flowId: FlowId; readonly wallet: string }

/** Returns the key of the entry for a flow. */
export const entryKeyOf = ({ id: flowId, idempotencyKey, request }: Store.Flow): EntryKey =>
  idempotencyKey ?? { flowId, wallet: request.walletAddress }

/** The claim that an `execute` call makes before its first request. */
export interface Claim extends Pick<Entry, "requestHash" | "owner" | "wallet"> {
  readonly key: EntryKey
  /** How long other `execute` calls are prevented from taking over the claim, in milliseconds. */
  readonly lease: number
  /** If set, a new entry starts in the state `signing`, with these fields. */
  readonly flow?: Pick<Entry, "flowId" | "signatures" | "resumed" | "sent">
}

/** How a flow's swap ended. */
interface End extends Pick<Entry, "signatures"> {
  readonly flowId: FlowId
  readonly swapId: SwapId
  readonly status: string
}

/** The methods on commitments. Each is atomic across all processes that share the store. */
export interface Ledger {
  /**
   * Claims a key and returns the key's entry. The claim belongs to the caller if the entry has the caller's `owner` id.
   * A call for the same request can take over an expired claim if nothing has been sent for it. A call for any request
   * can take over a released claim, whose `until` is 0. In both cases, the entry keeps the id of the previous owner's
   * flow.
   */
  readonly claim: (claim: Claim) => Effect.Effect<Entry, StoreError>
  /** Returns the entry for a key, or `undefined` if there is no entry. */
  readonly get: (key: EntryKey) => Effect.Effect<Entry | undefined, StoreError>
  /**
   * Updates an entry if it matches every field in `from`, and returns whether the entry matched. If `to` is
   * `undefined`, the entry is removed.
   */
  readonly advance: (
    key: EntryKey,
    from: Partial<Entry>,
    to: Partial<Omit<Entry, "key" | "requestHash">> | undefined
  ) => Effect.Effect<boolean, StoreError>
  /** Reserves an amount, or returns the limit that the amount would exceed. */
  readonly reserve: (reservation: Store.Reservation) => Effect.Effect<Store.Exhausted | undefined, StoreError>
  /** Releases a reservation, unless it has been made permanent. */
  readonly release: (reservation: Store.ReservationId) => Effect.Effect<void, StoreError>
  /** Makes a reservation permanent, and returns whether the reservation exists. */
  readonly keep: (reservation: Store.ReservationId) => Effect.Effect<boolean, StoreError>
  /**
   * Records how the swap for a key ended, and returns whether the entry now shows that the swap has ended. Changes
   * nothing if the swap had already ended, if the key belongs to another flow, or if the number of signatures differs
   * from the number in the entry.
   */
  readonly finish: (key: EntryKey, end: End) => Effect.Effect<boolean, StoreError>
}

/** Returns a store's methods on commitments. */
export const makeLedger = (store: Store.Store): Ledger => {
  const onEntry = <A>(
    key: EntryKey,
    change: (entry: Entry | undefined, now: number) => readonly [Entry | undefined, A]
  ): Effect.Effect<A, StoreError> =>
    typeof key === "string"
      ? store.updateKey(key, change)
      : store.update(key.wallet, (wallet, now) => {
          const before = wallet.entries.find((entry) => entry.key === key.flowId)
          const [after, answer] = change(before, now)
          if (after === before) return [wallet, answer]
          const others = wallet.entries.filter((entry) => entry !== before)
          return [{ ...wallet, entries: after ? [...others, after] : others }, answer]
        })
  return {
    claim: ({ key, requestHash, owner, wallet, lease, flow }) =>
      onEntry(key, (entry, now) => {
        // A claim that expires more than two leases from now was made while the clock was far ahead. The clocks of
        // processes that share a store may differ by up to one lease.
        const isOver = ({ until }: Entry) => until <= now || until > now + 2 * lease
        const isUnsent = ({ state, signatures, resumed, sent }: Entry) =>
          state === "claimed" || (state === "signing" && signatures === 1 && resumed === false && sent === false)
        const isReleased = ({ state, until }: Entry) => state === "claimed" && until === 0
        const free =
          entry === undefined ||
          isReleased(entry) ||
          (isUnsent(entry) && entry.requestHash === requestHash && isOver(entry))
        if (!free) return [entry, entry]
        const held: Entry = compact({
          key: typeof key === "string" ? key : key.flowId,
          wallet,
          requestHash,
          state: flow ? ("signing" as const) : ("claimed" as const),
          owner,
          until: now + lease,
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
    reserve: (reservation) => Store.reserve(store, reservation),
    release: (reservation) => Store.release(store, reservation),
    keep: (reservation) => Store.keep(store, reservation),
    finish: (key, { flowId, signatures, swapId, status }) =>
      onEntry(key, (entry) => {
        if (entry?.flowId !== flowId) return [entry, false]
        if (entry.state === "ended") return [entry, true]
        return entry.signatures === signatures ? [{ ...entry, state: "ended", swapId, status }, true] : [entry, false]
      })
  }
}

/** The store's methods on commitments, or `undefined` if there is no store or if it has flows only. */
export const Ledger: Effect.Effect<Ledger | undefined> = /* @__PURE__ */ Effect.flatMap(Views, (views) =>
  views
    ? Effect.succeed(views.ledger)
    : Effect.map(Effect.serviceOption(Store.Store), (store) =>
        store._tag === "Some" && store.value.records.flowsOnly !== true ? makeLedger(store.value) : undefined
      )
)
