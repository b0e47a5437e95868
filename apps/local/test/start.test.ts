import { createClient } from "@geoswap/core/promise"
import { Description } from "@geoswap/devnet"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { evmProcessOf } from "../../../tooling/testing/processes.js"
import { connect } from "../src/demo/client.js"
import { walletOf } from "../src/demo/scenarios.js"
import type { StackDescription } from "../src/Stack.js"
import { descendants, eventually, reaches, runs, timeout, programFixture } from "./fixture.js"

const refuses = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true
  )

/** Listens on a port (default: any free one); returns the port and a function that frees it. */
const listening = async (wanted = 0): Promise<readonly [port: string, free: () => void]> => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(wanted, "127.0.0.1", resolve)
  })
  const address = server.address()
  return [typeof address === "object" ? String(address?.port) : "", () => void server.close()]
}

/** A free port below those that the system gives to programs that ask for any: no other program gets it meanwhile. */
const reserved = async (): Promise<string> => {
  const wanted = 20_000 + Math.floor(Math.random() * 10_000)
  const listened = await listening(wanted).catch(() => undefined)
  listened?.[1]()
  return listened?.[0] ?? reserved()
}

/** The network cost of a quote on a chain that has just started and a minute later, in the input's smallest unit. */
const networkCosts = async (
  { chains, wallets }: StackDescription,
  { quote }: Awaited<ReturnType<typeof connect>>
): Promise<readonly [first: number, later: number]> => {
  const [a, b] = chains
  const cost = async () => {
    const { networkCost } = await quote({
      originChain: a?.id ?? 0,
      destinationChain: b?.id ?? 0,
      inputToken: a?.tokens[0]?.address ?? "",
      outputToken: b?.tokens[1]?.address ?? "",
      amount: 100_000_000n,
      recipient: wallets[0]?.address ?? "",
      walletAddress: wallets[0]?.address ?? ""
    })
    return Number(networkCost)
  }
  const first = await cost()
  const mine = { jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0x3c"] }
  const headers = { "content-type": "application/json" }
  for (const chain of [a, b]) await fetch(chain?.rpcUrl ?? "", { method: "POST", headers, body: JSON.stringify(mine) })
  // The service reads the fees again once it has seen the next blocks.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  return [first, await cost()]
}

describe("start", () => {
  const { cli, folder } = programFixture()
  const file = join(folder, ".geoswap", "devnet.json")
  const quiet = ["start", "--free-ports", "--port", "0"]

  it(
    "writes a file that the SDK can swap with, logs swaps, and removes every process and the file on SIGTERM",
    async () => {
      const program = cli(...quiet, "--json")
      await reaches(program, "\n")
      expect(program.stderr()).toBe("")
      const description = JSON.parse(program.stdout()) as StackDescription
      expect(await Effect.runPromise(Description.decode(readFileSync(file, "utf8")))).toEqual(description)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(Object.keys(description)).toEqual(["service", "web", "chains", "wallets", "operators"])
      const page = description.web?.url ?? ""
      expect(page).toBe(description.service.url)
      const html = await fetch(page)
      expect([html.status, html.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      expect(await (await fetch(`${page}/web/config.json`)).json()).toMatchObject({
        service: "/web/api",
        chains: description.chains.map(({ id, name }) => ({ id, name })),
        devnet: { wallets: description.wallets }
      })
      expect(description.wallets.filter(({ family }) => family === "evm")).toHaveLength(4)
      expect(description.wallets.filter(({ family }) => family === "solana")).toHaveLength(4)

      const again = cli(...quiet)
      expect(await again.ended).toBe(1)
      expect(again.stderr()).toContain(
        `The local stack is already running at ${description.service.url}, according to .geoswap/devnet.json.`
      )

      const [bob, frank] = [walletOf(description, "bob"), walletOf(description, "frank")]
      const client = await connect(description, { evm: bob, solana: frank })
      const [evm, , solana] = description.chains
      const [first, later] = await networkCosts(description, client)
      expect(first).toBeGreaterThan(0)
      expect(Math.abs(first - later)).toBeLessThanOrEqual(0.2 * later)
      const swap = await client.execute({
        originChain: evm?.id ?? 0,
        destinationChain: solana?.id ?? 0,
        inputToken: evm?.tokens[0]?.address ?? "",
        outputToken: solana?.tokens[1]?.address ?? "",
        amount: 100_000_000n,
        recipient: frank.address
      })
      expect(swap.status).toBe("settled")

      // The second key belongs to another account.
      const { apiKeys, url } = description.service
      const stranger = createClient({ transport: fetchTransport({ baseUrl: url, apiKey: apiKeys[1] }) })
      await expect(stranger.status(swap.swapId)).rejects.toMatchObject({ code: "SWAP_NOT_FOUND" })

      await eventually(() => program.stderr().includes("settled"))
      const lines = program.stderr().trimEnd().split("\n")
      expect(lines).toHaveLength(2)
      expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}accepted {2}\S+ {2}100 USDC on devnet-a → 0\.02\d+ WETH on devnet-s/)
      expect(lines[1]).toContain(`settled   ${swap.swapId}  100 USDC on devnet-a`)
      expect(lines[1]).toContain(`origin ${swap.originTxHash}  delivery ${swap.deliveryTxHash}`)

      const children = descendants(program.pid)
      expect(children.filter(runs).length).toBeGreaterThanOrEqual(2)
      program.process.kill("SIGTERM")
      expect(await program.ended).toBe(0)
      expect(children.filter(runs)).toEqual([])
      expect(existsSync(dirname(file))).toBe(false)
      for (const { rpcUrl } of description.chains) expect(await refuses(rpcUrl)).toBe(true)
      expect(await refuses(url)).toBe(true)
    },
    timeout
  )

  it(
    "prints all addresses, ignores the file of a dead run, and exits with an error if a chain died, without a process",
    async () => {
      mkdirSync(dirname(file), { recursive: true })
      const dead = { service: { url: "http://127.0.0.1:1", apiKeys: ["a", "b"] }, chains: [], wallets: [] }
      writeFileSync(file, JSON.stringify(dead))
      const adminPort = await reserved()
      const program = cli(...quiet, "--admin-port", adminPort)
      await reaches(program, "Swaps:")
      const description = JSON.parse(readFileSync(file, "utf8")) as StackDescription
      const { apiKeys, url } = description.service
      expect(program.stdout()).toMatch(new RegExp(`^Starting .*\n\nThe page  ${url}\n\ndevnet-a`))
      for (const word of [
        ...description.chains.flatMap(({ name, rpcUrl }) => [name, rpcUrl]),
        ...description.wallets.flatMap(({ address, name }) => [name, address]),
        ...apiKeys,
        `${url}/docs`,
        `http://127.0.0.1:${adminPort}/metrics`,
        "10,000 USDC, 10 WETH, 1,000 GEO",
        ".geoswap/devnet.json"
      ]) {
        expect(program.stdout()).toContain(word)
      }
      for (const { privateKey } of description.wallets) expect(program.stdout()).not.toContain(privateKey)
      expect((await fetch(`${url}/docs`)).status).toBe(200)
      expect((await fetch(`http://127.0.0.1:${adminPort}/metrics`)).status).toBe(200)
      const children = descendants(program.pid)
      process.kill(evmProcessOf(program.pid, 31337), "SIGKILL")
      expect(await program.ended).toBe(1)
      expect(program.stderr()).toMatch(
        /EVM chain 31337 is down: its edr process on port \d+ exited with code 137 \(SIGKILL\)\. It printed nothing on standard error\.\n$/
      )
      expect(children.filter(runs)).toEqual([])
      expect(existsSync(file)).toBe(false)
    },
    timeout
  )

  it(
    "reports the port that is taken and the option to change it, and leaves nothing behind",
    async () => {
      const [port, free] = await listening()
      const program = cli("start", "--free-ports", "--port", port)
      const children: Array<number> = []
      await eventually(() => {
        children.push(...descendants(program.pid))
        return program.process.exitCode !== null
      }, timeout)
      free()
      expect(await program.ended).toBe(1)
      expect(program.stderr()).toContain(
        `Cannot listen on 127.0.0.1:${port}: another process is already using that port`
      )
      expect(program.stderr()).toContain("--port")
      expect(children.length).toBeGreaterThanOrEqual(2)
      expect(children.filter(runs)).toEqual([])
      expect(existsSync(file)).toBe(false)
    },
    timeout
  )
})
