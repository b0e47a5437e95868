/** Describes values for error messages: short, printable, and without values that may be secrets. */
import { isBytes, sizeOf } from "./bytes.js"

/** Describes the kind of a value. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (isBytes(value)) return `${sizeOf(value)} bytes`
  if (typeof value === "string") return `a string of ${value.length} characters`
  if (Array.isArray(value)) return `an array of length ${value.length}`
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** Makes external text safe to print. */
export const printable = (text: string, maxLength = 160): string =>
  text.slice(0, maxLength).replaceAll(/[^\x20-\x7e]/g, "?") + (text.length > maxLength ? "…" : "")

/** Shows a string or a bigint, and describes the kind of any other value. */
export const describeValue = (value: unknown): string =>
  typeof value === "string" || typeof value === "bigint" ? printable(`${value}`, 64) : describeKind(value)
