import { assert, describe, it } from "@effect/vitest"
import { SwapError } from "@geoswap/core"
import { createClient } from "@geoswap/core/promise"
import { Network, parseNetwork } from "../src/index.js"

const evmAddress = (digit: string) => `0x${digit.repeat(40)}`
const solanaVault = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
const usdc = { symbol: "USDC", address: evmAddress("5"), decimals: 6 }

const base = {
  id: 8453,
  name: "base",
  family: "evm",
  delegates: [evmAddress("1")],
  codeHash: `0x${"AB".repeat(32)}`,
  vault: evmAddress("2"),
  older: [{ delegate: evmAddress("3"), vault: evmAddress("4") }],
  tokens: [usdc]
}
const solana = { id: 900, name: "solana-test", family: "solana", vault: solanaVault, relayer: solanaVault, tokens: [] }
const network = { environment: "test", chains: [base, solana] }

describe("a network", () => {
  it("becomes the deployments, tokens and names of a client", () => {
    const parsed = parseNetwork(network)
    assert.deepStrictEqual(Network.deploymentsOf(parsed), {
      8453: {
        delegates: [evmAddress("1")],
        codeHash: `0x${"ab".repeat(32)}`,
        vault: evmAddress("2"),
        older: [{ delegate: evmAddress("3"), vault: evmAddress("4") }]
      },
      900: { vault: solanaVault, relayer: solanaVault }
    })
    assert.deepStrictEqual(Network.tokensOf(parsed), [{ chainId: 8453, ...usdc }])
    assert.deepStrictEqual(Network.namesOf(parsed), { base: 8453, "solana-test": 900 })
    assert.deepStrictEqual(Network.familiesOf(parsed), { 8453: "evm", 900: "solana" })
    const transport = { send: () => Promise.reject(new Error("unused")) }
    assert.doesNotThrow(() => createClient({ transport, policy: { deployments: Network.deploymentsOf(parsed) } }))
  })

  it("pins the version of the account with its delegates", () => {
    const older = [{ delegate: evmAddress("3"), vault: evmAddress("2"), accountVersion: 1 }]
    const parsed = parseNetwork({ ...network, chains: [{ ...base, accountVersion: 2, older }] })
    const { accountVersion, older: pinned } = Network.deploymentsOf(parsed)[8453] ?? {}
    assert.deepStrictEqual([accountVersion, pinned?.[0]?.accountVersion], [2, 1])
  })

  const withChain = (change: object) => ({ ...network, chains: [{ ...base, ...change }] })

  it.each<[string, unknown, string]>([
    ["nothing", undefined, ""],
    ["no chains", { ...network, chains: [] }, "chains"],
    ["a chain id of zero", withChain({ id: 0 }), "id"],
    ["an unknown family", withChain({ family: "cosmos" }), "family"],
    ["an EVM chain without delegates", withChain({ delegates: [] }), "delegates"],
    ["a Solana chain without a relayer", { ...network, chains: [{ ...solana, relayer: undefined }] }, "relayer"],
    ["a vault of the other family", withChain({ vault: solanaVault }), "vault"],
    ["a delegate with a mistyped checksum", withChain({ delegates: [`0x${"aB".repeat(20)}`] }), "delegates"],
    ["an unknown version of the account", withChain({ accountVersion: 3 }), "accountVersion"],
    ["a short code hash", withChain({ codeHash: "0xab" }), "codeHash"],
    ["a token with 256 decimals", withChain({ tokens: [{ ...usdc, decimals: 256 }] }), "decimals"],
    ["a token with an invalid address", withChain({ tokens: [{ ...usdc, address: "USDC" }] }), "tokens"],
    ["the same id twice", { ...network, chains: [base, { ...base, name: "other" }] }, "chains"],
    ["the same name twice", { ...network, chains: [base, { ...base, id: 1, name: "Base" }] }, "chains"]
  ])("is refused with %s", (_, json, field) => {
    let thrown: unknown
    try {
      parseNetwork(json)
    } catch (error) {
      thrown = error
    }
    assert.instanceOf(thrown, SwapError.InvalidInput)
    assert.include(thrown.message, field)
  })
})
