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

/** What a reservation is counted against: a token on a chain. */
export interface Scope {
  readonly chainId: number
  readonly token: string
}

/**
 * An amount that is reserved before signing. Reserving the same id again rechecks the limits and updates the time of
 * the reservation, but the amount is counted only once.
 */
export interface Reservation extends Scope {
  readonly id: string
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
  chainId: Schema.Finite,
  token: Schema.String,
  total: Amount,
  recent: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({
      id: Schema.String,
      amount: Amount,
      at: Schema.Finite
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

/** Returns what was spent without the reservations that have these ids. */
const without = (spent: Spent, isReleased: (id: string) => boolean): Spent => {
  const released = spent.recent.filter(({ id }) => isReleased(id))
  if (released.length === 0) return spent
  return {
    ...spent,
    total: released.reduce((total, { amount }) => total - amount, spent.total),
    recent: spent.recent.filter((entry) => !released.includes(entry))
  }
}

const find = (all: ReadonlyArray<Spent>, scope: Scope): Spent => {
  const [chainId, token] = [scope.chainId, addressKey(scope.token)]
  return (
    all.find((spent) => spent.chainId === chainId && spent.token === token) ?? { chainId, token, total: 0n, recent: [] }
  )
}

/** Returns what is left of a limit, besides the reservation `id`. */
export const left = (
  all: ReadonlyArray<Spent>,
  scope: Scope,
  { amount, window }: Limit,
  now: number,
  id?: string
): bigint => {
  const others = without(find(all, scope), (other) => other === id)
  const rest = amount - within(others, window, now)
  return rest > 0n ? rest : 0n
}

/** Reserves an amount, or returns the limit that the amount would exceed. */
export const reserve = (
  all: ReadonlyArray<Spent>,
  { amount, id, limits, ...scope }: Reservation,
  now: number
): ReadonlyArray<Spent> | Exhausted => {
  for (const limit of limits) {
    const rest = left(all, scope, limit, now, id)
    if (amount > rest) return { window: limit.window, left: rest }
  }
  const before = find(all, scope)
  const own = before.recent.find((entry) => entry.id === id)
  const others = without(before, (other) => other === id)
  // Keep reservations until they are a day old both by the clock and by the stored times. Otherwise, reservations would
  // be lost for good if the clock were briefly ahead, now or when the latest reservation was made.
  const newest = before.recent.reduce((latest, { at }) => Math.max(latest, at), 0)
  const recent = others.recent.filter(({ at }) => at > Math.min(newest, now) - windows.day)
  // Reserving an amount again never moves the reservation's time back, even if the clock has been set back.
  const entry = { id, amount, at: Math.max(now, own?.at ?? now) }
  const after = { ...before, total: others.total + amount, recent: [...recent, entry] }
  return [...all.filter((spent) => spent !== before), after]
}

/** Releases the reservations with these ids, of every token. */
export const release = (all: ReadonlyArray<Spent>, isReleased: (id: string) => boolean): ReadonlyArray<Spent> =>
  all.map((spent) => without(spent, isReleased))
