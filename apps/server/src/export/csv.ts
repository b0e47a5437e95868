/** Rows of RFC 4180 that a spreadsheet takes for what they are. */

/** A text that begins like this is a formula to a spreadsheet: behind an apostrophe it is text. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text)

const cell = (value: string | number | null): string => {
  const text = value === null ? "" : String(value)
  const safe = typeof value === "string" && isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One row, with its end. */
export const row = (values: ReadonlyArray<string | number | null>): string => `${values.map(cell).join(",")}\r\n`
