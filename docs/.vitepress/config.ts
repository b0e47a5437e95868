/** The site: the documentation, the READMEs and the API reference. The Markdown files stay as GitHub shows them. */
import { relative } from "node:path"
import { defineConfig, type MarkdownEnv } from "vitepress"
import { slugOf } from "../../tooling/markdown.ts"
import { root } from "../../tooling/workspace.ts"
import { writeLlmsText } from "./llmsText.ts"
import { excluded, pageOf, resolveLink, urlOf } from "./pages.ts"
import { sidebar } from "./sidebar.ts"

/**
 * Leaves the imports of Vue to Node when the pages are rendered. Most pages are outside this package, so Vite would not
 * find its dependencies.
 */
const vue = {
  name: "vue-from-docs",
  enforce: "pre" as const,
  resolveId: (id: string, _importer: string | undefined, { ssr }: { readonly ssr?: boolean | undefined }) =>
    ssr === true && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined
}

/** Code that has been highlighted. Every page is rendered twice: for the site, and for the search index. */
const highlighted = new Map<string, string>()

export default defineConfig({
  title: "GeoSwap",
  description: "Swaps tokens between EVM chains and Solana, from wallets that hold no gas.",
  lang: "en",
  // There is no icon. Without this, browsers request one.
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: "..",
  srcExclude: excluded,
  rewrites: pageOf,
  cacheDir: "node_modules/.vitepress",
  cleanUrls: true,
  ignoreDeadLinks: false,
  buildEnd: ({ outDir }) => writeLlmsText(outDir),
  markdown: {
    anchor: { slugify: slugOf },
    // GitHub has no syntax for attributes: braces are text.
    attrs: { disable: true },
    config: (md) => {
      const { highlight } = md.options
      md.options.highlight = (code, language, attributes) => {
        const key = JSON.stringify([language, attributes, code])
        const html = highlighted.get(key) ?? highlight?.(code, language, attributes) ?? ""
        highlighted.set(key, html)
        return html
      }
      md.core.ruler.push("repository_links", ({ env, tokens }) => {
        const { path, realPath = path } = env as MarkdownEnv
        const file = relative(root, realPath).replaceAll("\\", "/")
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === "link_open" ? token.attrGet("href") : null
          if (link !== null) token.attrSet("href", resolveLink(file, link))
        }
      })
    }
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guide", link: urlOf("docs/getting-started.md") },
      { text: "Errors", link: urlOf("docs/errors.md") },
      { text: "Protocol", link: urlOf("docs/protocol.md") },
      { text: "API", link: urlOf("docs/typedoc/README.md") },
      // The theme's icon would be loaded from another site.
      { text: "GitHub", link: "https://github.com/geoswap/geoswap" }
    ],
    sidebar: sidebar(),
    outline: [2, 3]
  },
  // The root is the repository, which also contains the swap page and the packages.
  vite: {
    optimizeDeps: { entries: [] },
    plugins: [vue],
    // The search index, which is loaded when a search starts, is the largest file.
    build: { chunkSizeWarningLimit: 1500 },
    server: { watch: { ignored: ["**/{.geoswap,.turbo,dist,reports}/**"] } }
  }
})
