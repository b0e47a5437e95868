/** Text laid out for a terminal: tables, blocks, and foreign words with nothing in them but words. */
import { stripVTControlCharacters } from "node:util"

// C0, C1, bidirectional controls, what has no width, and halves of characters: nothing of it belongs into a name.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

// Every kind of space, and the sign that shows as one.
const spaces = /[\s\u2800]+/gu

// More marks on a letter than a language has, which run into the lines above and below.
const piled = /(\p{M}{2})\p{M}+/gu

/** A foreign text without control characters, on one line. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\t\r\n]+/g, " ")
    .replace(unseen, "")

/**
 * A value of the service as it is shown to people: one line, no runs of spaces, and no longer than `most` characters, so
 * that it cannot be laid out as lines of this program.
 */
export const foreign = (text: string, most = 128): string => {
  const [...chars] = clean(text.slice(0, 64 * most))
    .replace(spaces, " ")
    .replace(piled, "$1")
    .trim()
  return chars.length > most ? `${chars.slice(0, most - 1).join("")}…` : chars.join("")
}

// The styles of this program, and line breaks.
const escape = "\u001B"
const kept = new RegExp(`(${escape}\\[(?:1|2|22|3[12369])m|\n)`)

/** A text of this program without anything in it that a terminal obeys, except its own styles and line breaks. */
export const safe = (text: string): string =>
  text
    .split(kept)
    .map((part, at) => (at % 2 === 1 ? part : clean(part)))
    .join("")

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u

/** How many columns a text takes. */
const columnsOf = (text: string): number => {
  let columns = 0
  for (const char of stripVTControlCharacters(text)) columns += /\p{Mn}/u.test(char) ? 0 : wide.test(char) ? 2 : 1
  return columns
}

const pad = (text: string, columns: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, columns - columnsOf(text)))
  return right ? space + text : text + space
}

/** How a table is laid out. */
export interface TableOptions {
  readonly head?: ReadonlyArray<string> | undefined
  /** The columns whose text ends at the right, such as amounts. */
  readonly right?: ReadonlyArray<number> | undefined
  /** Given the head before it is padded. */
  readonly style?: ((text: string) => string) | undefined
}

/** Rows in columns that line up, two spaces apart. Every cell is on one line. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>, options: TableOptions = {}): string => {
  const { head, right = [], style = (text) => text } = options
  const all = (head === undefined ? rows : [head.map(style), ...rows]).map((row) =>
    row.map((cell) => safe(cell.replaceAll("\n", " ")))
  )
  // Loops, since a call takes only so many arguments, and the service may say how many rows there are.
  const widths: Array<number> = []
  for (const row of all) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell))
  }
  return all
    .map((row) =>
      widths
        .map((width, column) => pad(row[column] ?? "", width, right.includes(column)))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Names and values, one pair a line; a pair without a value is left out. */
export const block = (
  pairs: ReadonlyArray<readonly [name: string, value: string | undefined]>,
  style: (text: string) => string = (text) => text
): string => table(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[style(name), value]])))
