/** Text laid out for a terminal: tables, blocks, and foreign words with nothing in them but words. */
import { stripVTControlCharacters } from "node:util"

// C0, C1, bidirectional overrides and what has no width: nothing of it belongs into a name.
const unseen = /[\p{Cc}\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu

/** A foreign text without control characters, on one line. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/[\t\r\n]+/g, " ")
    .replace(unseen, "")

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

/** Rows in columns that line up, two spaces apart. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>, options: TableOptions = {}): string => {
  const { head, right = [], style = (text) => text } = options
  const all = head === undefined ? rows : [head.map(style), ...rows]
  const count = Math.max(0, ...all.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...all.map((row) => columnsOf(row[column] ?? "")))
  )
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
