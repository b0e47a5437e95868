/** What is found, in words: short, printable, and never the thing itself where that may be a secret. */

/** Whether a value is bytes, also those of another window or worker. */
export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]"

/** What kind of thing a value is. */
export const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return "nothing"
  if (isBytes(value)) return `${value.length} bytes`
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
