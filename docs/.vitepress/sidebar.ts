/** The sidebar. The guides are in the order of the audiences in the README, and the API reference has its own sidebar. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { DefaultTheme } from "vitepress"
import { root } from "../../tooling/workspace.ts"
import { urlOf } from "./pages.ts"

type Item = DefaultTheme.SidebarItem

const page = (text: string, file: string): Item => ({ text, link: urlOf(file) })

/** An entry in the file that typedoc writes: an entry point, a namespace, or a group of them without a page. */
interface Entry {
  readonly title: string
  readonly path?: string
  readonly children?: ReadonlyArray<Entry>
}

const apiItem = ({ children = [], path, title }: Entry): Array<Item> => {
  const items = children.flatMap(apiItem)
  if (path === undefined) return items
  if (path.includes("#")) return []
  const item = page(title, `docs/typedoc/${path}`)
  return [items.length === 0 ? item : { ...item, collapsed: true, items }]
}

const apiItems = (): Array<Item> => {
  const path = join(root, "docs/typedoc/navigation.json")
  if (!existsSync(path)) throw new Error("The API reference is missing. Run: pnpm exec turbo run api")
  return (JSON.parse(readFileSync(path, "utf8")) as ReadonlyArray<Entry>).flatMap(apiItem)
}

/** The guides, by audience. */
export const guides = (): Array<Item> => [
  {
    text: "Getting started",
    items: [
      page("Overview", "README.md"),
      page("Getting started", "docs/getting-started.md"),
      page("Examples", "examples/README.md"),
      page("Architecture", "docs/architecture.md"),
      page("Runtimes", "docs/runtimes.md"),
      page("Local stack", "apps/local/README.md"),
      page("FAQ", "docs/faq.md")
    ]
  },
  {
    text: "Agents",
    items: [
      page("Client", "packages/core/README.md"),
      page("MCP server and tools", "docs/agents.md"),
      page("Tools for agents", "packages/tools/README.md"),
      page("Errors and recovery", "docs/errors.md"),
      page("Policy and safety", "docs/policy.md"),
      page("Client for a devnet", "packages/deployments/README.md"),
      page("Your own nodes", "docs/your-own-nodes.md"),
      page("Testing", "docs/testing.md"),
      page("Command-line tool", "apps/cli/README.md"),
      page("Commands and output", "docs/cli.md")
    ]
  },
  {
    text: "Dapps",
    items: [
      page("React hooks", "packages/react/README.md"),
      page("Browsers", "docs/browsers.md"),
      page("Swap page", "apps/web/README.md")
    ]
  },
  {
    text: "Operators",
    items: [
      page("Server", "apps/server/README.md"),
      page("Configuration", "docs/configuration.md"),
      page("Operating the service", "docs/operating.md"),
      page("Traces and logs", "docs/telemetry.md"),
      page("HTTP venue", "docs/venue.md"),
      page("Contracts", "packages/contracts/README.md"),
      page("Threat model", "docs/security.md")
    ]
  },
  {
    text: "Signer authors",
    items: [
      page("Writing a signer", "docs/writing-a-signer.md"),
      page("EVM signers", "packages/signer-evm/README.md"),
      page("Solana signers", "packages/signer-solana/README.md")
    ]
  },
  {
    text: "Protocol",
    items: [
      page("HTTP protocol", "docs/protocol.md"),
      page("Contract design", "docs/contracts.md"),
      page("Fetch transport", "packages/transport-fetch/README.md"),
      page("Service", "packages/service/README.md"),
      page("Devnet", "packages/devnet/README.md")
    ]
  },
  {
    text: "Reference",
    items: [
      page("API", "docs/typedoc/README.md"),
      page("Contributing", "CONTRIBUTING.md"),
      page("Reporting a vulnerability", "SECURITY.md")
    ]
  }
]

export const sidebar = (): DefaultTheme.SidebarMulti => ({
  "/": guides(),
  "/api/": [{ ...page("API reference", "docs/typedoc/README.md"), items: apiItems() }]
})
