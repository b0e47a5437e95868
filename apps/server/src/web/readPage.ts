/** The files of a page, read once: what is not among them cannot be asked for. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** There is no page to serve, or one that cannot be. */
export class InvalidPage extends Schema.TaggedError<InvalidPage>()("InvalidPage", { message: Schema.String }) {}

/** A page as it is in memory. */
export interface Page {
  readonly folder: string
  /** By the path of a request. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** More than any page needs: a folder that is larger was not meant. */
const mostBytes = 20 * 1024 * 1024

/** Paths of the service, which no file may stand in front of. */
const taken = new Set(["docs", "health", "openapi.json", "swap", "web"])

const invalid = (message: string) => new InvalidPage({ message })

/** The folder of `@geoswap/web`, which is installed beside this package. */
const installed = Effect.try({
  try: () => join(dirname(createRequire(import.meta.url).resolve("@geoswap/web/package.json")), "dist"),
  catch: () =>
    invalid(
      "There is no page to serve: install @geoswap/web beside @geoswap/server, or name a folder with one as web.folder in the configuration."
    )
})

/** The names of all files below a folder; what is hidden, and what only points elsewhere, is left out. */
const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".")) return []
    if (entry.isDirectory()) return namesIn(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
    return entry.isFile() ? [entry.name] : []
  })

const pathOf = (name: string): string => `/${name.split("/").map(encodeURIComponent).join("/")}`

const problemOf = (folder: string, names: ReadonlyArray<string>): string | undefined => {
  if (!names.includes("index.html")) {
    return `There is no index.html in ${folder}: build the page (pnpm build), or name a folder with one as web.folder in the configuration.`
  }
  const inTheWay = names.find((name) => taken.has(name.split("/")[0] ?? ""))
  if (inTheWay !== undefined) {
    return `The page in ${folder} has a file ${inTheWay}, and that path is the service's: give the file another name.`
  }
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  return bytes > mostBytes
    ? `The page in ${folder} has ${Math.ceil(bytes / 1024 / 1024)} MB, and at most 20 are kept in memory: is it the folder of a page?`
    : undefined
}

/** Reads the page of a folder; that of `@geoswap/web` where none is named. */
export const readPage = Effect.fnUntraced(function* (given: string | undefined): Effect.fn.Return<Page, InvalidPage> {
  const folder = given ?? (yield* installed)
  const unreadable = () =>
    invalid(`The page in ${folder} cannot be read: check that it is a folder, and that this user may read it.`)
  // A package that was not built has no such folder.
  const names = yield* Effect.try({ try: () => (existsSync(folder) ? namesIn(folder) : []), catch: unreadable })
  const problem = yield* Effect.try({ try: () => problemOf(folder, names), catch: unreadable })
  if (problem !== undefined) return yield* invalid(problem)
  const files = yield* Effect.try({
    try: () => new Map(names.map((name) => [pathOf(name), new Uint8Array(readFileSync(join(folder, name)))])),
    catch: unreadable
  })
  return { folder, files }
})
