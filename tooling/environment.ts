/** The environment in which the tests run: the machine, and the programs that some tests need. */
import { execFileSync } from "node:child_process"
import { globSync } from "node:fs"
import { release } from "node:os"
import { join } from "node:path"
import { chromium } from "./runtimes/installed.ts"
import { readManifest, root } from "./workspace.ts"

/** A program's version, or `undefined` if the program is missing. */
type Version = string | undefined

export interface Environment {
  readonly platform: string
  readonly release: string
  readonly arch: string
  readonly node: string
  /** The EVM that the devnet runs. */
  readonly edr: string
  readonly postgres: Version
  readonly chromium: Version
}

const systems: Readonly<Record<string, string>> = { darwin: "Darwin", linux: "Linux", win32: "Windows" }

/** Describes the environment in one line, for the end of the report. */
export const describeEnvironment = ({ arch, chromium, edr, node, platform, postgres, release }: Environment): string =>
  [
    `Ran on ${systems[platform] ?? platform} ${release} ${arch}`,
    `Node ${node}`,
    `EDR ${edr}`,
    `PostgreSQL ${postgres ?? "missing"}`,
    `Chromium ${chromium ?? "missing"}`
  ].join(", ")

/** The version that a program prints. */
const versionOf = (path: string): Version => {
  try {
    const printed = execFileSync(path, ["--version"], { stdio: ["ignore", "pipe", "ignore"], timeout: 60_000 })
    return /\d+(?:\.\d+)+/.exec(printed.toString())?.[0]
  } catch {
    return undefined
  }
}

/** Describes this machine. */
export const environment = (): Environment => {
  const postgres = globSync("/usr/lib/postgresql/*/bin/postgres").toSorted().at(-1)
  return {
    platform: process.platform,
    release: release(),
    arch: process.arch,
    node: process.versions.node,
    edr: readManifest(join(root, "packages/devnet/node_modules/@nomicfoundation/edr")).version,
    postgres: postgres === undefined ? undefined : versionOf(postgres),
    chromium: chromium.path === undefined ? undefined : /\d[\d.]*/.exec(chromium.label)?.[0]
  }
}
