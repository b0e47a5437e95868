import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { SwapError } from "@geoswap/core"
import { afterEach } from "vitest"
import { createDevnetClient, readDevnet } from "../src/devnet.js"

const address = (digit: string) => `0x${digit.repeat(40)}`
const solanaKey = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
const secret = `0x${"7".repeat(64)}`

const description = {
  service: { url: "http://127.0.0.1:8787", apiKeys: ["key-1", "key-2"] },
  chains: [
    {
      id: 31337,
      name: "devnet-a",
      family: "evm",
      rpcUrl: "http://127.0.0.1:8545",
      tokens: [{ symbol: "USDC", address: address("5"), decimals: 6 }],
      contracts: { account: address("1"), vault: address("2") }
    },
    {
      id: 31339,
      name: "devnet-solana",
      family: "solana",
      rpcUrl: "http://127.0.0.1:8899",
      tokens: [],
      contracts: { vault: solanaKey }
    }
  ],
  wallets: [{ name: "alice", family: "evm", address: address("6"), privateKey: secret }],
  operators: [{ name: "r", family: "solana", role: "relayer", address: solanaKey, privateKey: "k" }]
}

const folder = mkdtempSync(join(tmpdir(), "geoswap-deployments-test-"))
const write = (content: unknown): string => {
  const file = join(folder, "devnet.json")
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const refusal = (run: () => unknown): SwapError.InvalidInput => {
  try {
    run()
  } catch (error) {
    assert.instanceOf(error, SwapError.InvalidInput)
    return error
  }
  return assert.fail("should have thrown")
}

describe("readDevnet", () => {
  it("returns the network, the service, the wallets and the nodes", () => {
    const { network, rpcUrls, service, wallets } = readDevnet({ file: write(description) })
    assert.deepStrictEqual(
      network.chains.map(({ family, id, name }) => [id, name, family]),
      [
        [31337, "devnet-a", "evm"],
        [31339, "devnet-solana", "solana"]
      ]
    )
    assert.deepStrictEqual(service, { url: "http://127.0.0.1:8787", apiKey: "key-1" })
    assert.deepStrictEqual(wallets, [{ name: "alice", family: "evm", address: address("6"), privateKey: secret }])
    assert.deepStrictEqual(rpcUrls, { 31337: "http://127.0.0.1:8545", 31339: "http://127.0.0.1:8899" })
  })

  it("says what to do if there is no devnet", () => {
    const { field, message } = refusal(() => readDevnet({ file: join(folder, "none.json") }))
    assert.strictEqual(field, "file")
    assert.include(message, "none.json does not exist. Start a devnet with `npm start`")
  })

  it.each<[string, unknown]>([
    ["is not JSON", `{ "privateKey": "${secret}"`],
    ["has no service", { ...description, service: undefined }],
    ["has a wallet without a family", { ...description, wallets: [{ ...description.wallets[0], family: undefined }] }]
  ])("refuses a file that %s, without showing a key", (_, content) => {
    const error = refusal(() => readDevnet({ file: write(content) }))
    assert.include(error.message, "does not describe a devnet with a running service")
    assert.notInclude(JSON.stringify(error), "7777")
  })
})

describe("createDevnetClient", () => {
  it("names a wallet that is missing", async () => {
    const error: unknown = await createDevnetClient({ file: write(description), wallets: { evm: "mallory" } }).catch(
      (thrown: unknown) => thrown
    )
    assert.instanceOf(error, SwapError.InvalidInput)
    assert.strictEqual(error.message, "wallets: the devnet has no evm wallet named mallory.")
  })
})
