/** Idempotency keys for calls without one: the same order within a time window is the same swap. */
import { keccak256 } from "@geoswap/core/adapters"

/** How long the same order is treated as a repetition, in milliseconds. */
export const repeatWindow = 600_000

/** The name of the store record with the orders of earlier calls. */
export const ordersRecord = "agent-orders"

/** The order of an earlier call, as the store stores it. */
interface Recorded {
  readonly key: string
  /** When the key was made, in Unix milliseconds. */
  readonly at: number
}

/** An EVM address may be written in capitals or not. */
const evmAddress = /^0x[0-9a-f]{40}$/i

const hashOf = (parts: ReadonlyArray<string>): string => {
  const normal = parts.map((part) => (evmAddress.test(part) ? part.toLowerCase() : part))
  return keccak256(new TextEncoder().encode(JSON.stringify(normal)))
}

const isRecorded = (value: unknown): value is Recorded =>
  typeof value === "object" &&
  value !== null &&
  "key" in value &&
  typeof value.key === "string" &&
  "at" in value &&
  typeof value.at === "number"

/** The recorded orders by the hash of their parts. */
const parse = (text: string | undefined): ReadonlyArray<readonly [string, Recorded]> => {
  const value: unknown = text === undefined ? {} : JSON.parse(text)
  return Object.entries(value ?? {}).filter((entry): entry is [string, Recorded] => isRecorded(entry[1]))
}

/** A call without a key. */
interface Unkeyed {
  /** What the order means. Orders that mean the same must have the same parts. */
  readonly parts: ReadonlyArray<string>
  /** The key for a new swap. */
  readonly fresh: string
  /** The time, in Unix milliseconds. */
  readonly now: number
  /** Whether the swap with a key has not finished. */
  readonly unfinished: (key: string) => boolean
}

/**
 * The change to the record `ordersRecord`: returns the key of an earlier call within the window, or of an earlier call
 * that has not finished, and otherwise records a new key. Other orders are forgotten after the window. Apply it in one
 * atomic update, so that parallel calls get the same key.
 */
export const keyFor =
  ({ fresh, now, parts, unfinished }: Unkeyed) =>
  (before: string | undefined): readonly [string, string] => {
    const current = parse(before).filter(([, { at, key }]) => now - at < repeatWindow || unfinished(key))
    const hash = hashOf(parts)
    const { key, at } = current.find(([recorded]) => recorded === hash)?.[1] ?? { key: fresh, at: now }
    return [JSON.stringify(Object.fromEntries([...current, [hash, { key, at }]])), key]
  }
