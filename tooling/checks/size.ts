/**
 * Checks that every entry point is within its size budget, minified and gzipped, with and without `effect` in the
 * bundle.
 */
import { budgets, unmeasured } from "../budgets.ts"
import { bundleSize } from "../bundleSize.ts"
import { publishedPackages, type Report, tooling } from "../workspace.ts"

/** Packages that are not measured, because every page that uses our hooks includes them anyway. */
const always = [/^react(-dom)?(\/|$)/, /^@tanstack\//]

const measure = async (code: string, external: ReadonlyArray<RegExp>): Promise<number> => {
  // The packages are dependencies of `tooling`.
  const { compressed } = await bundleSize(code, tooling, [...always, ...external])
  return compressed
}

const row = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(36) : cell.padStart(16))).join("")

export const check = async (): Promise<Report> => {
  const table = [row(["kB, minified and gzipped", "all included", "effect external"])]
  const problems: Array<string> = []
  for (const { code, external, included, name } of budgets) {
    const measured = [
      { kind: "everything included", limit: included, size: await measure(code, []) },
      { kind: "effect external", limit: external, size: await measure(code, [/^effect(\/|$)/]) }
    ]
    table.push(row([name, ...measured.map(({ limit, size }) => `${size.toFixed(2)} of ${limit}`)]))
    for (const { kind, limit, size } of measured) {
      if (size > limit) problems.push(`"${name}", ${kind}: ${size.toFixed(2)} kB exceeds the budget of ${limit} kB`)
    }
  }
  const budgeted = new Set([...budgets.map(({ name }) => name), ...unmeasured])
  for (const { specifier } of publishedPackages().flatMap(({ entries }) => entries)) {
    if (!budgeted.has(specifier)) problems.push(`${specifier} has no budget. Add one to tooling/budgets.ts`)
  }
  return { problems, summary: table.join("\n") }
}
