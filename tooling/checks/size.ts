/**
 * Checks that every entry point is within its size budget, minified and gzipped, with and without `effect` in the
 * bundle.
 */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { budgets, unmeasured } from "../budgets.ts"
import { publishedPackages, type Report, tooling } from "../workspace.ts"

/** Packages that are not measured, because every page that uses our hooks includes them anyway. */
const always = [/^react(-dom)?(\/|$)/, /^@tanstack\//]

const measure = async (code: string, external: ReadonlyArray<RegExp>): Promise<number> => {
  // The entry is inside `tooling`, so that the packages resolve as dependencies of `tooling`.
  const entry = join(tooling, "entry.js")
  const bundle = await rolldown({
    input: entry,
    cwd: tooling,
    platform: "browser",
    // The bundler warns about "use client", which does not matter here.
    logLevel: "silent",
    external: [...always, ...external],
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null)
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  return (
    output.reduce((sum, file) => sum + (file.type === "chunk" ? gzipSync(file.code, { level: 9 }).length : 0), 0) / 1000
  )
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
