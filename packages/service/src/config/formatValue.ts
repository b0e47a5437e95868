/** Formats configuration paths and values for messages, without revealing secrets. */

/**
 * Whether a string may contain a secret: a private key, a mnemonic, or a URL with a password. The check errs on the
 * side of hiding too much.
 */
const mayBeSecret = (text: string): boolean =>
  text.length > 66 || /[0-9a-fA-F]{64}/.test(text) || /:\/\/[^/\s]*@/.test(text) || text.split(/\s+/).length > 5

/** Quotes a string, or hides it if it may be a secret. */
export const quote = (text: string): string => (mayBeSecret(text) ? "(hidden)" : JSON.stringify(text))

/** Formats a value for a message. */
export const formatValue = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

/** Formats a path: `chains[0].tokens[2].address`. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path
    .map((key, index) => {
      const name = String(key)
      if (typeof key === "number") return `[${name}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(name) || mayBeSecret(name)) return `[${quote(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join("")

/** The edit distance between two words. A transposition is one edit. */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next[column] = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        swapped ? (before[column - 2] ?? Infinity) + 1 : Infinity
      )
    }
    before = last
    last = next
  }
  return last[b.length] ?? 0
}

/** Returns the known name that was probably meant, if a known name is similar enough. */
export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  // A name this long is not a typo of a known name, and comparing it would be slow.
  if (name.length > 64) return undefined
  const [best] = known
    .map((other) => ({ other, away: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ away, other }) => away <= Math.max(1, Math.floor(Math.min(name.length, other.length) / 3)))
    .toSorted((a, b) => a.away - b.away)
  return best?.other
}
