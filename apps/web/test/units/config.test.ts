import { afterEach, expect, test, vi } from "vitest"
import { explorerLink, loadConfig, networkOf, tokenOf } from "../../src/config.js"

const evm = {
  id: 1,
  name: "here",
  family: "evm",
  native: { symbol: "ETH", decimals: 18 },
  tokens: [{ symbol: "USDC", address: `0x${"aB".repeat(20)}`, decimals: 6 }],
  explorer: "https://explorer.example/tx/{hash}",
  deployment: { delegates: ["0xde1e"], vault: "0xba17" }
} as const

const solana = {
  id: 2,
  name: "there",
  family: "solana",
  native: { symbol: "SOL", decimals: 9 },
  tokens: [{ symbol: "USDC", address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", decimals: 6 }],
  deployment: { delegates: [], vault: "Vau1t", relayer: "Re1ayer" }
} as const

const file = { service: "/web/api", highCostBps: 300, chains: [evm, solana] }

/** Loads the configuration from a server that responds with this JSON. */
const load = (json: unknown, status = 200) => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(json, { status })))
  return loadConfig()
}

afterEach(() => vi.unstubAllGlobals())

test("a configuration yields the network", async () => {
  const config = await load(file)
  const chainOf = ({ deployment, id, family, name, native, tokens }: typeof evm | typeof solana) => ({
    id,
    name,
    family,
    deployment,
    tokens,
    nativeSymbol: native.symbol
  })
  expect(networkOf(config)).toEqual({ chains: [chainOf(evm), chainOf(solana)] })
})

test("tokenOf finds a token only on its own chain, ignoring case on EVM chains", async () => {
  const config = await load(file)
  const [usdc] = evm.tokens
  expect(tokenOf(config, 1, usdc.address.toLowerCase())).toEqual(usdc)
  expect(tokenOf(config, 2, solana.tokens[0].address)).toEqual(solana.tokens[0])
  expect(tokenOf(config, 1, `0x${"0".repeat(40)}`)).toEqual(evm.native)
  expect(tokenOf(config, 2, "1".repeat(32))).toEqual(solana.native)
  expect(tokenOf(config, 2, usdc.address)).toBeUndefined()
  expect(tokenOf(config, 2, solana.tokens[0].address.toLowerCase())).toBeUndefined()
  expect(tokenOf(config, 3, usdc.address)).toBeUndefined()
})

test.for([
  ["nothing", null],
  ["a string", "{}"],
  ["no chains", { service: "/web/api" }],
  ["no service", { ...file, service: "" }],
  ["a chain without a vault", { ...file, chains: [{ ...evm, deployment: { delegates: [] } }] }],
  ["a chain of another family", { ...file, chains: [{ ...evm, family: "bitcoin" }] }],
  ["a chain whose ID is a string", { ...file, chains: [{ ...evm, id: "1" }] }],
  ["a chain without tokens", { ...file, chains: [{ ...evm, tokens: undefined }] }],
  ["a token without decimals", { ...file, chains: [{ ...evm, tokens: [{ symbol: "USDC", address: "0x1" }] }] }],
  ["a token with negative decimals", { ...file, chains: [{ ...evm, tokens: [{ ...evm.tokens[0], decimals: -1 }] }] }],
  ["a wallet without a key", { ...file, devnet: { wallets: [{ name: "alice", family: "evm", address: "0x1" }] } }]
] as const)("loadConfig refuses %s", async ([, json]) => {
  await expect(load(json)).rejects.toThrow(
    "The server returned an invalid configuration for this page. Contact its operator."
  )
})

test("loadConfig reports a missing configuration with its HTTP status", async () => {
  await expect(load(file, 404)).rejects.toThrow("The server returned no configuration for this page (HTTP 404).")
})

test("loadConfig ignores unknown fields", async () => {
  expect((await load({ ...file, more: true })).chains).toHaveLength(2)
})

test("explorerLink escapes the hash", async () => {
  const config = await load(file)
  expect(explorerLink(config, 1, "0xabc")).toBe("https://explorer.example/tx/0xabc")
  expect(explorerLink(config, 1, "a/../b?c#d")).toBe("https://explorer.example/tx/a%2F..%2Fb%3Fc%23d")
  expect(explorerLink(config, 2, "abc")).toBeUndefined()
  expect(explorerLink(config, 3, "abc")).toBeUndefined()
})

test.for(["http://explorer.example/{hash}", "javascript:alert(1)//{hash}"])(
  "explorerLink refuses %s",
  async (explorer) => {
    const config = await load({ ...file, chains: [{ ...evm, explorer }] })
    expect(explorerLink(config, 1, "abc")).toBeUndefined()
  }
)
