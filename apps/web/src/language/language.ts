/** The language of the page: the reader's choice, or the first of the browser's languages that has a catalogue. */
import * as storage from "../storage.js"
import { createStore } from "../ui/store.js"
import { type Catalogue, catalogueOf, type Translation } from "./catalogue.js"
import { en } from "./en.js"

/** The languages that have a catalogue. English is part of the page, and the others are loaded on demand. */
const catalogues = {
  en: () => Promise.resolve(en),
  de: async (): Promise<Translation> => (await import("./de.js")).de
} as const

/** The code of a language that has a catalogue. */
export type Language = keyof typeof catalogues

/** The languages that the reader can choose, each with its name in that language. */
export const languages: Readonly<Record<Language, string>> = { en: "English", de: "Deutsch" }

const key = "geoswap.language"

const isLanguage = (value: unknown): value is Language => typeof value === "string" && Object.hasOwn(catalogues, value)

const baseOf = (locale: string): string => locale.split("-", 1)[0]?.toLowerCase() ?? ""

/** The locales of the browser, most preferred first. Empty outside a browser. */
const browserLocales = (): ReadonlyArray<string> =>
  typeof navigator === "undefined" ? [] : (navigator.languages ?? [])

interface Active {
  readonly language: Language
  readonly text: Catalogue
}

const english: Active = { language: "en", text: catalogueOf(en) }

/** The language of the page, and its texts. */
export const active = createStore(english)

let chosen: Language | undefined

/** Returns the texts in the reader's language. */
export const text = (): Catalogue => active.get().text

/** Returns the language of the page. */
export const language = (): Language => active.get().language

/**
 * Returns the locale of numbers and dates. Without a choice, it is the browser's, even if the texts are in English. For
 * a chosen language, it is the browser's variant of that language.
 */
export const locale = (): string => {
  const [first = "en"] = browserLocales()
  return chosen === undefined ? first : (browserLocales().find((one) => baseOf(one) === chosen) ?? chosen)
}

const activate = async (next: Language): Promise<void> => {
  // Without the catalogue, the page works in English.
  const loaded = await catalogues[next]().catch(() => undefined)
  active.set(loaded === undefined ? english : { language: next, text: catalogueOf(loaded) })
  document.documentElement.lang = language()
  document.title = text().page.title
}

/** Loads the reader's language before the page is shown. */
export const loadLanguage = (): Promise<void> => {
  const stored = storage.read(key)
  chosen = isLanguage(stored) ? stored : undefined
  return activate(chosen ?? browserLocales().map(baseOf).find(isLanguage) ?? "en")
}

/** Switches the language, and stores the choice. */
export const chooseLanguage = (next: Language): Promise<void> => {
  chosen = next
  storage.write(key, next)
  return activate(next)
}
