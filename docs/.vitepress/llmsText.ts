/**
 * Writes `llms.txt`, the list of pages for language models, and a copy of each page as Markdown. See llmstxt.org for the
 * format.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "../../tooling/workspace.ts"
import { guides } from "./sidebar.ts"

const intro = `# GeoSwap

> Swaps tokens between EVM chains and Solana, from wallets that hold no gas. An SDK that signs nothing it has not
> verified, a service that delivers or refunds, an MCP server for agents, and a devnet.

Agents use \`geoswap mcp\` or the tools in \`@geoswap/tools\`. A person sets the limits in a policy.
`

/** The Markdown file of a page. */
const fileOf = (link: string): string | undefined => {
  const path = link.replace(/^\//, "")
  const candidates = path === "" ? ["README.md"] : [`${path}.md`, `${path.replace(/\/$/, "")}/README.md`]
  return candidates.find((file) => existsSync(join(root, file)))
}

/** The first sentence under a page's title. */
const summaryOf = (text: string): string => {
  const paragraph = text.split("\n\n").find((block) => /^[A-Z`]/.test(block)) ?? ""
  const [sentence = ""] = /^.*?\.(?=\s|$)/.exec(paragraph.replaceAll("\n", " ")) ?? []
  return sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
}

/** Writes the list and the pages into the folder of the built site. */
export const writeLlmsText = (folder: string): void => {
  const sections = guides().map(({ items = [], text = "" }) => {
    const lines = items.flatMap(({ link = "", text: title = "" }) => {
      const file = fileOf(link)
      if (file === undefined) return []
      const content = readFileSync(join(root, file), "utf8")
      const copy = join(folder, file)
      mkdirSync(dirname(copy), { recursive: true })
      writeFileSync(copy, content)
      const summary = summaryOf(content)
      return [`- [${title}](/${file})${summary === "" ? "" : `: ${summary}`}`]
    })
    return `## ${text}\n\n${lines.join("\n")}\n`
  })
  writeFileSync(join(folder, "llms.txt"), [intro, ...sections].join("\n"))
}
