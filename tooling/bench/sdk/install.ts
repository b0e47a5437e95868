/** Installs each SDK into a separate folder, as a user would, outside of the workspace. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publishedPackages, readManifest, run, tooling } from "../../workspace.ts"
import type { Subject } from "./subjects.ts"

/** An SDK in its folder. */
export interface Installed extends Subject {
  readonly folder: string
  /** The version of the main package. */
  readonly version: string
}

/** An SDK that could not be installed. */
export interface Missing {
  readonly name: string
  readonly reason: string
}

/** How many versions of the main package are tried. The newest version may have dependencies that are not on npm. */
const attempts = 8

/** The version of a package that this repository tests with. All SDKs get the same one. */
const testedVersion = (name: string): string => readManifest(join(tooling, "node_modules", name)).version

const npm = (folder: string, ...args: ReadonlyArray<string>) => run("npm", [...args, "--loglevel=error"], folder)

/** All released versions of a package, newest first. */
const versionsOf = async (folder: string, name: string): Promise<ReadonlyArray<string>> => {
  const { ok, output } = await npm(folder, "view", name, "versions", "--json")
  if (!ok) return []
  const versions = JSON.parse(output) as string | ReadonlyArray<string>
  return [versions]
    .flat()
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .toSorted(compareVersions)
}

const compareVersions = (one: string, other: string): number => {
  const [first, second] = [one, other].map((version) => version.split(".").map(Number))
  const index = first?.findIndex((part, at) => part !== second?.[at]) ?? -1
  return index === -1 ? 0 : (second?.[index] ?? 0) - (first?.[index] ?? 0)
}

const install = async (folder: string, dependencies: Readonly<Record<string, string>>) => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  return npm(folder, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--omit=dev")
}

const folderFor = (parent: string, { name }: Subject): string => {
  const folder = join(parent, name.replaceAll(/\W/g, "").toLowerCase())
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Installs another SDK in the newest version whose dependencies are all on npm. */
export const installPeer = async (parent: string, subject: Subject): Promise<Installed | Missing> => {
  const folder = folderFor(parent, subject)
  const [main = "", ...others] = subject.packages
  const versions = await versionsOf(folder, main)
  let reason = `npm has no version of ${main}`
  for (const version of versions.slice(0, attempts)) {
    // Packages of the same repository usually share their versions.
    const shared = await Promise.all(
      others.map(
        async (name) => [name, (await versionsOf(folder, name)).includes(version) ? version : "latest"] as const
      )
    )
    const dependencies = {
      [main]: version,
      ...Object.fromEntries(shared),
      ...subject.undeclared,
      viem: testedVersion("viem")
    }
    const { ok, output } = await install(folder, dependencies)
    if (ok) return { ...subject, folder, version }
    reason = output.split("\n").find((line) => /ETARGET|E404|notarget|404|ERESOLVE/.test(line)) ?? output.slice(0, 200)
  }
  return { name: subject.name, reason }
}

/** Packs our own packages and installs the tarballs. */
export const installOwn = async (parent: string, subject: Subject): Promise<Installed> => {
  const folder = folderFor(parent, subject)
  const packages = publishedPackages()
  const tarballs = await Promise.all(
    subject.packages.map(async (name) => {
      const { directory = "" } = packages.find((one) => one.name === name) ?? {}
      const file = join(folder, `${name.replace("@", "").replace("/", "-")}.tgz`)
      const { ok, output } = await run("pnpm", ["pack", "--out", file], directory)
      if (!ok) throw new Error(`Cannot pack ${name}:\n${output}`)
      return [name, `file:${file}`] as const
    })
  )
  const { ok, output } = await install(folder, {
    ...Object.fromEntries(tarballs),
    effect: testedVersion("effect"),
    viem: testedVersion("viem")
  })
  if (!ok) throw new Error(`Cannot install the packed packages:\n${output}`)
  return { ...subject, folder, version: "this checkout" }
}
