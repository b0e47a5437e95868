/** Which Markdown files are pages of the site, and where their links lead. */
import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { root } from "../../tooling/workspace.ts"

const repository = "https://github.com/geoswap/geoswap"

/** The Markdown files that are not pages, as globs. */
export const excluded = [
  "AGENTS.md",
  "deploy/**",
  "tooling/**",
  "examples/*/**",
  "{apps,packages}/*/*/**",
  "{apps,packages}/*/!(README).md"
]

const included = /^((README|CONTRIBUTING|SECURITY)\.md|((apps|packages)\/[^/]+|examples)\/README\.md|docs\/.+\.md)$/

/**
 * The path of a page for a Markdown file. Both are relative to the root. Pages have the same path as their file, so that
 * the path in an error's `docs` field is valid on the site.
 */
export const pageOf = (file: string): string =>
  file.replace(/^docs\/typedoc\//, "api/").replace(/(^|\/)README\.md$/, "$1index.md")

/** The URL of a page for a Markdown file. */
export const urlOf = (file: string): string => `/${pageOf(file).replace(/(^|\/)index\.md$|\.md$/, "$1")}`

/**
 * Where a link in a Markdown file leads on the site: to a page, or to the repository if the target is not a page. A link
 * without a target is returned unchanged, so that the build reports it.
 */
export const resolveLink = (file: string, link: string): string => {
  const [, path = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(link) ?? []
  if (path === "" || /^([a-z][a-z\d+.-]*:|\/)/i.test(path)) return link
  const target = posix.join(posix.dirname(file), decodeURI(path)).replace(/\/$/, "")
  const page = [target, posix.join(target, "README.md")].find(
    (one) => included.test(one) && existsSync(join(root, one))
  )
  if (page !== undefined) return encodeURI(urlOf(page)) + hash
  if (!existsSync(join(root, target))) return link
  const kind = statSync(join(root, target)).isDirectory() ? "tree" : "blob"
  return `${repository}/${kind}/main/${encodeURI(target)}${hash}`
}
