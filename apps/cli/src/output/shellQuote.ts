/** Quotes values in the commands that this program suggests. */
import { stripControls } from "./sanitize.js"

/** Quotes a value as one shell word, so that pasting an id from the service cannot run a command. */
export const shellQuote = (text: string) => {
  const word = stripControls(text)
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Quotes the last argument of a command, which is not a flag. An id that starts with a dash follows `--`, so that pasting
 * it cannot set a flag.
 */
export const quoteArgument = (text: string) => {
  const word = shellQuote(text)
  return /^'?-/.test(word) ? `-- ${word}` : word
}
