/**
 * Text from services and chains: token symbols, error messages, failure codes. It is data, never an instruction. It
 * appears only in fields whose name starts with `untrusted`, without invisible characters and with a maximum length.
 */

/** The maximum length of an untrusted text, in characters. */
export const maxLength = 200

// C0 and C1 controls, bidirectional controls, zero-width characters, tags, lone surrogates, and private characters.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

// All whitespace, and the blank Braille pattern, which looks like a space.
const spaces = /[\s\u2800]+/gu

// More than two combining marks on a letter.
const stackedMarks = /(\p{M}{2})\p{M}+/gu

/** Prepares an untrusted text: one line, no invisible characters, at most `most` characters. */
export const clean = (text: string, most: number = maxLength): string => {
  const [...chars] = text
    .slice(0, 16 * most)
    // A zero-width space that `\s` matches.
    .replaceAll("\uFEFF", "")
    .replace(spaces, " ")
    .replace(invisible, "")
    .replace(stackedMarks, "$1")
    .replace(spaces, " ")
    .trim()
  return chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : chars.join("")
}

/** Whether a field holds untrusted text. */
export const isUntrusted = (name: string): boolean => name.startsWith("untrusted")

/** The form of an identifier, such as a transaction hash: letters and digits only, so that it holds no sentence. */
const identifier = /^[0-9A-Za-z]{1,128}$/

/** Returns an identifier from a service, such as a transaction hash, or `undefined` if it is not one. */
export const identifierOf = (text: string | undefined): string | undefined =>
  text !== undefined && identifier.test(text) ? text : undefined

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether an id of the service may be part of a text. Other ids could be sentences, and are only in their field. */
export const isPlainId = (id: string): boolean => uuid.test(id) || identifier.test(id)

const cleanValue = (value: unknown): string => clean(typeof value === "string" ? value : JSON.stringify(value ?? ""))

/** Cleans all untrusted texts in a value, and drops fields that are `undefined`. */
export const cleanFields = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(cleanFields)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      if (field === undefined) return []
      if (!isUntrusted(name)) return [[name, cleanFields(field)]]
      return [[name, Array.isArray(field) ? field.map(cleanValue) : cleanValue(field)]]
    })
  )
}
