/** Reads properties of external values, which may be anything. */

/** Reads a property of an object or a function. Returns `undefined` for any other value. */
export const readProperty = (value: unknown, name: string): unknown =>
  (typeof value === "object" && value !== null) || typeof value === "function"
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Whether a value has a method with this name, including an inherited one. */
export const hasMethod = (value: unknown, name: string): boolean => typeof readProperty(value, name) === "function"
