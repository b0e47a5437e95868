/**
 * Runs a program from a checkout, after installing and building what is missing: the demo and the stack of this app,
 * `geoswap`, `geoswap-server` and the devnet. It is plain JavaScript, because a new machine may have only Node 20 and
 * npm. It prints to standard error, because standard output belongs to the program.
 */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, join } from "node:path"
import { buildOrder, manifests } from "../../tooling/setup/buildOrder.js"
import { machine, root } from "../../tooling/setup/machine.js"
import { missing, plan } from "../../tooling/setup/installPlan.js"
import { isUpToDate, recordBuild } from "../../tooling/setup/upToDate.js"

const [name = "", ...args] = process.argv.slice(2)

/**
 * @typedef {object} Launched
 * @property {string} script The built program.
 * @property {ReadonlyArray<string>} packages What to build.
 * @property {ReadonlyArray<string>} args
 * @property {boolean} [tool] Whether it is a tool that runs often, in the user's folder. It is built only if its sources
 * have changed.
 */

/** @type {Readonly<Record<string, Launched>>} */
const programs = {
  demo: { script: "apps/local/dist/cli.js", packages: ["local", "cli"], args: ["demo", ...args] },
  start: { script: "apps/local/dist/cli.js", packages: ["local", "cli", "web"], args: ["start", ...args] },
  geoswap: { script: "apps/cli/dist/cli.js", packages: ["cli"], args, tool: true },
  server: {
    script: "apps/server/dist/cli.js",
    // Only the page needs the page.
    packages: ["server", ...(args.includes("--web") ? ["web"] : [])],
    args,
    tool: true
  },
  devnet: { script: "packages/devnet/dist/cli.js", packages: ["devnet"], args, tool: true }
}
// The program of this app explains an unknown name.
const unknown = { script: "apps/local/dist/cli.js", packages: ["local", "cli"], args: process.argv.slice(2) }
/** @type {Launched} */
const launched = programs[name] ?? unknown
const { packages, script, tool = false } = launched

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`)

/** The text of a file, or an empty string if the file does not exist. @param {Array<string>} path */
const textOf = (...path) => {
  try {
    return readFileSync(join(root, ...path), "utf8")
  } catch {
    return ""
  }
}

/** @type {import("node:child_process").ChildProcess | undefined} */
let child
let ended = false
/** @param {NodeJS.Signals} signal */
const end = (signal) => {
  ended = true
  child?.kill(signal)
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, end)

// npm forwards signals to this process. If npm itself is killed, it cannot forward the signal, but our parent process
// changes.
const parent = process.ppid
if (process.env["npm_lifecycle_event"] !== undefined) {
  setInterval(() => process.ppid !== parent && !ended && end("SIGTERM"), 500).unref()
}

/**
 * Runs a program, forwards our signals to it, and returns its exit code.
 *
 * @param {string} command
 * @param {Array<string>} args
 * @param {import("node:child_process").StdioOptions} stdio
 * @param {(chunk: unknown) => void} [collect]
 * @param {string} [cwd]
 * @returns {Promise<number>}
 */
const run = (command, args, stdio, collect = () => undefined, cwd = root) =>
  new Promise((resolve) => {
    const started = spawn(command, args, { cwd, stdio })
    child = started
    started.stdout?.on("data", collect)
    started.stderr?.on("data", collect)
    started.on("error", ({ message }) => {
      say(`${command} could not be run: ${message}`)
      resolve(1)
    })
    /** @param {number | null} code @param {NodeJS.Signals | null} signal */
    const finish = (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    started.on("close", finish)
    // After Ctrl-C, does not wait until the output is closed, because a grandchild that missed the signal may keep it
    // open.
    started.on("exit", (code, signal) => ended && finish(code, signal))
  })

/**
 * Runs a program and collects its output. If the program takes long, says so every 10 seconds.
 *
 * @param {ReadonlyArray<string>} command
 * @param {string} doing What the program does.
 */
const attempt = async ([program = "", ...args], doing) => {
  let output = ""
  const startedAt = Date.now()
  const waiting = setInterval(() => say(`Still ${doing}: ${Math.round((Date.now() - startedAt) / 1000)} s …`), 10_000)
  const code = await run(program, args, ["ignore", "pipe", "pipe"], (chunk) => void (output += String(chunk)))
  clearInterval(waiting)
  if (ended) process.exit(130)
  return { ok: code === 0, output: output.trim() }
}

/** @typedef {{ command: ReadonlyArray<string>, output: string }} Failed @param {Failed} failed @returns {never} */
const giveUp = ({ command, output }) => {
  say(`${output}\n\n${command.join(" ")} failed.`)
  process.exit(1)
}

const { packageManager } = machine
/** @param {Array<string>} args */
const pnpm = (...args) => ["npx", "--yes", packageManager, ...args]

const { frozen, install, messages, refusal } = plan(machine)
if (refusal !== undefined) {
  say(refusal)
  process.exit(1)
}

// pnpm keeps a copy of the lockfile from which it last installed.
const installed = textOf("node_modules", ".pnpm", "lock.yaml")
if (installed === "") {
  say("The first run installs dependencies into node_modules, including Node 24, EDR and LiteSVM,")
  say("and builds the packages. This takes a minute or more.")
}
// For an install without the lockfile, there is nothing to compare. In that case, pnpm itself checks for changes, which
// takes about a second.
if (!frozen || installed === "" || installed !== textOf("pnpm-lock.yaml")) {
  for (const message of messages) say(message)
  say(`Installing with ${packageManager} …`)
  const { ok, output } = await attempt(install, "installing")
  if (!ok) giveUp({ command: install, output })
  for (const message of missing(machine)) say(message)
}
/** The folders of packages and of everything that they are built from. @param {ReadonlyArray<string>} named */
const foldersOf = (named) =>
  buildOrder(
    named.map((one) => `@geoswap/${one}`),
    manifests()
  )
const folders = foldersOf(packages)

/** Builds what has changed, with turbo if it can run. */
const buildChanged = async () => {
  say("Building what has changed since the last build, if anything …")
  const filters = packages.map((one) => `--filter=@geoswap/${one}`)
  const build = pnpm("exec", "turbo", "run", "build", ...filters, "--output-logs=errors-only")
  const built = await attempt(build, "building")
  if (built.ok) return
  // If turbo itself can run, the build failed.
  if ((await attempt(pnpm("exec", "turbo", "--version"), "checking turbo")).ok)
    giveUp({ command: build, output: built.output })
  say("turbo cannot run on this machine. Building the packages one by one, which takes a few minutes …")
  for (const folder of folders) {
    const command = pnpm("--dir", folder, "run", "build")
    const { ok, output } = await attempt(command, `building ${folder}`)
    if (!ok) giveUp({ command, output })
  }
}

if (!tool || !isUpToDate(packages.join("-"), script, folders)) {
  const startedAt = new Date()
  await buildChanged()
  // The build of `npm start` includes the tools, so their first run does not have to build again.
  const built = new Set(folders)
  for (const { packages: named, tool: isTool = false } of Object.values(programs)) {
    if (isTool && foldersOf(named).every((folder) => built.has(folder))) recordBuild(named.join("-"), startedAt)
  }
}

// The Node that was installed with the packages comes first on the `PATH`, as in scripts that pnpm runs.
process.env["PATH"] = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter)
const program = [join(root, script), ...launched.args]
if (tool) {
  // npm runs scripts in the root of the checkout, but the user's paths are relative to the user's folder.
  const { INIT_CWD: started, npm_config_loglevel: level, npm_lifecycle_event: event } = process.env
  const silent = level === "silent" ? "--silent " : ""
  // The program suggests commands that start like this one.
  if (event === name) process.env["GEOSWAP_COMMAND"] = `npm run ${silent}${name} --`
  process.env["GEOSWAP_DEVNET_FILE"] ??= join(root, ".geoswap", "devnet.json")
  const folder = event === name ? (started ?? process.cwd()) : process.cwd()
  process.exitCode = await run("node", program, "inherit", undefined, folder)
} else {
  // The IPC channel lets the program notice when this process is killed.
  process.exitCode = await run("node", program, ["inherit", "inherit", "inherit", "ipc"])
}
