/**
 * Runs `demo` or `start` from a checkout: installs and builds what is missing first. A machine that has nothing but
 * Node 20 and npm starts here, so this is plain JavaScript. It prints on standard error alone: standard output belongs
 * to the program.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "..", "..")

/** @param {string} text */
const say = (text) => void process.stderr.write(`${text}\n`)

/** The text of a file, or nothing where there is none. @param {Array<string>} path */
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

// npm passes signals on, but not where it is killed itself. Then somebody else becomes our parent.
const parent = process.ppid
if (process.env["npm_lifecycle_event"] !== undefined) {
  setInterval(() => process.ppid !== parent && !ended && end("SIGTERM"), 500).unref()
}

/**
 * Runs a program, which gets the signals that we get, and gives its exit code.
 *
 * @param {string} command
 * @param {Array<string>} args
 * @param {import("node:child_process").StdioOptions} stdio
 * @param {(chunk: unknown) => void} [collect]
 * @returns {Promise<number>}
 */
const run = (command, args, stdio, collect = () => undefined) =>
  new Promise((resolve) => {
    const started = spawn(command, args, { cwd: root, stdio })
    child = started
    started.stdout?.on("data", collect)
    started.stderr?.on("data", collect)
    started.on("error", ({ message }) => {
      say(`${command} cannot be run: ${message}`)
      resolve(1)
    })
    started.on("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })

/**
 * Runs a program whose output matters only where it fails.
 *
 * @param {string} command
 * @param {Array<string>} args
 */
const prepare = async (command, ...args) => {
  let output = ""
  const code = await run(command, args, ["ignore", "pipe", "pipe"], (chunk) => void (output += String(chunk)))
  if (ended) process.exit(130)
  if (code === 0) return
  say(`${output.trim()}\n\n${command} ${args.join(" ")} failed.`)
  process.exit(1)
}

const { packageManager } = /** @type {{ packageManager: string }} */ (JSON.parse(textOf("package.json")))
/** @param {Array<string>} args */
const pnpm = (...args) => prepare("npx", "--yes", packageManager, ...args)

// pnpm keeps a copy of the lockfile that it has installed.
const installed = textOf("node_modules", ".pnpm", "lock.yaml")
if (installed === "") {
  say("The first run installs what GeoSwap needs into node_modules (Node 24, anvil and LiteSVM are among it)")
  say("and builds its packages. This takes about a minute.")
}
if (installed === "" || installed !== textOf("pnpm-lock.yaml")) {
  say(`Installing with ${packageManager} …`)
  await pnpm("install", "--frozen-lockfile")
}
say("Building what has changed …")
// The demo needs no page.
const packages = ["local", "cli", ...(process.argv[2] === "start" ? ["web"] : [])]
const filters = packages.map((name) => `--filter=@geoswap/${name}`)
await pnpm("exec", "turbo", "run", "build", ...filters, "--output-logs=errors-only")

/** Whether a program is on the path. @param {string} name */
const isThere = (name) => (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)))

// npm has anvil for ARM on macOS, and not on Linux. Its x64 build runs there as in our own tests: under QEMU.
const lacksAnvil = process.platform === "linux" && process.arch === "arm64" && !isThere("anvil")
if (lacksAnvil && (isThere("qemu-x86_64") || (process.getuid?.() === 0 && isThere("apt-get")))) {
  say("There is no anvil for this platform: its x64 build is run under QEMU, which is slower …")
  let path = ""
  const emulate = 'source .ci/emulate >&2 && printf %s "$PATH"'
  const code = await run(
    "bash",
    ["-c", emulate],
    ["ignore", "pipe", "inherit"],
    (chunk) => void (path += String(chunk))
  )
  if (code === 0) process.env["PATH"] = path
}

// The Node that was installed along with the packages comes first, as in the scripts that pnpm runs.
process.env["PATH"] = [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter)
const program = [join(here, "dist", "cli.js"), ...process.argv.slice(2)]
// Over the channel the program notices when this process is killed.
process.exitCode = await run("node", program, ["inherit", "inherit", "inherit", "ipc"])
