/** Stores JSON in `localStorage`. If storage is blocked, full or corrupted, the page works without stored values. */

/** Reads a stored value, or returns `undefined`. */
export const read = (key: string): unknown => {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Stores a value as JSON if possible. */
export const write = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing depends on the stored values.
  }
}
