/** What is found, in words: short, printable, and never the thing itself where that may be a secret. */

const typedArrays: object = Object.getPrototypeOf(Uint8Array.prototype) as object

/** Whether a value is bytes, also those of another window or worker. By what it is made of: no code of its own runs. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Reflect.get(typedArrays, Symbol.toStringTag, value) === "Uint8Array"

/** How many bytes there are, whatever they say of themselves. */
export const sizeOf = (bytes: Uint8Array): number => Number(Reflect.get(typedArrays, "length", bytes))

/** What kind of thing a value is. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return "nothing"
  if (isBytes(value)) return `${sizeOf(value)} bytes`
  if (typeof value === "string") return `a text of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** Bytes as a text with one character for each, so that two texts are equal only where the bytes are. */
export const latin1 = (bytes: ArrayLike<number>): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")

/** A text of somebody else, safe to print. */
export const printable = (text: string, most = 160): string =>
  text.slice(0, most).replaceAll(/[^\x20-\x7e]/g, "?") + (text.length > most ? "…" : "")

/** A value of somebody else as it is written, where it is a plain one; else what kind of thing it is. */
export const written = (value: unknown): string =>
  typeof value === "string" || typeof value === "bigint" ? printable(`${value}`, 64) : kindOf(value)
