/**
 * Checks for builds that are missing from the lockfile. Native dependencies have one package per platform, and pnpm
 * silently omits the packages that it cannot resolve. `setup/missingBuilds.json` records the missing builds for the
 * setup.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { platformOf } from "../setup/installPlan.js"
import { read, type Report, root, tooling } from "../workspace.ts"

type Gaps = Readonly<Record<string, ReadonlyArray<string>>>

interface Manifest {
  readonly name: string
  readonly version: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The packages in a lockfile, as `name@version`. */
export const lockedPackages = (lockfile: string): ReadonlySet<string> => {
  const section = /^packages:\n([\s\S]*?)^(?=\S)/m.exec(lockfile)?.[1] ?? ""
  return new Set([...section.matchAll(/^ {2}'?([^\s'][^']*?)'?:$/gm)].flatMap(([, name]) => name ?? []))
}

/**
 * Whether a lockfile contains an optional dependency. Platform packages are matched by exact version, others by name.
 */
const isLocked = (locked: ReadonlySet<string>, name: string, range: string): boolean =>
  /^\d/.test(range) ? locked.has(`${name}@${range}`) : [...locked].some((one) => one.startsWith(`${name}@`))

/** Dependencies that nothing requires: the devnet runs anvil only on request, and one test compares EDR with it. */
const optional: ReadonlyArray<string> = ["@foundry-rs/anvil"]

/** For each native dependency in the lockfile, the platform packages that are missing from the lockfile. */
export const gapsOf = (manifests: ReadonlyArray<Manifest>, locked: ReadonlySet<string>): Gaps =>
  Object.fromEntries(
    manifests
      .filter(({ name, version }) => !optional.includes(name) && locked.has(`${name}@${version}`))
      .map(({ name, optionalDependencies = {}, version }) => {
        const builds = Object.entries(optionalDependencies)
        const native = builds.some(([name]) => platformOf(name) !== undefined)
        const lacking = builds.filter(([name, range]) => !isLocked(locked, name, range))
        const packages = native ? lacking.map((entry) => entry.join("@")).toSorted() : []
        return [`${name}@${version}`, packages] as const
      })
      .filter(([, packages]) => packages.length > 0)
      .toSorted(([a], [b]) => a.localeCompare(b))
  )

/** Compares the recorded missing builds with the lockfile. A dependency that is not installed cannot be compared. */
export const compare = (
  recorded: Gaps,
  actual: Gaps,
  locked: ReadonlySet<string>,
  isInstalled: (dependency: string) => boolean
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(recorded), ...Object.keys(actual)])].toSorted().flatMap((dependency) => {
    const [before, now] = [recorded[dependency] ?? [], actual[dependency] ?? []]
    if (!locked.has(dependency)) return [`${dependency} is recorded but no longer in the lockfile`]
    if (!isInstalled(dependency)) return []
    return [
      ...now
        .filter((name) => !before.includes(name))
        .map((name) => `${dependency}: ${name} is missing from the lockfile`),
      ...before.filter((name) => !now.includes(name)).map((name) => `${dependency}: ${name} is now in the lockfile`)
    ]
  })

/**
 * The manifests of installed packages. A folder in the store is named `scope+name@version`, followed by `_` and its
 * peers.
 */
const installedManifests = (): ReadonlyArray<Manifest> => {
  const store = join(root, "node_modules", ".pnpm")
  return readdirSync(store).flatMap((folder) => {
    const name = folder.slice(0, folder.indexOf("@", 1)).replace("+", "/")
    const path = join(store, folder, "node_modules", name, "package.json")
    return existsSync(path) ? [JSON.parse(readFileSync(path, "utf8")) as Manifest] : []
  })
}

export const check = (update: boolean): Report => {
  const path = join(tooling, "setup", "missingBuilds.json")
  const locked = lockedPackages(read("pnpm-lock.yaml"))
  const manifests = installedManifests()
  const actual = gapsOf(manifests, locked)
  if (update) writeFileSync(path, `${JSON.stringify(actual, null, 2)}\n`)
  const installed = new Set(manifests.map(({ name, version }) => `${name}@${version}`))
  const problems = compare(JSON.parse(readFileSync(path, "utf8")) as Gaps, actual, locked, (name) =>
    installed.has(name)
  )
  const lines = Object.entries(actual).map(
    ([dependency, packages]) =>
      `  ${dependency}: ${packages.map((name) => platformOf(name) ?? name.slice(0, name.lastIndexOf("@"))).join(", ")}`
  )
  return {
    problems,
    summary:
      `These builds are missing from the lockfile:\n${lines.join("\n")}\n` +
      (problems.length === 0
        ? "They are recorded in tooling/setup/missingBuilds.json."
        : "The record in tooling/setup/missingBuilds.json is outdated. See Platforms in CONTRIBUTING.md.")
  }
}
