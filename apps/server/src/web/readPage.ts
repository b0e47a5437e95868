/** Reads the page's files into memory once. No other files can be requested. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** There is no page, or it cannot be served. */
export class InvalidPage extends Schema.TaggedError<InvalidPage>()("InvalidPage", { message: Schema.String }) {}

/** A page in memory. */
export interface Page {
  readonly folder: string
  /** The files, by request path. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** The maximum size of a page. A larger folder is probably not a page. */
const maxBytes = 20 * 1024 * 1024

/** The service's own paths, which files must not shadow. */
const taken = new Set(["docs", "health", "openapi.json", "swap", "web"])

const invalid = (message: string) => new InvalidPage({ message })

/** The build folder of the installed `@geoswap/web`. */
const installed = Effect.try({
  try: () => join(dirname(createRequire(import.meta.url).resolve("@geoswap/web/package.json")), "dist"),
  catch: () =>
    invalid(
      "There is no page to serve. Install @geoswap/web alongside @geoswap/server, or set web.folder in the configuration."
    )
})

/** The names of all files below a folder, except hidden files and links. */
const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".")) return []
    if (entry.isDirectory()) return namesIn(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
    return entry.isFile() ? [entry.name] : []
  })

const pathOf = (name: string) => `/${name.split("/").map(encodeURIComponent).join("/")}`

const problemOf = (folder: string, names: ReadonlyArray<string>) => {
  if (!names.includes("index.html")) {
    return `There is no index.html in ${folder}. Build the page (pnpm build), or set web.folder in the configuration.`
  }
  const conflict = names.find((name) => taken.has(name.split("/")[0] ?? ""))
  if (conflict !== undefined) {
    return `The page in ${folder} contains the file ${conflict}, but the service uses that path. Rename the file.`
  }
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  return bytes > maxBytes
    ? `The page in ${folder} takes up ${Math.ceil(bytes / 1024 / 1024)} MB, which exceeds the limit of 20 MB. Check that the folder contains only the page's files.`
    : undefined
}

/** Reads the page from a folder (default: the build of `@geoswap/web`). */
export const readPage = Effect.fnUntraced(function* (given: string | undefined): Effect.fn.Return<Page, InvalidPage> {
  const folder = given ?? (yield* installed)
  const found = yield* Effect.try({
    try: () => {
      // A package that has not been built does not have this folder.
      const names = existsSync(folder) ? namesIn(folder) : []
      const readFile = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
      return problemOf(folder, names) ?? new Map(names.map((name) => [pathOf(name), readFile(name)]))
    },
    catch: () =>
      invalid(
        `The page in ${folder} cannot be read. Check that the path is a folder that the user running the server can read.`
      )
  })
  return typeof found === "string" ? yield* invalid(found) : { folder, files: found }
})
