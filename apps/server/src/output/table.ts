/** Formats tables for terminals, without control characters. */

import { oneLine } from "./oneLine.js"

/** Formats rows as aligned columns. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const cells = rows.map((row) => row.map(oneLine))
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
