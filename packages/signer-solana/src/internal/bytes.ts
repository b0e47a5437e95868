/** Bytes from outside, read without running code of theirs. */

const typedArrays: object = Object.getPrototypeOf(Uint8Array.prototype) as object

/** Whether a value is a `Uint8Array`, also one of another window or worker. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Reflect.get(typedArrays, Symbol.toStringTag, value) === "Uint8Array"

/** The real length of bytes, even if they override `length`. */
export const sizeOf = (bytes: Uint8Array): number => Number(Reflect.get(typedArrays, "length", bytes))

/** Bytes as a string with one character each: two strings are equal only if the bytes are. */
export const toLatin1 = (bytes: ArrayLike<number>): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
