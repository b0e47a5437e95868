/** Formats tables for terminals, without control characters. */

/** Puts text on one line, without control characters. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ")

/** Aligns rows in columns. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = rows.map((row) => row.map(plain))
  const widths = cells.reduce<ReadonlyArray<number>>(
    (widest, row) => row.map((cell, index) => Math.max(cell.length, widest[index] ?? 0)),
    []
  )
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
