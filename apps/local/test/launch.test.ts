import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { descendants, eventually, reaches, runs, timeout, programFixture } from "./fixture.js"

const { folder, run } = programFixture()
const launcher = fileURLToPath(new URL("../launch.js", import.meta.url))
const calls = join(folder, "calls")
const path = process.env["PATH"]
afterAll(() => void (process.env["PATH"] = path))

/** Replaces `npx`, because a test must not install or build while others run. It records each call. */
const npx = (script: string) => {
  const bin = join(folder, "bin")
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, "npx"), `#!/bin/sh\necho "$@" >> "${calls}"\n${script}\n`)
  chmodSync(join(bin, "npx"), 0o755)
  process.env["PATH"] = [bin, path].join(delimiter)
}

beforeEach(() => writeFileSync(calls, ""))

it("builds before it runs the program, and prints nothing to standard output itself", async () => {
  npx("echo noise; echo more >&2")
  const program = run("launch.js", "demo", "--help")
  expect(await program.ended).toBe(0)
  expect(program.stdout()).toMatch(/^Starts two EVM chains/)
  expect(program.stdout() + program.stderr()).not.toMatch(/noise|more$/m)
  expect(readFileSync(calls, "utf8")).toMatch(/^--yes pnpm@\S+ exec turbo run build --filter=@geoswap\/local/m)
})

it("builds the page for start, but not for the demo", async () => {
  npx("exit 0")
  for (const [command, ends] of [
    ["demo", "--filter=@geoswap/local --filter=@geoswap/cli --output-logs=errors-only"],
    ["start", "--filter=@geoswap/local --filter=@geoswap/cli --filter=@geoswap/web --output-logs=errors-only"]
  ] as const) {
    const program = run("launch.js", command, "--help")
    expect(await program.ended).toBe(0)
    const built = readFileSync(calls, "utf8").trim().split("\n").at(-1)
    expect(built?.endsWith(`turbo run build ${ends}`)).toBe(true)
  }
})

it("prints why a build failed, and does not run the program", async () => {
  npx('case "$*" in *"turbo run"*) echo the reason; exit 3 ;; esac')
  const program = run("launch.js", "demo", "--help")
  expect(await program.ended).toBe(1)
  expect(program.stdout()).toBe("")
  expect(program.stderr()).toMatch(/the reason\n\nnpx --yes pnpm@.* failed\.\n$/)
  expect(readFileSync(calls, "utf8")).not.toContain("--dir")
})

it("builds with the packages' own scripts if turbo cannot run", async () => {
  npx('case "$*" in *turbo*) exit 1 ;; esac')
  const program = run("launch.js", "demo", "--help")
  expect(await program.ended).toBe(0)
  expect(program.stderr()).toContain("turbo cannot run on this machine")
  const built = [...readFileSync(calls, "utf8").matchAll(/ --dir (\S+) run build$/gm)].map(([, folder]) => folder)
  expect(built[0]).toBe("packages/core")
  expect(built.at(-1)).toBe("apps/cli")
  expect(built).toEqual(expect.arrayContaining(["apps/local", "packages/tools"]))
})

it("prints why a build without turbo failed, and does not run the program", async () => {
  npx("echo the reason; exit 3")
  const program = run("launch.js", "demo", "--help")
  expect(await program.ended).toBe(1)
  expect(program.stdout()).toBe("")
  expect(program.stderr()).toMatch(/the reason\n\nnpx --yes pnpm@\S+ --dir packages\/core run build failed\.\n$/)
})

it("exits with the exit code of the program", async () => {
  npx("exit 0")
  const program = run("launch.js", "start", "--port", "none")
  expect(await program.ended).toBe(2)
  expect(program.stderr()).toContain(`--port is invalid: expected a whole number from 0 to 65535, got "none"`)
})

/** The file that records the last build of `geoswap`. */
const stamp = fileURLToPath(new URL("../../../node_modules/.cache/geoswap/cli.built", import.meta.url))

it("runs geoswap with its arguments and exit code, and builds it only if a source is newer", async () => {
  npx("echo noise")
  rmSync(stamp, { force: true })
  const first = run("launch.js", "geoswap", "--version")
  expect([await first.ended, first.stdout()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)])
  expect(readFileSync(calls, "utf8")).toMatch(/turbo run build --filter=@geoswap\/cli --output-logs=errors-only$/m)
  writeFileSync(calls, "")
  const second = run("launch.js", "geoswap", "nonsense")
  expect([await second.ended, second.stdout()]).toEqual([64, ""])
  expect(second.stderr()).not.toContain("Building")
  expect(readFileSync(calls, "utf8")).toBe("")
  // Sources that changed after the last build started.
  utimesSync(stamp, 0, 0)
  const third = run("launch.js", "geoswap", "--version")
  expect(await third.ended).toBe(0)
  expect(readFileSync(calls, "utf8")).toContain("turbo run build")
})

