/** JSON with a format version. Files with a newer version are rejected, not misread. */

/** The format version of the files that this code writes. */
const current = 1

/** The result of parsing a file. */
export type Parsed =
  | { readonly _tag: "Value"; readonly value: object }
  | { readonly _tag: "Newer"; readonly version: number }
  | { readonly _tag: "Damaged" }

/** Formats an object with its version. */
export const formatVersioned = (value: object): string => JSON.stringify({ version: current, ...value })

/** Parses a string that `formatVersioned` created. */
export const parseVersioned = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { _tag: "Damaged" }
    const version: unknown = "version" in value ? value.version : undefined
    if (typeof version !== "number" || !Number.isSafeInteger(version) || version < 1) return { _tag: "Damaged" }
    return version > current ? { _tag: "Newer", version } : { _tag: "Value", value }
  } catch {
    return { _tag: "Damaged" }
  }
}
