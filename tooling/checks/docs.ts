/**
 * Checks the links in the documentation: that every relative link in a Markdown file has a target on GitHub. The long
 * tests also check that every link in the built site has a page and an anchor.
 */
import { statSync } from "node:fs"
import { join, posix } from "node:path"
import { anchorsOf, linksOf } from "../markdown.ts"
import { read, type Report, root, sourceFiles } from "../workspace.ts"

/** The files in a tree, by path. */
export interface Tree {
  /** Whether a path is a file or a folder. */
  readonly kindOf: (path: string) => "file" | "folder" | undefined
  readonly read: (path: string) => string
}

const isExternal = (link: string): boolean => /^([a-z][a-z\d+.-]*:|\/\/)/i.test(link)

/** Splits a link into its path and its anchor. */
const split = (link: string): readonly [path: string, anchor: string | undefined] => {
  const [path = "", anchor] = link.split("#")
  return [decodeURI(path.replace(/\?.*$/, "")), anchor === undefined ? undefined : decodeURIComponent(anchor)]
}

/** Reports the links in a Markdown file that lead nowhere on GitHub. */
export const inMarkdown = (path: string, tree: Tree): ReadonlyArray<string> =>
  linksOf(tree.read(path)).flatMap(({ line, link }) => {
    if (isExternal(link)) return []
    const where = `${path}:${line}: ${link}`
    const [to, anchor] = split(link)
    const target = to === "" ? path : posix.join(posix.dirname(path), to).replace(/\/$/, "")
    const kind = tree.kindOf(target)
    if (kind === undefined) return [`${where}: there is no ${target}`]
    if (anchor === undefined) return []
    const page = kind === "folder" ? posix.join(target, "README.md") : target
    if (!page.endsWith(".md") || tree.kindOf(page) !== "file") return [`${where}: ${page} has no headings`]
    return anchorsOf(tree.read(page)).has(anchor) ? [] : [`${where}: ${page} has no heading for this anchor`]
  })

const attribute = (tag: string, name: string) => new RegExp(`<(?:${tag})\\b[^>]*?\\s${name}="([^"]*)"`, "g")
const ids = attribute("[a-z][a-z\\d-]*", "id")
const links = attribute("a", "href")
const sources = attribute("img", "src")

const unescape = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const values = (html: string, pattern: RegExp): ReadonlyArray<string> =>
  [...html.matchAll(pattern)].map(([, value = ""]) => unescape(value))

/**
 * Reports the links and images in a built site that have no page, file or anchor, and the pages that no other page links
 * to.
 */
export const inSite = (pages: ReadonlyMap<string, string>, files: ReadonlySet<string>): ReadonlyArray<string> => {
  const anchors = new Map([...pages].map(([page, html]) => [page, new Set(values(html, ids))]))
  const linked = new Set(["index.html", "404.html"])
  const broken = [...pages].flatMap(([page, html]) => {
    const found = new Set([...values(html, links), ...values(html, sources)])
    return [...found].flatMap((link) => {
      if (isExternal(link)) return []
      const [to, anchor] = split(link)
      const path = to === "" ? page : to.startsWith("/") ? to.slice(1) : posix.join(posix.dirname(page), to)
      const target = [path, `${path}.html`, posix.join(path, "index.html")].find((one) => files.has(one))
      if (target === undefined) return [`${page}: ${link} has no page`]
      if (target !== page) linked.add(target)
      return anchor === undefined || anchor === "" || anchors.get(target)?.has(anchor) === true
        ? []
        : [`${page}: ${link} has no anchor on ${target}`]
    })
  })
  const orphans = [...pages.keys()].filter((page) => !linked.has(page))
  return [...broken, ...orphans.map((page) => `${page}: no other page links to this page`)]
}

export const check = (): Report => {
  const tree: Tree = {
    kindOf: (path) => {
      const stats = statSync(join(root, path), { throwIfNoEntry: false })
      return stats === undefined ? undefined : stats.isDirectory() ? "folder" : "file"
    },
    read
  }
  const markdown = sourceFiles().filter((path) => path.endsWith(".md"))
  return {
    problems: markdown.flatMap((path) => inMarkdown(path, tree)),
    summary: `${markdown.length} Markdown files: all links have a target`
  }
}