it("runs geoswap in the user's folder, and its hints start with npm", async () => {
  npx("exit 0")
  const npm = join(folder, "npmRun.mjs")
  // npm runs scripts in the root of the checkout.
  writeFileSync(
    npm,
    `import { spawn } from "node:child_process"
    const env = { ...process.env, npm_lifecycle_event: "geoswap", INIT_CWD: process.cwd(), HOME: process.cwd() }
    const child = spawn(process.execPath, process.argv.slice(2), { env, cwd: "/", stdio: "inherit" })
    child.on("exit", (code) => process.exit(code))`
  )
  const program = run(npm, launcher, "geoswap", "--config", "mine.json", "config", "path")
  expect([await program.ended, program.stdout()]).toEqual([0, `${join(folder, "mine.json")}\n`])
  const hint = run(npm, launcher, "geoswap", "--config", "mine.json", "chians")
  expect(await hint.ended).toBe(64)
  expect(hint.stderr()).toContain("Run npm run geoswap -- --config mine.json --help")
  // Without a devnet in the user's folder, the devnet is the checkout's.
  const devnet = fileURLToPath(new URL("../../../.geoswap/devnet.json", import.meta.url))
  const elsewhere = run(npm, launcher, "geoswap", "--devnet", "keys", "list")
  await elsewhere.ended
  expect(existsSync(devnet) || elsewhere.stderr().includes(devnet)).toBe(true)
})

it("stops on a signal during the build", async () => {
  npx("exec sleep 600")
  const program = run("launch.js", "demo")
  await eventually(() => readFileSync(calls, "utf8") !== "")
  process.kill(-program.pid, "SIGINT")
  expect(await program.ended).toBe(130)
})

describe("a launched program", () => {
  /** The launcher, as npm runs it. */
  const npm = () => {
    const file = join(folder, "npm.mjs")
    writeFileSync(
      file,
      `import { spawn } from "node:child_process"
      const env = { ...process.env, npm_lifecycle_event: "geoswap" }
      spawn(process.execPath, process.argv.slice(2), { env, stdio: "inherit" })`
    )
    return file
  }

  /** Starts `geoswap`, which waits for a response until it is stopped. */
  const waiting = async (file: string, ...args: ReadonlyArray<string>) => {
    npx("exit 0")
    const held = createServer((socket) => void socket.on("error", () => undefined))
    onTestFinished(() => void held.close())
    await new Promise<void>((resolve) => held.listen(0, "127.0.0.1", resolve))
    const { port } = held.address() as AddressInfo
    const connected = new Promise((resolve) => held.once("connection", resolve))
    vi.stubEnv("GEOSWAP_API_KEY", "key")
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv("GEOSWAP_URL", `http://127.0.0.1:${port}`)
    const program = run(file, ...args, "geoswap", "chains")
    await connected
    const children = descendants(program.pid)
    expect(children.filter(runs).length).toBeGreaterThan(0)
    return { program, gone: () => eventually(() => children.every((pid) => !runs(pid))) }
  }

  it("gets Ctrl-C once, even though npm forwards it, too", async () => {
    const { program } = await waiting("launch.js")
    process.kill(-program.pid, "SIGINT")
    process.kill(program.pid, "SIGINT")
    // The second signal may arrive while the launcher already exits, and then it ends the launcher. A shell reports 130
    // in both cases.
    expect([130, "SIGINT"]).toContain(await program.ended)
  })

  it("stops when only the launcher gets a signal", async () => {
    const { gone, program } = await waiting("launch.js")
    program.process.kill("SIGTERM")
    expect(await program.ended).toBe(130)
    await gone()
  })

  it("stops when the npm process that started the launcher is killed", async () => {
    const { gone, program } = await waiting(npm(), launcher)
    program.process.kill("SIGKILL")
    await gone()
  })

  it(
    "stops when the launcher is killed, with everything that it started",
    async () => {
      npx("exit 0")
      const program = run("launch.js", "demo")
      await reaches(program, "1/5")
      const children = descendants(program.pid)
      expect(children.filter(runs).length).toBeGreaterThanOrEqual(3)
      program.process.kill("SIGKILL")
      await eventually(() => children.every((pid) => !runs(pid)))
    },
    timeout
  )
})
