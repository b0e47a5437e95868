/** Types and checks for the properties of external values, which may be anything. */

/** Properties whose values are unknown. */
export type Properties<K extends string> = { readonly [Key in K]?: unknown }

/** Whether a value can have properties: an object or a function. */
export const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"
