/** Errors about constructor arguments. The messages never show the argument, because it may be a key. */
import { InvalidInput } from "../SwapError.js"

export const invalidInput = (field: string, message: string): InvalidInput =>
  new InvalidInput({ field, message: `${field}: ${message}` })

/** Describes what kind of value was passed, without showing the value. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (typeof value === "string") return value === "" ? "an empty string" : `a string of ${value.length} characters`
  if (Array.isArray(value)) return "an array"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
