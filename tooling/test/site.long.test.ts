import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { inSite } from "../checks/docs.ts"
import { root } from "../workspace.ts"

it("every link in the site has a page and an anchor", () => {
  const site = join(root, "docs/.vitepress/dist")
  const files = globSync("**/*.*", { cwd: site }).map((path) => path.replaceAll("\\", "/"))
  const pages = files.filter((path) => path.endsWith(".html"))
  expect(pages).not.toEqual([])
  const contents = new Map(pages.map((path) => [path, readFileSync(join(site, path), "utf8")]))
  expect(inSite(contents, new Set(files))).toEqual([])
})
