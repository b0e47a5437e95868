/** Values in commands that are suggested to the user. */
import { clean } from "./text.js"

/** A value as one word of a shell, whoever it comes from: an id of the service runs nothing when it is pasted. */
export const forShell = (text: string): string => {
  const word = clean(text)
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
