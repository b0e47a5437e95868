import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { isWhole } from "../../../tooling/testing/matrix.ts"
import { evmProcessOf, descendants, eventually, node, type Program, runs } from "../../../tooling/testing/processes.js"
import { decode, type Description } from "../src/Description.js"
import { buildSources, stuckAnvil } from "./processes.js"

const refuses = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true
  )

describe("geoswap-devnet", () => {
  const folder = mkdtempSync(join(tmpdir(), "geoswap-devnet-"))
  const file = join(folder, ".geoswap", "devnet.json")
  let code = ""
  beforeAll(() => void (code = buildSources("cli")))
  afterAll(() => rmSync(folder, { recursive: true }))
  // The programs of a failed test may still be running.
  afterEach(() => {
    for (const { pid } of started.splice(0)) {
      for (const one of [...descendants(pid), pid]) if (runs(one)) process.kill(one, "SIGKILL")
    }
  })

  const started: Array<Program> = []
  const run = (...args: ReadonlyArray<string>): Program => {
    const program = node(args, folder)
    started.push(program)
    return program
  }
  const cli = (...args: ReadonlyArray<string>): Program => run(join(code, "cli.js"), ...args)
  const ready = async (program: Program): Promise<Description> => {
    await eventually(() => program.stdout().includes("\n") || program.process.exitCode !== null)
    expect(program.stderr()).toBe("")
    return JSON.parse(program.stdout()) as Description
  }

  it("prints help", async () => {
    const program = cli("--help")
    expect(await program.ended).toBe(0)
    expect(program.stdout()).toContain("Usage: geoswap-devnet")
    expect(program.stdout()).toContain("--port-evm-a <port>")
  })

  it("refuses an unknown option, an invalid port and an unknown profile with a message", async () => {
    const [unknown, text] = [cli("--prot", "1"), cli("--port-solana", "http")]
    const profile = cli("--profile", "base", "--profile-evm-b", "solana")
    expect(await unknown.ended).toBe(2)
    expect(unknown.stderr()).toContain("Unknown option '--prot'")
    expect(await text.ended).toBe(2)
    expect(text.stderr()).toContain(`--port-solana is invalid: expected a whole number, got "http".`)
    expect(await profile.ended).toBe(2)
    expect(profile.stderr()).toContain(
      `--profile-evm-b is invalid: expected base, arbitrum, ethereum, polygon, got "solana".`
    )
  })

  it("reports the port that is taken, and leaves nothing behind", async () => {
    const server = await new Promise<Server>((resolve) => {
      const taken = createServer().listen(0, "127.0.0.1", () => resolve(taken))
    })
    const address = server.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const program = cli("--free-ports", "--port-solana", port)
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toContain(
      `Port ${port} is already in use, so the Solana JSON-RPC server cannot listen on it.`
    )
    server.close()
    expect(existsSync(file)).toBe(false)
  })

  it("explains what to install if anvil is missing", async () => {
    const program = cli("--free-ports", "--anvil", join(folder, "no-anvil"))
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toContain("no-anvil, and ")
    expect(program.stderr()).toContain("foundryup")
    expect(program.stderr()).toMatch(/@foundry-rs\/anvil-|no npm package/)
  })

  it("writes addresses to a file that only this user can read, and removes every process and the file on Ctrl-C", async () => {
    const program = cli("--free-ports")
    await eventually(() => program.stdout().includes("Ctrl-C"))
    for (const word of ["devnet-a", "rpc", "USDC", "alice", "heidi", "evm-relayer", join(".geoswap", "devnet.json")]) {
      expect(program.stdout()).toContain(word)
    }
    const text = readFileSync(file, "utf8")
    const description = await Effect.runPromise(decode(text))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // The file is removed even if other programs added to it.
    writeFileSync(file, JSON.stringify({ ...JSON.parse(text), service: { url: "x", apiKeys: [] } }))
    const children = descendants(program.pid)
    expect(children.length).toBeGreaterThanOrEqual(2)
    // To the whole process group, as a terminal does, and again, as npm does.
    process.kill(-program.pid, "SIGINT")
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.kill(program.pid, "SIGINT")
    expect(await program.ended).toBe(0)
    expect(children.filter(runs)).toEqual([])
    expect(existsSync(dirname(file))).toBe(false)
    for (const { rpcUrl } of description.chains) expect(await refuses(rpcUrl)).toBe(true)
  })

  it("reports a chain that died with its exit code, exits with an error, and leaves no process behind", async () => {
    const other = join(folder, "other.json")
    const program = cli("--free-ports", "--json", "--file", other)
    const description = await ready(program)
    const { chains } = description
    expect(await Effect.runPromise(decode(readFileSync(other, "utf8")))).toEqual(description)
    const children = descendants(program.pid)
    process.kill(evmProcessOf(program.pid, 31338), "SIGKILL")
    expect(await program.ended).toBe(1)
    const port = new URL(chains[1]?.rpcUrl ?? "").port
    expect(program.stderr()).toContain(
      `EVM chain 31338 is down: its edr process on port ${port} exited with code 137 (SIGKILL). It printed nothing on standard error.`
    )
    expect(children.filter(runs)).toEqual([])
    expect(existsSync(other)).toBe(false)
  })

  it.each(["SIGINT", "SIGTERM"] as const)("exits immediately on %s during the start", async (signal) => {
    const program = cli("--free-ports", "--anvil", stuckAnvil(folder))
    await eventually(() => descendants(program.pid).length >= 2)
    const children = descendants(program.pid)
    // Ctrl-C is for the whole process group, and a supervisor signals only the program.
    process.kill(signal === "SIGINT" ? -program.pid : program.pid, signal)
    expect(await program.ended).toBe(0)
    expect(children.filter(runs)).toEqual([])
    expect([program.stdout(), program.stderr()]).toEqual(["", ""])
  })

  const abruptEnds = [
    { what: "kill -9", code: "", ends: "SIGKILL" },
    { what: "a crash", code: "throw new Error('boom')", ends: 1 },
    { what: "an abrupt exit", code: "process.exit(3)", ends: 3 }
  ]
  // All leave it to the chains to notice that their parent has ended.
  it.each(isWhole ? abruptEnds : abruptEnds.slice(0, 1))("leaves no process behind after $what", async (abrupt) => {
    const program = run(
      "--input-type=module",
      "--eval",
      `import { startDevnet } from ${JSON.stringify(join(code, "promise.js"))}
      const { description } = await startDevnet({ ports: "free" })
      console.log(JSON.stringify(description))
      process.stdin.once("data", () => { ${abrupt.code} })`
    )
    const { chains } = await ready(program)
    const children = descendants(program.pid)
    expect(children.filter(runs).length).toBeGreaterThanOrEqual(2)
    if (abrupt.ends === "SIGKILL") process.kill(program.pid, "SIGKILL")
    else program.process.stdin.write("now\n")
    expect(await program.ended).toBe(abrupt.ends)
    await eventually(() => children.every((pid) => !runs(pid)))
    for (const { rpcUrl } of chains) expect(await refuses(rpcUrl)).toBe(true)
  })
})
