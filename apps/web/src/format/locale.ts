/** Formats that depend on the reader's locale. */
import { locale } from "../language/language.js"

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
