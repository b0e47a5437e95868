/** Quotes values in the commands that this program suggests. */
import { stripControls } from "./sanitize.js"

/** Quotes a value as one shell word, so that pasting an id from the service cannot run a command. */
export const shellQuote = (text: string): string => {
  const word = stripControls(text)
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
