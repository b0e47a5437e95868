/** Compares the public names of every entry point, including types, with a reviewed snapshot. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync, type ParseResult } from "rolldown/utils"
import { type Entry, publishedPackages, type Report, tooling } from "../workspace.ts"

interface Name {
  readonly isType: boolean
  /** The names that a namespace re-export contains. */
  readonly members?: Names
}
type Names = ReadonlyMap<string, Name>

/** The names that a declaration file exports, including through re-exports. */
export const namesOf = (file: string): Names => {
  const names = new Map<string, Name>()
  const { module, program } = parseSync(file, readFileSync(file, "utf8"))
  const values = localValues(program)
  for (const { entries } of module.staticExports) {
    for (const entry of entries) {
      const { exportName, importName, localName, moduleRequest } = entry
      const isType = moduleRequest === null ? !values.has(localName.name ?? "") : entry.isType
      const target = moduleRequest?.value.startsWith(".") === true ? declarations(file, moduleRequest.value) : undefined
      if (exportName.kind === "None") {
        if (importName.kind !== "AllButDefault") continue
        if (target === undefined) names.set(`* from ${moduleRequest?.value}`, { isType })
        else for (const [name, value] of namesOf(target)) names.set(name, value)
        continue
      }
      const name = exportName.kind === "Default" ? "default" : (exportName.name ?? "")
      const members = importName.kind === "All" && target !== undefined ? namesOf(target) : undefined
      const known = names.get(name)
      // A value and a type with the same name are listed once, as a value.
      names.set(name, { isType: isType && known?.isType !== false, ...(members === undefined ? {} : { members }) })
    }
  }
  return names
}

/** The names in a declaration file that exist at run time. */
const localValues = (program: ParseResult["program"]): ReadonlySet<string> =>
  new Set(
    program.body.flatMap((node) => {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node
      if (declaration?.type === "VariableDeclaration") {
        return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
      }
      const hasValue = declaration?.type === "TSDeclareFunction" || declaration?.type === "ClassDeclaration"
      return hasValue && declaration.id !== null ? [declaration.id.name] : []
    })
  )

const declarations = (from: string, specifier: string): string =>
  join(dirname(from), specifier.replace(/\.js$/, ".d.ts"))

const print = (names: Names, indent: string): ReadonlyArray<string> =>
  [...names]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, { isType, members }]) => [
      `${indent}${isType ? "type " : ""}${name}`,
      ...(members === undefined ? [] : print(members, `${indent}  `))
    ])

const printEntry = ({ specifier, types }: Entry): string => [specifier, ...print(namesOf(types), "  "), ""].join("\n")

/** The lines that differ between two snapshots, as in a diff: first the removed lines, and then the added lines. */
export const compare = (before: string, after: string): ReadonlyArray<string> => {
  const path = (text: string) => {
    const parents: Array<string> = []
    return text.split("\n").flatMap((line) => {
      const depth = (line.length - line.trimStart().length) / 2
      parents.splice(depth, parents.length, line.trim())
      return line === "" ? [] : [parents.join(" > ")]
    })
  }
  const [old, current] = [path(before), path(after)]
  return [
    ...old.filter((line) => !current.includes(line)).map((line) => `- ${line}`),
    ...current.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  ]
}

export const check = (update: boolean): Report => {
  const packages = publishedPackages()
  const problems = packages.flatMap(({ entries, name }) => {
    const file = join(tooling, "snapshots", `${name.replace(/^@geoswap\//, "")}.exports.txt`)
    const actual = entries.map(printEntry).join("\n")
    if (update) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, actual)
    }
    const changes = compare(existsSync(file) ? readFileSync(file, "utf8") : "", actual)
    return changes.length === 0 ? [] : [[`The public names of ${name} have changed:`, ...changes].join("\n")]
  })
  const count = packages.flatMap(({ entries }) => entries).length
  return {
    problems: problems.map((problem) => `${problem}\nIf this is intended, run: pnpm run exports:update`),
    summary: `${count} entry points ${update ? "written" : "compared"} with tooling/snapshots`
  }
}
