/** The amounts that are reserved before a signature, and what is left of their limits. */
import * as Schema from "effect/Schema"
import { Amount } from "../Amount.js"
import { addressKey } from "../codecs/addressKey.js"

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
 * What a wallet has spent of one token on one chain: the total amount, and a list of the reservations from the last day, which is
 * the longest window that needs individual reservations.
 */
export const Spent = /* @__PURE__ */ Schema.Struct({
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
export type Spent = typeof Spent.Type

const windows = { hour: 3_600_000, day: 86_400_000, total: Infinity }

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

/** Replaces what was spent of one token. Returns the same list if nothing has changed. */
const changeSpent = <A>(
  all: ReadonlyArray<Spent>,
  scope: Scope,
  change: (spent: Spent) => readonly [Spent, A]
): readonly [ReadonlyArray<Spent>, A] => {
  const [chain, token] = [scope.chain, addressKey(scope.token)]
  const found = all.find((spent) => spent.chain === chain && spent.token === token)
  const before = found ?? { chain, token, total: 0n, recent: [] }
  const [after, answer] = change(before)
  return [after === before ? all : [...all.filter((spent) => spent !== found), after], answer]
}

/** Reserves an amount, or returns the limit that the amount would exceed. */
export const reserve = (all: ReadonlyArray<Spent>, reservation: Reservation, now: number) =>
  changeSpent<Exhausted | undefined>(all, reservation, (spent) => {
    const after = reserveIn(spent, reservation, now)
    return "left" in after ? [spent, after] : [after, undefined]
  })

/** Releases a reservation, unless it has been made permanent. */
export const release = (all: ReadonlyArray<Spent>, { id, ...scope }: ReservationId): ReadonlyArray<Spent> =>
  changeSpent(all, scope, (spent) => {
    const found = spent.recent.find((one) => one.id === id && !one.kept)
    const recent = spent.recent.filter((one) => one !== found)
    return [found ? { ...spent, total: spent.total - found.amount, recent } : spent, undefined]
  })[0]

/** Makes a reservation permanent, and returns whether the reservation exists. */
export const keep = (all: ReadonlyArray<Spent>, { id, ...scope }: ReservationId) =>
  changeSpent(all, scope, (spent) => {
    const found = spent.recent.find((one) => one.id === id)
    if (!found || found.kept) return [spent, found !== undefined]
    const recent = spent.recent.map((one) => (one === found ? { ...one, kept: true } : one))
    return [{ ...spent, recent }, true]
  })
