/** Describes values in error messages without showing them, since they may be keys. */

/** Describes the kind of a value. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === "string") return value === "" ? "an empty string" : `a string of ${value.length} characters`
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** Returns a number as text, and the kind of any other value. */
export const describeValue = (value: unknown): string => (typeof value === "number" ? `${value}` : describeKind(value))
