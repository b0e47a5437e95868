/** Finds anvil and starts it on a free port. It exits with this process. */
import { spawn, spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import type { Socket } from "node:net"

const require = createRequire(import.meta.url)

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** The program that npm installed for this platform, a dependency of `@foundry-rs/anvil`. */
const installed = (): string | undefined => {
  const name = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`
  const file = process.platform === "win32" ? "anvil.exe" : "anvil"
  try {
    return createRequire(require.resolve("@foundry-rs/anvil/package.json")).resolve(`${name}/bin/${file}`)
  } catch {
    return undefined
  }
}

/** An anvil on the PATH, except for npm's start scripts: if one is found here, its program is missing. */
const onPath = (): string | undefined =>
  spawnSync("which", ["-a", "anvil"], { encoding: "utf8" })
    .stdout?.split("\n")
    .find((path) => path !== "" && !path.includes("node_modules"))

const binary = installed() ?? onPath()

/** Why anvil cannot run, or `undefined`. */
export const missing: string | undefined =
  binary === undefined ? `no anvil for ${process.platform} ${process.arch} in npm, and none on PATH` : undefined

/** Kills anvil when the process that started it exits for any reason, because its end of the pipe closes. */
const keeper = `
const { spawn } = require("node:child_process")
const [command, ...args] = process.argv.slice(1)
const anvil = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] })
anvil.on("error", (error) => { console.error(String(error)); process.exit(1) })
anvil.on("exit", (code) => process.exit(code ?? 1))
process.on("SIGINT", () => {})
process.stdin.on("close", () => anvil.kill("SIGKILL")).resume()
`

export interface Anvil {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** The first block's time: a full hour, 2026-01-01T00:00:00Z. */
export const genesis = 1_767_225_600n

/** Starts a chain. It mines a block for each transaction. */
export const start = (chainId: number): Promise<Anvil> =>
  new Promise((resolve, reject) => {
    const args = ["--port", "0", "--chain-id", String(chainId), "--timestamp", String(genesis), "--accounts", "1"]
    const options = ["--hardfork", "osaka", "--slots-in-an-epoch", "1"]
    const child = spawn(process.execPath, ["-e", keeper, binary ?? "anvil", ...args, ...options], {
      stdio: ["pipe", "pipe", "pipe"]
    })
    const exited = new Promise<void>((done) => child.on("exit", () => done()))
    let output = ""
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      const [, address] = /Listening on (\S+)/.exec(output) ?? []
      if (address === undefined) return
      // Later output is discarded: a full pipe would block the chain.
      child.stdout.off("data", collect).resume()
      child.stderr.off("data", collect).resume()
      // Do not wait for it: it exits when we do.
      child.unref()
      for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket).unref()
      const stop = () => {
        child.ref()
        child.stdin.end()
        return exited
      }
      resolve({ url: `http://${address}`, stop })
    }
    child.stdout.on("data", collect)
    child.stderr.on("data", collect)
    child.on("error", reject)
    child.on("exit", (code) => reject(new Error(`anvil exited with ${code}: ${output.slice(-2000)}`)))
  })
