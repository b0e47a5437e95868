import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { decode, type Description } from "../src/Description.js"
import {
  evmProcessOf,
  buildSources,
  descendants,
  eventually,
  node,
  type Program,
  runs,
  stuckAnvil
} from "./processes.js"

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

  it("refuses an unknown option and an invalid port with a message", async () => {
    const [unknown, text, large] = [cli("--prot", "1"), cli("--port-solana", "http"), cli("--port-evm-a", "70000")]
    expect(await unknown.ended).toBe(2)
    expect(unknown.stderr()).toContain("Unknown option '--prot'")
    expect(await text.ended).toBe(2)
    expect(text.stderr()).toContain(`--port-solana is invalid: expected a whole number, got "http".`)
    expect(await large.ended).toBe(1)
    expect(large.stderr()).toContain("ports.evmA is invalid: expected a whole number from 0 to 65535, got 70000.")
  })

  it("reports the port that is taken, and leaves nothing behind", async () => {
    const server = await new Promise<Server>((resolve) => {
      const taken = createServer().listen(0, "127.0.0.1", () => resolve(taken))
    })
    const address = server.address()
    const port = typeof address === "object" ? String(address?.port) : ""
    const programs = ["--port-evm-b", "--port-solana"].map((option) => cli("--free-ports", option, port))
    for (const [index, part] of ["EVM chain 31338", "the Solana JSON-RPC server"].entries()) {
      const program = programs[index]
      expect(await program?.ended).toBe(1)
      expect(program?.stderr()).toContain(`Port ${port} is already in use, so ${part} cannot listen on it.`)
    }
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
    const other = join(folder, "other.json")
    const talkative = cli("--free-ports", "--file", other)
    const program = cli("--free-ports", "--json")
    const description = await ready(program)
    expect(await Effect.runPromise(decode(readFileSync(file, "utf8")))).toEqual(description)
    expect(statSync(file).mode & 0o777).toBe(0o600)
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

    await eventually(() => talkative.stdout().includes("Ctrl-C"))
    for (const word of ["devnet-a", "rpc", "USDC", "alice", "heidi", "evm-relayer", other]) {
      expect(talkative.stdout()).toContain(word)
    }
    // The file is removed even if other programs added to it.
    writeFileSync(
      other,
      JSON.stringify({ ...JSON.parse(readFileSync(other, "utf8")), service: { url: "x", apiKeys: [] } })
    )
    talkative.process.kill("SIGTERM")
    expect(await talkative.ended).toBe(0)
    expect(existsSync(other)).toBe(false)
  })

  it("reports a chain that died with its exit code, exits with an error, and leaves no process behind", async () => {
    const program = cli("--free-ports", "--json")
    const { chains } = await ready(program)
    const children = descendants(program.pid)
    process.kill(evmProcessOf(program.pid, 31338), "SIGKILL")
    expect(await program.ended).toBe(1)
    const port = new URL(chains[1]?.rpcUrl ?? "").port
    expect(program.stderr()).toContain(
      `EVM chain 31338 is down: its edr process on port ${port} exited with code 137 (SIGKILL). It printed nothing on standard error.`
    )
    expect(children.filter(runs)).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it("exits immediately on Ctrl-C during the start", async () => {
    const program = cli("--free-ports", "--anvil", stuckAnvil(folder))
    await eventually(() => descendants(program.pid).length >= 2)
    const children = descendants(program.pid)
    process.kill(-program.pid, "SIGINT")
    expect(await program.ended).toBe(0)
    expect(children.filter(runs)).toEqual([])
    expect([program.stdout(), program.stderr()]).toEqual(["", ""])
  })

  it("leaves no process behind after kill -9, a crash or an abrupt exit", async () => {
    const script = (end: string) =>
      run(
        "--input-type=module",
        "--eval",
        `import { startDevnet } from ${JSON.stringify(join(code, "promise.js"))}
        const { description } = await startDevnet({ ports: "free" })
        console.log(JSON.stringify(description))
        process.stdin.once("data", () => { ${end} })`
      )
    const programs = [
      { program: script("throw new Error('boom')"), kill: false, ends: 1 },
      { program: script("process.exit(3)"), kill: false, ends: 3 },
      { program: script(""), kill: true, ends: "SIGKILL" }
    ]
    for (const { ends, kill, program } of programs) {
      const { chains } = await ready(program)
      const children = descendants(program.pid)
      expect(children.filter(runs).length).toBeGreaterThanOrEqual(2)
      if (kill) process.kill(program.pid, "SIGKILL")
      else program.process.stdin.write("now\n")
      expect(await program.ended).toBe(ends)
      await eventually(() => children.every((pid) => !runs(pid)))
      for (const { rpcUrl } of chains) expect(await refuses(rpcUrl)).toBe(true)
    }
  })
})
