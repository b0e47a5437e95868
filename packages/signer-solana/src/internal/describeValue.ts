/** What is found, in words: short, printable, and never the thing itself where that may be a secret. */
import { isBytes, sizeOf } from "./bytes.js"

/** What kind of thing a value is. */
export const describeKind = (value: unknown): string => {
  if (value === undefined || value === null) return "nothing"
  if (isBytes(value)) return `${sizeOf(value)} bytes`
  if (typeof value === "string") return `a text of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** A text of somebody else, safe to print. */
export const printable = (text: string, most = 160): string =>
  text.slice(0, most).replaceAll(/[^\x20-\x7e]/g, "?") + (text.length > most ? "…" : "")

/** A value of somebody else as it is written, where it is a plain one; else what kind of thing it is. */
export const describeValue = (value: unknown): string =>
  typeof value === "string" || typeof value === "bigint" ? printable(`${value}`, 64) : describeKind(value)
