/** The language of the page: the reader's choice, or the first of the browser's languages that has a catalogue. */
import * as storage from "../storage.js"
import { createStore } from "../ui/store.js"
import { catalogueOf, type Translation } from "./catalogue.js"
import { en } from "./en.js"

/** The languages, each with its name in that language. English is part of the page, and the others are loaded on demand. */
export const languages = {
  en: { name: "English", load: async (): Promise<Translation> => en },
  de: { name: "Deutsch", load: async (): Promise<Translation> => (await import("./de.js")).de }
}

/** The code of a language. */
export type Language = keyof typeof languages

const key = "geoswap.language"

const isLanguage = (value: unknown): value is Language => typeof value === "string" && Object.hasOwn(languages, value)

const baseOf = (locale: string) => locale.split("-", 1)[0]?.toLowerCase()

/** The locales of the browser, most preferred first. Empty outside a browser. */
const browserLocales = () => (typeof navigator === "undefined" ? [] : (navigator.languages ?? []))

/** The texts in the reader's language. Read them while the page renders, because they change with the language. */
export let text = catalogueOf(en)

/** The language of the page. */
export const language = createStore<Language>("en")

let chosen: Language | undefined

/**
 * Returns the locale of numbers and dates. Without a choice, it is the browser's, even if the texts are in English. For
 * a chosen language, it is the browser's variant of that language.
 */
export const locale = () => {
  const [first = "en"] = browserLocales()
  return chosen === undefined ? first : (browserLocales().find((one) => baseOf(one) === chosen) ?? chosen)
}

const activate = async (next: Language) => {
  // Without the catalogue, the page works in English.
  const loaded = await languages[next].load().catch(() => undefined)
  text = catalogueOf(loaded ?? en)
  language.set(loaded === undefined ? "en" : next)
  document.documentElement.lang = language.get()
  document.title = text.page.title
}

/** Loads the reader's language before the page is shown. */
export const loadLanguage = () => {
  const stored = storage.read(key)
  chosen = isLanguage(stored) ? stored : undefined
  return activate(chosen ?? browserLocales().map(baseOf).find(isLanguage) ?? "en")
}

/** Switches the language, and stores the choice. */
export const chooseLanguage = (next: Language) => {
  chosen = next
  storage.write(key, next)
  return activate(next)
}
