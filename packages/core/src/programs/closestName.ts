/** Suggestions for misspelled names. */

/** The Levenshtein distance between two names. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const kept = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

/** Returns the name that is closest to the input. */
export const closestName = (written: string, names: ReadonlyArray<string>): string => {
  const ranked = names.map((name) => [distance(written.toLowerCase(), name.toLowerCase()), name] as const)
  return ranked.reduce((best, each) => (each[0] < best[0] ? each : best), [Infinity, ""])[1]
}
