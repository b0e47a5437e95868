/** Removes control characters from text before the text reaches a terminal. */
import { stripVTControlCharacters } from "node:util"

// C0 and C1 controls, bidirectional controls, zero-width characters and lone surrogates.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

// All whitespace, and the blank Braille pattern, which looks like a space.
const spaces = /[\s\u2800]+/gu

// More than two combining marks on a letter, which would overlap the lines above and below.
const stackedMarks = /(\p{M}{2})\p{M}+/gu

/** Removes control characters and line breaks. */
export const stripControls = (text: string) =>
  stripVTControlCharacters(text)
    .replace(/[\t\r\n]+/g, " ")
    .replace(invisible, "")

/**
 * Prepares an untrusted value, such as one from the service, for display: one line, no runs of spaces, and at most
 * `maxLength` characters, so that it cannot imitate this program's output.
 */
export const sanitize = (text: string, maxLength = 128) => {
  const [...chars] = stripControls(text.slice(0, 64 * maxLength))
    .replace(spaces, " ")
    .replace(stackedMarks, "$1")
    .trim()
  return chars.length > maxLength ? `${chars.slice(0, maxLength - 1).join("")}…` : chars.join("")
}

// The styles that this program uses, and line breaks.
const escape = "\u001B"
const allowed = new RegExp(`(${escape}\\[(?:1|2|22|3[12369])m|\n)`)

/** Removes control sequences from this program's output, except for its own styles and line breaks. */
export const stripUnknownControls = (text: string) =>
  text
    .split(allowed)
    .map((part, at) => (at % 2 === 1 ? part : stripControls(part)))
    .join("")
