/**
 * Checks the rooms of the service: the folders of `packages/service/src` import only folders of the rows below them, no
 * files import each other in a circle except two of one folder, and no file is longer than 300 lines.
 * `docs/architecture.md` draws the same rows.
 */
import { dirname, join } from "node:path"
import { parseSync } from "rolldown/utils"
import { read, type Report, sourceFiles } from "../workspace.ts"

const service = "packages/service/src"

/** The rooms of the service, from top to bottom. The rooms of a row do not know each other. */
export const rows: ReadonlyArray<ReadonlyArray<string>> = [
  ["http", "monitoring"],
  ["calls"],
  ["execution"],
  ["admission"],
  ["operations", "pricing"],
  ["accounts"],
  ["chains", "store", "venue"],
  ["concurrency", "config", "crypto", "metrics", "tracing"],
  ["domain"]
]

/** The folder that composes the rooms of the service for tests, and may import all of them. */
const composing = "testing"

const maxLines = 300

/** A source file, with its path relative to the folder that contains the rooms. */
export interface Source {
  readonly path: string
  readonly text: string
}

const importsOf = ({ path, text }: Source): ReadonlyArray<string> => {
  const { module } = parseSync(path, text)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []))
  ]
  return [...new Set(specifiers)]
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => join(dirname(path), specifier.replace(/\.js$/, ".ts")).replaceAll("\\", "/"))
}

/** Returns the groups of files that import each other in a circle (Tarjan's strongly connected components). */
const circles = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const indexOf = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: Array<string> = []
  const found: Array<ReadonlyArray<string>> = []
  const visit = (path: string): number => {
    const index = indexOf.size
    indexOf.set(path, index)
    stack.push(path)
    let low = index
    for (const next of graph.get(path) ?? []) {
      if (!indexOf.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? indexOf.get(next) ?? low)
    }
    lowest.set(path, low)
    if (low === index) found.push(stack.splice(stack.indexOf(path)))
    return low
  }
  for (const path of graph.keys()) if (!indexOf.has(path)) visit(path)
  return found.filter(({ length }) => length > 1)
}

/** Returns the problems in the sources of the service. */
export const inspect = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source)] as const))
  const roomOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : composing)
  const rowOf = (room: string): number => rows.findIndex((row) => row.includes(room))
  const arrows = [...graph].flatMap(([path, imported]) => {
    const room = roomOf(path)
    if (room === composing) return []
    if (rowOf(room) === -1) return [`${path}: the room "${room}" is in no row of tooling/checks/rooms.ts`]
    return imported
      .filter((target) => roomOf(target) !== room && rowOf(roomOf(target)) <= rowOf(room))
      .map((target) => `${path}: imports ${target}, whose room is not below "${room}"`)
  })
  const cycles = circles(graph)
    .filter((circle) => circle.length > 2 || new Set(circle.map((path) => dirname(path))).size > 1)
    .map((circle) => `${circle.toSorted().join(", ")}: these files import each other in a circle`)
  const long = sources.flatMap(({ path, text }) => {
    const lines = text.split("\n").length - 1
    return lines > maxLines ? [`${path}: has ${lines} lines, and at most ${maxLines} are allowed`] : []
  })
  return [...arrows, ...cycles, ...long]
}

export const check = (): Report => {
  const sources = sourceFiles()
    .filter((path) => path.startsWith(`${service}/`) && path.endsWith(".ts"))
    .map((path) => ({ path: path.slice(service.length + 1), text: read(path) }))
  return {
    problems: inspect(sources).map((problem) => `${service}/${problem}`),
    summary: `${sources.length} files in ${rows.flat().length} rooms of the service: imports point down, no circles, at most ${maxLines} lines`
  }
}
