/** Stores JSON in `localStorage`. If storage is blocked, full or corrupted, the page works without stored values. */

/** Reads a stored value. Returns `undefined` if there is no value or it cannot be read. */
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
    // Ignore the error, because the page also works without stored values.
  }
}
