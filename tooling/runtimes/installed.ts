/** Finds the runtimes on this machine: the pinned ones in node_modules, and Debian's browser. */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { executablePath } from "../testing/chromium.ts"

/** An installed runtime, or the reason why it is missing. */
export interface Installed {
  /** The runtime's name with its version, or with the reason why it cannot be tested. */
  readonly label: string
  /** The path of the runtime, or undefined if the runtime cannot be tested. */
  readonly path?: string
}

const platform = `${process.platform}-${process.arch}`

const find = (name: string, file: string | undefined): Installed => {
  if (file === undefined) return { label: `${name}: skipped, not pinned for ${platform}` }
  try {
    const path = createRequire(import.meta.url).resolve(file)
    const printed = execFileSync(path, ["--version"], { stdio: ["ignore", "pipe", "ignore"], timeout: 30_000 })
    return { label: `${name} ${/\d[\d.-]*/.exec(printed.toString())?.[0]}`, path }
  } catch (error) {
    const [reason] = String(error).split("\n", 1)
    return { label: `${name}: skipped, ${file} is missing or does not run: ${reason}` }
  }
}

/** A pinned runtime, from its package for this platform. */
const pinned = (name: string, files: Readonly<Record<string, string>>): Installed => find(name, files[platform])

export const node: Installed = { label: `Node ${process.versions.node}`, path: process.execPath }

/** The minimum Node for the libraries. Everything else in the repository uses the Node that runs this. */
export const minimumNode: Installed = pinned("Node", {
  "linux-arm64": "node20-linux-arm64/bin/node",
  "linux-x64": "node20-linux-x64/bin/node"
})

export const bun: Installed = pinned("Bun", {
  "linux-arm64": "@oven/bun-linux-aarch64/bin/bun",
  "linux-x64": "@oven/bun-linux-x64/bin/bun"
})

export const deno: Installed = pinned("Deno", {
  "linux-arm64": "@deno/linux-arm64-glibc/deno",
  "linux-x64": "@deno/linux-x64-glibc/deno"
})

export const workerd: Installed = pinned("workerd", {
  "linux-arm64": "@cloudflare/workerd-linux-arm64/bin/workerd",
  "linux-x64": "@cloudflare/workerd-linux-64/bin/workerd"
})

export const chromium: Installed = find("Chromium", executablePath)
