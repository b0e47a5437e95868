import { describe, expect, it } from "vitest"
import { inMarkdown, inSite, type Tree } from "../checks/docs.ts"

/** A tree with these files. */
const treeOf = (files: Readonly<Record<string, string>>): Tree => ({
  kindOf: (path) =>
    path in files ? "file" : Object.keys(files).some((file) => file.startsWith(`${path}/`)) ? "folder" : undefined,
  read: (path) => files[path] ?? ""
})

describe("inMarkdown", () => {
  const tree = (text: string) =>
    treeOf({
      "docs/a.md": text,
      "docs/b.md": "# B\n\n## What's in `docs`?\n\n## Twice\n\n## Twice",
      "packages/react/README.md": "# React\n\n## The form",
      "packages/react/src/index.ts": ""
    })
  const problems = (text: string) => inMarkdown("docs/a.md", tree(text))

  it("accepts links to files, folders, headings, the README of a folder, and other sites", () => {
    const links = [
      "b.md",
      "./b.md#whats-in-docs",
      "b.md#twice-1",
      "#title",
      "../packages/react",
      "../packages/react/",
      "../packages/react#the-form",
      "../packages/react/src/index.ts",
      "https://example.com/x.md#y",
      "mailto:a@example.com"
    ]
    expect(problems(`# Title\n\n${links.map((link) => `[x](${link})`).join("\n")}`)).toEqual([])
  })

  it("reports a link to a file that does not exist, with its line", () => {
    expect(problems("# Title\n\n[x](c.md)")).toEqual(["docs/a.md:3: c.md: there is no docs/c.md"])
  })

  it("reports a missing image", () => {
    expect(problems("![x](images/x.png)")).toEqual(["docs/a.md:1: images/x.png: there is no docs/images/x.png"])
  })

  it("reports an anchor without a heading", () => {
    expect(problems("[x](b.md#three) [y](#none) [z](../packages/react#gone)")).toEqual([
      "docs/a.md:1: b.md#three: docs/b.md has no heading for this anchor",
      "docs/a.md:1: #none: docs/a.md has no heading for this anchor",
      "docs/a.md:1: ../packages/react#gone: packages/react/README.md has no heading for this anchor"
    ])
  })

  it("reports an anchor on something other than Markdown", () => {
    expect(problems("[x](../packages/react/src#y)")).toEqual([
      "docs/a.md:1: ../packages/react/src#y: packages/react/src/README.md has no headings"
    ])
  })

  it("ignores links in code", () => {
    expect(problems("```md\n[x](c.md)\n```\n`[x](c.md)`")).toEqual([])
  })

  it("does not treat a comment in code as a heading", () => {
    expect(problems("```sh\n# Setup\n```\n[x](#setup)")).toHaveLength(1)
  })
})

describe("inSite", () => {
  const problems = (pages: Readonly<Record<string, string>>, files: ReadonlyArray<string> = []) =>
    inSite(new Map(Object.entries(pages)), new Set([...Object.keys(pages), ...files]))

  it("accepts links to pages, folders, anchors and files", () => {
    const index =
      '<h2 id="a-b">A</h2><a class="x" href="/docs/errors#b">e</a><a href="#a-b"></a><a href="/react/"></a><img src="/x.png">'
    const pages = { "index.html": index, "docs/errors.html": '<h2 id="b"></h2>', "react/index.html": "" }
    expect(problems(pages, ["x.png"])).toEqual([])
  })

  it("reports a link without a page", () => {
    expect(problems({ "index.html": '<a href="/docs/gone"></a>' })).toEqual(["index.html: /docs/gone has no page"])
  })

  it("reports an image without a file", () => {
    expect(problems({ "index.html": '<img alt="" src="/x.png">' })).toEqual(["index.html: /x.png has no page"])
  })

  it("reports a link whose anchor the page does not have", () => {
    const pages = { "index.html": '<a href="/a#none"></a>', "a.html": '<h2 id="one"></h2>' }
    expect(problems(pages)).toEqual(["index.html: /a#none has no anchor on a.html"])
  })

  it("reports a page that no other page links to", () => {
    const pages = { "index.html": "", "a.html": '<a href="/a"></a>', "404.html": "" }
    expect(problems(pages)).toEqual(["a.html: no other page links to this page"])
  })
})
