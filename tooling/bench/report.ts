/** Formats the results for people and programs. */

/** A cell. Numbers have three significant digits. */
type Cell = string | number

export interface Section {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
  /** The setup, what was skipped, and what the figures mean. */
  readonly notes: ReadonlyArray<string>
  readonly goals: ReadonlyArray<Goal>
}

export interface Goal {
  readonly what: string
  readonly wanted: string
  readonly found: string
  readonly met: boolean
}

/** A target for a figure. */
export const goal = (what: string, relation: "≥" | "≤", wanted: number, found: number, unit = ""): Goal => ({
  what,
  wanted: `${relation} ${wanted}${unit}`,
  found: `${shown(found)}${unit}`,
  met: relation === "≥" ? found >= wanted : found <= wanted
})

const shown = (cell: Cell): string => {
  if (typeof cell === "string") return cell
  if (Math.abs(cell) >= 100 || Number.isInteger(cell)) return Math.round(cell).toLocaleString("en-US")
  return cell.toFixed(Math.abs(cell) >= 10 ? 1 : Math.abs(cell) >= 1 ? 2 : 3)
}

/** The median. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string => {
  const cells = [columns, ...rows.map((row) => row.map(shown))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? "").length)))
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join("  ")
      .trimEnd()
  return cells.map(line).join("\n")
}

/** Formats a section as text. */
export const textOf = ({ columns, goals, notes, rows, title }: Section): string =>
  [
    `## ${title}`,
    ...(rows.length > 0 ? [table(columns, rows)] : []),
    ...notes.map((note) => `- ${note}`),
    ...goals.map(
      ({ found, met, wanted, what }) => `${met ? "reached" : "NOT reached"}: ${what} ${wanted}, found ${found}`
    )
  ].join("\n")
