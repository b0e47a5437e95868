/** Finds anvil through the option, the platform's npm package, or the PATH. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { BinaryMissing } from "../../DevnetError.js"

/** Maps Node's architecture names to those in Foundry's package names. */
const foundryNames: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** The Foundry package that contains anvil for a platform, or undefined if there is no such package. */
export const anvilPackage = (platform: string, arch: string): string | undefined => {
  const name = foundryNames[arch]
  const known = ["linux", "darwin"].includes(platform) && name !== undefined
  return known ? `@foundry-rs/anvil-${platform}-${name}` : undefined
}

/** The path to anvil in the package for this platform, if that package is installed. */
const packagedAnvil = (name: string): string | undefined => {
  const require = createRequire(import.meta.url)
  try {
    // The platform's package is a dependency of the `@foundry-rs/anvil` package, not of this one, so a strict
    // `node_modules` layout resolves it only from `@foundry-rs/anvil`.
    const wrapper = createRequire(require.resolve("@foundry-rs/anvil/package.json"))
    const path = join(dirname(wrapper.resolve(`${name}/package.json`)), "bin", "anvil")
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/**
 * The anvil program on the PATH, unless it is npm's launcher script. If the launcher is found here, the program that it
 * launches is missing.
 */
const installedAnvil = (): string | undefined => {
  const { stdout } = spawnSync("which", ["-a", "anvil"], { encoding: "utf8" })
  return stdout?.split("\n").find((path) => path !== "" && !path.includes("node_modules"))
}

/** The command that runs anvil. */
export const anvilCommand = (option: string | undefined): string => {
  if (option !== undefined) return option
  const name = anvilPackage(process.platform, process.arch)
  return (name === undefined ? undefined : packagedAnvil(name)) ?? installedAnvil() ?? "anvil"
}

/** Creates the error that is reported if anvil cannot run. */
export const anvilMissing = (command: string): BinaryMissing => {
  const name = anvilPackage(process.platform, process.arch)
  const tried = command === "anvil" ? "anvil is not on the PATH" : `anvil cannot be run at ${command}`
  const packaged =
    name === undefined
      ? `there is no npm package for ${process.platform} on ${process.arch}`
      : `its npm package for this platform, ${name}, is not installed`
  return new BinaryMissing({
    binary: "anvil",
    ...(name !== undefined && { package: name }),
    message:
      `${tried}, and ${packaged}. ${name === undefined ? "Install" : "Install that package, install"} Foundry ` +
      `(run foundryup) to put anvil on the PATH, or set the path to anvil with the anvil option.`
  })
}
