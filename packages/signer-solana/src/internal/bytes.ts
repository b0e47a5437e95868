/** Reads byte arrays from outside this package without running any code that they define. */

const typedArrays: object = Object.getPrototypeOf(Uint8Array.prototype) as object

/** Whether a value is a `Uint8Array`, including one from another window or worker. */
export const isBytes = (value: unknown): value is Uint8Array =>
  Reflect.get(typedArrays, Symbol.toStringTag, value) === "Uint8Array"

/** The actual length of a byte array, even if it overrides `length`. */
export const sizeOf = (bytes: Uint8Array): number => Number(Reflect.get(typedArrays, "length", bytes))

/** Converts each byte to one character, so two strings are equal only if their bytes are equal. */
export const toLatin1 = (bytes: ArrayLike<number>): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
