/** Stores JSON in `localStorage`. If storage is blocked, full or corrupted, the page works without stored values. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Reads a stored value. Returns `undefined` if there is no value or it cannot be read. */
export const read = (key: string): unknown => {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Returns the items of a stored list that the schema accepts. */
export const itemsOf = <A>(schema: Schema.Codec<A>, stored: unknown): ReadonlyArray<A> => {
  const decode = Schema.decodeUnknownOption(schema)
  return Array.isArray(stored) ? stored.flatMap((item) => Option.toArray(decode(item))) : []
}

/** Stores a value as JSON if possible. */
export const write = (key: string, value: unknown) => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Ignore the error, because the page also works without stored values.
  }
}
