/** JSON with the number of its format, so that a later version reads what an earlier one wrote, and an earlier one stops. */

/** The format that this version writes. A file without a number has this format too. */
const current = 1

/** What a text turned out to be. */
export type Parsed =
  | { readonly _tag: "Value"; readonly value: object }
  | { readonly _tag: "Newer"; readonly version: number }
  | { readonly _tag: "Damaged" }

/** An object as text. */
export const formatVersioned = (value: object): string => JSON.stringify({ version: current, ...value })

/** The object behind a text. */
export const parseVersioned = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { _tag: "Damaged" }
    const version: unknown = "version" in value ? value.version : current
    if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return { _tag: "Damaged" }
    return version > current ? { _tag: "Newer", version } : { _tag: "Value", value }
  } catch {
    return { _tag: "Damaged" }
  }
}
