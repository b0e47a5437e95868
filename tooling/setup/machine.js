/** Describes this machine for `installPlan.js`. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { release } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), "utf8")

/** A dependency's version in the catalog. @param {string} name */
export const pinned = (name) =>
  new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(read("pnpm-workspace.yaml"))?.[1] ?? "latest"

/** @type {import("./installPlan.js").Machine} */
export const machine = {
  platform: process.platform,
  arch: process.arch,
  release: release(),
  nodeVersion: process.versions.node,
  root,
  packageManager: /** @type {{ packageManager: string }} */ (JSON.parse(read("package.json"))).packageManager,
  gaps: /** @type {Record<string, Array<string>>} */ (JSON.parse(read("tooling/setup/missingBuilds.json"))),
  isInstalled: (name) => {
    const store = join(root, "node_modules", ".pnpm")
    const folder = name.replace("/", "+")
    return existsSync(store) && readdirSync(store).some((one) => one === folder || one.startsWith(`${folder}_`))
  }
}
