/** `node check.ts <name> [--update]`: runs one check on the repository and prints the problems. */
import type { Report } from "./workspace.ts"

type Check = (update: boolean) => Report | Promise<Report>

const checks: Record<string, () => Promise<{ readonly check: Check }>> = {
  docs: () => import("./checks/docs.ts"),
  exports: () => import("./checks/exports.ts"),
  install: () => import("./checks/install.ts"),
  packed: () => import("./checks/packed.ts"),
  platforms: () => import("./checks/platforms.ts"),
  purity: () => import("./checks/purity.ts"),
  rooms: () => import("./checks/rooms.ts"),
  size: () => import("./checks/size.ts"),
  snippets: () => import("./checks/snippets.ts"),
  "supply-chain": () => import("./checks/supplyChain.ts"),
  tree: () => import("./checks/tree.ts"),
  workflows: () => import("./checks/workflows.ts")
}

const [name = "", flag] = process.argv.slice(2)
const load = checks[name]
if (load === undefined) {
  console.error(`There is no check named "${name}". Use one of: ${Object.keys(checks).join(", ")}.`)
  process.exit(2)
}

const { check } = await load()
const { problems, summary } = await check(flag === "--update")
console.log(summary)
if (problems.length > 0) {
  console.error(`\n${problems.join("\n")}\n\n${name}: ${problems.length} problem${problems.length === 1 ? "" : "s"}`)
  process.exit(1)
}
