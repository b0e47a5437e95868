/** Formats aligned columns for a terminal. */
import { stripVTControlCharacters } from "node:util"
import { stripUnknownControls } from "./sanitize.js"

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u

/** Returns how many terminal columns a string takes up. */
const columnsOf = (text: string) => {
  let columns = 0
  for (const char of stripVTControlCharacters(text)) columns += /\p{Mn}/u.test(char) ? 0 : wide.test(char) ? 2 : 1
  return columns
}

const pad = (text: string, columns: number, right: boolean) => {
  const space = " ".repeat(Math.max(0, columns - columnsOf(text)))
  return right ? space + text : text + space
}

/** The layout of a table. */
export interface TableOptions {
  readonly head?: ReadonlyArray<string> | undefined
  /** The indexes of the right-aligned columns, such as those with amounts. */
  readonly right?: ReadonlyArray<number> | undefined
  /** The style that is applied to the header before padding. */
  readonly style?: ((text: string) => string) | undefined
}

/** Formats rows as aligned columns, two spaces apart. Every cell is on one line. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>, options: TableOptions = {}) => {
  const { head, right = [], style = (text) => text } = options
  const all = (head === undefined ? rows : [head.map(style), ...rows]).map((row) =>
    row.map((cell) => stripUnknownControls(cell.replaceAll("\n", " ")))
  )
  // Not `Math.max(...)`: the number of arguments is limited, and the service controls the number of rows.
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

/** Formats names and values, one pair per line. Pairs without a value are omitted. */
export const fields = (
  pairs: ReadonlyArray<readonly [name: string, value: string | undefined]>,
  style: (text: string) => string = (text) => text
) => table(pairs.flatMap(([name, value]) => (value === undefined ? [] : [[style(name), value]])))

/** Whether every line of a text fits into a number of columns. */
export const fits = (text: string, columns: number) => text.split("\n").every((line) => columnsOf(line) <= columns)

/** Breaks a line at spaces, so that no number is broken. Further lines start with `indent`. */
export const wrapLine = (text: string, columns: number, indent: string) => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(word)
    else if (columnsOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}${word}`)
  }
  return lines.join("\n")
}
