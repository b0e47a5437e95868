/** Where the programs are that a devnet runs: the option, the platform's npm package, or the name on the PATH. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { BinaryMissing } from "../DevnetError.js"

/** How the platforms of Node are called in the names of Foundry's packages. */
const foundryNames: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** Foundry's package with anvil for a platform; undefined where there is none. */
export const anvilPackage = (platform: string, arch: string): string | undefined => {
  const name = foundryNames[arch]
  const known = ["linux", "darwin"].includes(platform) && name !== undefined
  return known ? `@foundry-rs/anvil-${platform}-${name}` : undefined
}

/** The path of anvil in the package of this platform, where it is installed. */
const packagedAnvil = (name: string): string | undefined => {
  const require = createRequire(import.meta.url)
  try {
    // The platform's package is a dependency of the wrapper, not ours: strict layouts show it only from there.
    const wrapper = createRequire(require.resolve("@foundry-rs/anvil/package.json"))
    const path = join(dirname(wrapper.resolve(`${name}/package.json`)), "bin", "anvil")
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** An anvil on the PATH, except for the start scripts of npm's packages, whose program is not there then. */
const installedAnvil = (): string | undefined => {
  const { stdout } = spawnSync("which", ["-a", "anvil"], { encoding: "utf8" })
  return stdout?.split("\n").find((path) => path !== "" && !path.includes("node_modules"))
}

/** What to run for anvil. */
export const anvilCommand = (option: string | undefined): string => {
  if (option !== undefined) return option
  const name = anvilPackage(process.platform, process.arch)
  return (name === undefined ? undefined : packagedAnvil(name)) ?? installedAnvil() ?? "anvil"
}

/** The error where anvil could not be run. */
export const anvilMissing = (command: string): BinaryMissing => {
  const name = anvilPackage(process.platform, process.arch)
  const tried = command === "anvil" ? "anvil is not on the PATH" : `${command} cannot be run`
  const packaged =
    name === undefined
      ? `there is no npm package with it for ${process.platform} on ${process.arch}`
      : `its npm package for this platform, ${name}, is not installed`
  return new BinaryMissing({
    binary: "anvil",
    ...(name !== undefined && { package: name }),
    message:
      `${tried}, and ${packaged}. Install that package, or Foundry (run foundryup) so that anvil is on the PATH, ` +
      `or give its path as the option anvil.`
  })
}
