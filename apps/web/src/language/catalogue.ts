/** Texts with placeholders, such as `"{wallet} could not sign."`. English determines which ones, and their order. */
import { en } from "./en.js"

/** The names of the placeholders in a text, in the order in which they first appear. */
type Placeholders<Text, Found extends ReadonlyArray<string> = []> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Placeholders<Rest, Name extends Found[number] ? Found : [...Found, Name]>
  : Found

type Filled<Text> =
  Placeholders<Text> extends infer Names extends readonly [string, ...ReadonlyArray<string>]
    ? (...values: { [K in keyof Names]: string | number }) => string
    : string

type Texts<English> = English extends string ? Filled<English> : { readonly [K in keyof English]: Texts<English[K]> }

type Translated<English> = English extends string ? string : { readonly [K in keyof English]: Translated<English[K]> }

/** The texts in one language. A text with placeholders is a function of their values. */
export type Catalogue = Texts<typeof en>

/** The texts of `en.ts` in another language, with the same placeholders. */
export type Translation = Translated<typeof en>

const placeholder = /\{\w+\}/g

const fill = (english: unknown, translated: unknown): unknown => {
  if (typeof english === "string") {
    const names = [...new Set(english.match(placeholder))]
    const text = String(translated)
    if (names.length === 0) return text
    return (...values: ReadonlyArray<string | number>) =>
      text.replaceAll(placeholder, (name) => String(values[names.indexOf(name)]))
  }
  // The texts in lists have no placeholders.
  if (Array.isArray(english)) return translated
  const parts = translated as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(english as object).map(([name, part]) => [name, fill(part, parts[name])]))
}

/** Turns the placeholders of a translation into parameters. */
export const catalogueOf = (translation: Translation): Catalogue => fill(en, translation) as Catalogue
