/** The browser's storage, which may be blocked, full or damaged: then the page goes on without it. */

/** Reads what `write` left, or nothing. */
export const read = (key: string): unknown => {
  try {
    const text = localStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** Keeps a value as JSON where it can. */
export const write = (key: string, value: unknown): void => {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing depends on what is kept this way.
  }
}
