/** Describes a value in an error message without the value itself, which may be a key. */

/** Describes what kind of value it is. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === "string") return value === "" ? "an empty text" : `a text of ${value.length} characters`
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** Shows a number as it is, and describes the kind of any other value. */
export const describeValue = (value: unknown): string => (typeof value === "number" ? `${value}` : describeKind(value))
