/** Formats CSV rows (RFC 4180) that are safe to open in a spreadsheet. */

type Cell = string | number | bigint | null

/**
 * If text starts with one of these characters, spreadsheets evaluate it as a formula, unless an apostrophe precedes the
 * text.
 */
const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text)

const cell = (value: Cell) => {
  const text = value === null ? "" : String(value)
  const safe = typeof value === "string" && isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats one row, including its line break. */
export const row = (values: ReadonlyArray<Cell>) => `${values.map(cell).join(",")}\r\n`
