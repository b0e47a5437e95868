/**
 * Plans the install for a machine. `npm test` and `npm run demo` run this before anything is installed, so it is plain
 * JavaScript for Node 20, without dependencies.
 */

/** The minimum Node version if the install does not include Node. */
const ownNode = "22.19"

/**
 * @typedef {object} Machine
 * @property {string} platform As in `process.platform`.
 * @property {string} arch As in `process.arch`.
 * @property {string} release The kernel version.
 * @property {string} nodeVersion Without the `v`.
 * @property {string} root The checkout's folder.
 * @property {string} packageManager As pinned in `package.json`: `pnpm@12.18.0`.
 * @property {Readonly<Record<string, ReadonlyArray<string>>>} gaps `missingBuilds.json`: what is missing from the
 * lockfile.
 * @property {(name: string) => boolean} isInstalled Whether `node_modules` has a package, given as `name@version`.
 */

/**
 * @typedef {object} Plan
 * @property {string} [refusal] Why nothing can run here, and what to do about it.
 * @property {ReadonlyArray<string>} install The install command. Empty if refused.
 * @property {boolean} frozen Whether the command installs from the lockfile.
 * @property {ReadonlyArray<string>} messages What to print before the install.
 */

/** @type {Readonly<Record<string, string>>} */
const systems = { darwin: "macOS", linux: "Linux", win32: "Windows" }
/** @type {Readonly<Record<string, string>>} */
const aliases = { windows: "win32", amd64: "x64", 64: "x64", aarch64: "arm64" }

const platformName =
  /(?:^|[-/])(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32|windows)-(x64|amd64|64|aarch64|arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x)(?:-([a-z]+))?(?=@|$)/

/**
 * A package's platform, according to its name: `darwin-arm64`, `linux-x64-musl`. Undefined if the name contains no
 * platform.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export const platformOf = (name) => {
  const [, os, cpu, abi] = platformName.exec(name) ?? []
  if (os === undefined || cpu === undefined) return undefined
  return `${aliases[os] ?? os}-${aliases[cpu] ?? cpu}${abi?.startsWith("musl") ? "-musl" : ""}`
}

/** @param {{ readonly dependency: string }} gap */
const nameOf = ({ dependency }) => dependency.slice(0, dependency.lastIndexOf("@"))

/** @param {ReadonlyArray<string>} names */
const list = (names) => [...new Set(names)].join(", ")

/**
 * The builds for one machine's platform that are missing from the lockfile. Each missing package is listed together
 * with the dependency that needs it.
 *
 * @param {Pick<Machine, "platform" | "arch" | "gaps">} machine
 * @returns {ReadonlyArray<{ readonly dependency: string, readonly package: string }>}
 */
const gapsFor = ({ arch, gaps, platform }) =>
  Object.entries(gaps).flatMap(([dependency, packages]) =>
    packages.filter((name) => platformOf(name) === `${platform}-${arch}`).map((name) => ({ dependency, package: name }))
  )

/** @param {string} version @param {string} least */
const isOlder = (version, least) => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

/** @param {Machine} machine */
const refuse = ({ arch, nodeVersion, platform }) => {
  if (platform === "win32") {
    return (
      "GeoSwap does not run on Windows, because it requires a POSIX shell. Use WSL (Windows Subsystem for Linux): " +
      "install it with `wsl --install`, open its terminal, install Node, clone the repository into your Linux home " +
      "folder, and run the same command."
    )
  }
  // The install includes Node 24 for Linux on x64 and arm64 only.
  const bringsNode = platform === "linux" && (arch === "x64" || arch === "arm64")
  const least = bringsNode ? "20" : ownNode
  if (!isOlder(nodeVersion, least)) return undefined
  return (
    `GeoSwap requires Node ${least} or later on ${systems[platform] ?? platform}, but this is Node ${nodeVersion}. ` +
    `Install a newer version (${platform === "darwin" ? "`brew install node`, or the installer" : "a package"} ` +
    "from nodejs.org), and run the same command again."
  )
}

/**
 * Plans the install for a machine.
 *
 * @param {Machine} machine
 * @returns {Plan}
 */
export const plan = (machine) => {
  const refusal = refuse(machine)
  if (refusal !== undefined) return { refusal, install: [], frozen: true, messages: [] }
  const { arch, packageManager, platform, release, root } = machine
  const lacking = gapsFor(machine)
  const frozen = lacking.length === 0
  const messages = frozen
    ? []
    : [
        `The lockfile has no builds of ${list(lacking.map(nameOf))} for ${systems[platform] ?? platform} on ${arch}, ` +
          "so the install does not use the lockfile. Direct dependencies have the same exact versions, but transitive " +
          "ones may be newer."
      ]
  if (/microsoft/i.test(release) && /^\/mnt\/[a-z]\//.test(root)) {
    messages.push("This checkout is on a Windows drive, which is slow in WSL. Clone it into your Linux home folder.")
  }
  const install = ["npx", "--yes", packageManager, "install", frozen ? "--frozen-lockfile" : "--no-lockfile"]
  return { install, frozen, messages }
}

/**
 * Messages about builds that could not be installed, and what to do about them.
 *
 * @param {Machine} machine
 * @returns {ReadonlyArray<string>}
 */
export const missing = (machine) => {
  const { arch, isInstalled, platform } = machine
  // Without the lockfile, a different version with different packages may be installed.
  const gaps = gapsFor(machine).filter((gap) => isInstalled(gap.dependency) && !isInstalled(gap.package))
  const system = `${systems[platform] ?? platform} on ${arch}`
  return gaps.map(
    (gap) =>
      `${nameOf(gap)} is not installed for ${system}. Check that your npm registry has its package: npm view ${gap.package}`
  )
}

/**
 * The message if turbo cannot run.
 *
 * @param {Pick<Machine, "platform" | "arch">} machine
 * @param {string} version Turbo's version.
 * @param {string} reason Turbo's error output.
 */
export const turboUnusable = ({ arch, platform }, version, reason) => {
  const name = `@turbo/${platform}-${arch === "x64" ? "64" : arch}@${version}`
  return (
    `turbo cannot run here, so no gate ran: ${reason}\n` +
    `Its binary is in the ${name} package. Check that your npm registry has that package (npm view ${name}), delete ` +
    `node_modules, and run npm test again. If the registry does not have it, run the gates on Linux. npm run demo works without turbo.`
  )
}
