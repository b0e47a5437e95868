/** Idempotency keys for calls without one: the same order within a time window is the same swap. */
import { keccak256 } from "@geoswap/core/adapters"

/** How long the same order is treated as a repetition, in milliseconds. */
export const repeatWindow = 600_000

/** The order of an earlier call, as a ledger stores it. */
interface Recorded {
  readonly key: string
  /** When the key was made, in Unix milliseconds. */
  readonly at: number
}

/** The name of the ledger record for an order. Orders that mean the same must have the same parts. */
export const recordName = (parts: ReadonlyArray<string>): string => {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  return `agent-order-${keccak256(bytes).replace(/^0x/, "").slice(0, 64)}`
}

const parse = (text: string | undefined): Recorded | undefined => {
  if (text === undefined) return undefined
  const value = JSON.parse(text) as Partial<Recorded>
  return typeof value.key === "string" && typeof value.at === "number" ? { key: value.key, at: value.at } : undefined
}

/**
 * The change to the ledger record for an order: returns the key of an earlier call within the window, or of an earlier
 * call that has not finished, and otherwise records a new key. Apply it in one atomic update, so that parallel calls get
 * the same key.
 */
export const keyFor =
  ({ fresh, now, unfinished }: { fresh: string; now: number; unfinished: (key: string) => boolean }) =>
  (before: string | undefined): readonly [string, string] => {
    const recorded = parse(before)
    const repeats = recorded !== undefined && (now - recorded.at < repeatWindow || unfinished(recorded.key))
    const next = repeats ? recorded : { key: fresh, at: now }
    return [JSON.stringify(next), next.key]
  }
