/** Reads the raw configuration file, without its schema. */

/** An object in the file. */
export type Fields = { readonly [name: string]: unknown }

/** Whether a value is an object. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns an object, or an empty one for any other value. The next two functions do the same for lists and names. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
export const listOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.map(fieldsOf) : [])
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.length >= 1 && value.length <= 64 ? value : undefined

/** Describes every entry that duplicates an earlier entry. */
export const repeats = (
  keys: ReadonlyArray<string | undefined>,
  describe: (index: number, first: number) => string
): ReadonlyArray<string> =>
  keys.flatMap((key, index) => {
    const first = keys.indexOf(key)
    return key === undefined || first === index ? [] : [describe(index, first)]
  })
