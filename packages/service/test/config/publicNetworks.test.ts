/** A chain that names a public network gets its fields, which the file can override. */
import { assert, describe, it } from "@effect/vitest"
import { arbitrum, base, publicNetworks } from "@geoswap/deployments/networks"
import * as Effect from "effect/Effect"
import * as Config from "../../src/config/Config.js"
import { delegate, parse, price, problems, solana, usdc, vault } from "./fixture.js"

const prices = Object.fromEntries(["USDC", "USDT", "ETH", "POL", "SOL", "GEO", "USDbC"].map((name) => [name, price]))
const venue = { kind: "table", prices }
const vaults = [{ address: vault, delegate }]
const evmChain = (network: string, fields: object = {}) => ({ network, rpcUrls: ["http://x"], vaults, ...fields })
const file = (...chains: ReadonlyArray<object>) => ({ chains, venue, fees: { baseFeeBps: 10 } })

const evmOf = (config: Config.Config) => {
  const [chain] = config.chains
  return chain.kind === "evm" ? chain : assert.fail("expected an EVM chain")
}
const parseEvm = (network: string, fields: object = {}) => Effect.map(parse(file(evmChain(network, fields))), evmOf)

describe("a chain with a network", () => {
  it.effect("gets the chain id, the names, the tokens, and how they can be paid with", () =>
    Effect.gen(function* () {
      const { feeModel, finality, id, kind, name, native, network, payments, tokens } = yield* parseEvm("base")
      assert.strictEqual(feeModel, "op-stack")
      assert.deepStrictEqual([kind, id, name, network], ["evm", 8453, "Base", "base"])
      assert.deepStrictEqual(native, { symbol: "ETH" })
      assert.isTrue(payments.permit2)
      assert.deepStrictEqual(finality, base.finality)
      assert.deepStrictEqual(tokens, [
        {
          symbol: "USDC",
          address: usdc,
          decimals: 6,
          payments: { methods: ["eip3009", "permit2", "erc2612"], name: "USD Coin", version: "2" }
        },
        {
          symbol: "WETH",
          address: "0x4200000000000000000000000000000000000006",
          decimals: 18,
          asset: "ETH",
          payments: { methods: ["permit2"] }
        }
      ])
    })
  )

  it.effect("can be any public network, and needs only nodes and a vault", () =>
    Effect.gen(function* () {
      const chains = publicNetworks.map(({ family, name }) =>
        family === "evm" ? evmChain(name) : { network: name, rpcUrls: ["http://x"], vault: solana.vault }
      )
      const config = yield* parse(file(...chains))
      assert.deepStrictEqual(
        config.chains.map(({ id, kind, native }) => [id, kind, native.symbol]),
        publicNetworks.map(({ family, id, nativeSymbol }) => [id, family, nativeSymbol])
      )
    })
  )

  it.effect("keeps every field of the file", () =>
    Effect.gen(function* () {
      const targets = [{ address: vault, codeHash: `0x${"ab".repeat(32)}` } as const]
      const given = {
        id: 31337,
        name: "Fork",
        finality: [{ after: { blocks: 3 } }],
        native: { asset: "ETH" },
        payments: { targets }
      }
      const geo = { symbol: "GEO", address: "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984", decimals: 18 }
      const chain = yield* parseEvm("base", { ...given, tokens: [geo, "USDC", "USDbC"] })
      const { finality, id, name, native, payments, tokens } = chain
      assert.deepStrictEqual([id, name, finality], [31337, "Fork", given.finality])
      assert.deepStrictEqual(native, { symbol: "ETH", asset: "ETH" })
      assert.isTrue(payments.permit2)
      assert.deepStrictEqual(payments.targets, targets)
      assert.deepStrictEqual(
        tokens.map(({ symbol }) => symbol),
        ["GEO", "USDC", "USDbC"]
      )
      assert.deepStrictEqual(tokens[0], geo)
    })
  )

  it.effect("offers no method that uses Permit2 if the file switches it off", () =>
    Effect.gen(function* () {
      const { tokens } = yield* parseEvm("arbitrum", { payments: { permit2: false } })
      assert.deepStrictEqual(
        tokens.map(({ payments }) => payments?.methods),
        [["eip3009"], ["eip3009"], undefined]
      )
    })
  )

  it.effect("links to its block explorer on the page, unless the file names another", () =>
    Effect.gen(function* () {
      const chains = [evmChain("base"), evmChain("arbitrum")]
      const own = "https://explorer.example/tx/{hash}"
      const { web } = yield* parse({ ...file(...chains), web: { explorers: { 8453: own } } })
      assert.deepStrictEqual(web?.explorers, { 8453: own, 42161: arbitrum.explorer })
      const config = yield* parse(file(...chains))
      assert.notProperty(config, "web")
      assert.deepStrictEqual(Config.plainWeb(config.chains).explorers, {
        8453: base.explorer,
        42161: arbitrum.explorer
      })
    })
  )

  const names = `The names are ${publicNetworks.map(({ name }) => name).join(", ")}.`

  it.each<readonly [string, object, string]>([
    [
      "an unknown network",
      evmChain("bse"),
      `chains[0].network: expected the name of a public network, got "bse". Did you mean "base"? ${names}`
    ],
    [
      "a network that is not a name",
      evmChain("base", { network: 8453 }),
      `chains[0].network: expected the name of a public network, got 8453. ${names}`
    ],
    [
      "a token that the network does not have",
      evmChain("base", { tokens: ["USDC", "DAI"] }),
      'chains[0].tokens[1]: expected a token of base (USDC, WETH, USDbC, USDT), got "DAI".'
    ]
  ])("refuses %s", (_, chain, message) => {
    assert.deepStrictEqual(problems(file(chain)), [message])
  })

  it("is reported if two chains name the same network", () => {
    assert.deepStrictEqual(problems(file(evmChain("base"), evmChain("base"))), [
      "chains[1].id: must differ from chains[0].id."
    ])
  })
})
