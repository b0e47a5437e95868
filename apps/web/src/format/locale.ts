/** The reader's locale, which determines how numbers and dates are written. */

/** Returns the browser's locale. */
export const locale = (): string => (typeof navigator === "undefined" ? "en" : (navigator.language ?? "en"))

/** Creates a value for each locale once. */
export const perLocale = <A>(make: (locale: string) => A): (() => A) => {
  const made = new Map<string, A>()
  return () => {
    const current = locale()
    const known = made.get(current)
    if (known !== undefined) return known
    const value = make(current)
    made.set(current, value)
    return value
  }
}
