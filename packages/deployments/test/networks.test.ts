import { assert, describe, it } from "@effect/vitest"
import { Chain } from "@geoswap/core"
import { hashDomain } from "@geoswap/core/adapters"
import { parseNetwork, tokenResolver } from "@geoswap/core/promise"
import * as Schema from "effect/Schema"
import { type Address, keccak256 } from "viem"
import { base, pinnedChain, publicNetworks, solana } from "../src/networks.js"

const Name = Schema.NonEmptyString
const Whole = Schema.Int.check(Schema.isGreaterThan(0))
const Method = Schema.Literals(["eip3009", "permit2", "erc2612"])
const After = Schema.Union([Schema.Struct({ seconds: Whole }), Schema.Literals(["safe", "finalized"])])

const Token = Schema.Struct({
  symbol: Name,
  chainSymbol: Schema.optionalKey(Name),
  address: Name,
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 36 })),
  asset: Schema.optionalKey(Name),
  domain: Schema.optionalKey(
    Schema.Struct({ name: Name, version: Name, fields: Schema.Literals(["chainId", "salt"]) })
  ),
  methods: Schema.Array(Method)
})

const PublicNetwork = Schema.Struct({
  name: Name.check(Schema.isPattern(/^[a-z]+(-[a-z]+)*$/)),
  title: Name,
  family: Chain.Family,
  id: Chain.ChainId,
  testnet: Schema.Boolean,
  genesisHash: Schema.optionalKey(Name),
  nativeSymbol: Name,
  nativeDecimals: Whole,
  tokens: Schema.NonEmptyArray(Token),
  otherTokens: Schema.Array(Token),
  permit2: Schema.Boolean,
  feeModel: Schema.Literals(["l1", "op-stack", "arbitrum", "polygon", "solana"]),
  finality: Schema.NonEmptyArray(Schema.Struct({ upToUsd: Schema.optionalKey(Whole), after: After })),
  blockMillis: Whole,
  explorer: Name.check(Schema.isPattern(/^https:\/\/[a-z.-]+\/tx\/\{hash\}(\?[a-z=]+)?$/)),
  priceFeeds: Schema.Array(Schema.Struct({ pair: Name, address: Name, decimals: Whole })),
  missing: Schema.Array(Name)
})

const decode = Schema.decodeUnknownSync(PublicNetwork, { onExcessProperty: "error" })

const isUnique = (values: ReadonlyArray<unknown>) => new Set(values).size === values.length

describe("publicNetworks", () => {
  it("has six main networks and a test network of each, with their own names and ids", () => {
    assert.deepStrictEqual(
      publicNetworks.map(({ name }) => name),
      [
        "ethereum",
        "base",
        "arbitrum",
        "optimism",
        "polygon",
        "solana",
        "sepolia",
        "base-sepolia",
        "arbitrum-sepolia",
        "optimism-sepolia",
        "polygon-amoy",
        "solana-devnet"
      ]
    )
    assert.isTrue(isUnique(publicNetworks.map(({ id }) => id)))
    assert.strictEqual(solana.id, Chain.solanaMainnet)
  })

  describe.each(publicNetworks.map((network) => [network.name, network] as const))("%s", (_, network) => {
    const { family, finality, genesisHash, nativeDecimals, otherTokens, permit2, priceFeeds, tokens } = network
    const all = [...tokens, ...otherTokens]

    it("has valid fields", () => {
      assert.deepStrictEqual(decode(network), network)
      assert.strictEqual(nativeDecimals, Chain.nativeDecimals[family])
      assert.strictEqual(genesisHash !== undefined, family === "solana")
      if (genesisHash !== undefined) assert.isTrue(Chain.isAddress("solana", genesisHash))
    })

    it("has addresses with a valid checksum, each only once", () => {
      const addresses = [...all, ...priceFeeds].map(({ address }) => address)
      for (const address of addresses) {
        assert.isTrue(Chain.isAddress(family, address), address)
        if (family === "evm") assert.strictEqual(address, Chain.checksum(address))
      }
      assert.isTrue(isUnique(addresses))
      assert.isTrue(isUnique(all.map(({ symbol }) => symbol)))
    })

    it("lists only methods that the network and the token's domain allow", () => {
      for (const { domain, methods, symbol } of all) {
        assert.strictEqual(methods.includes("permit2"), permit2, symbol)
        if (methods.includes("eip3009") || methods.includes("erc2612")) {
          assert.strictEqual(domain?.fields, "chainId", symbol)
        }
      }
    })

    it("has tiers of finality from the smallest value to all values", () => {
      const limits = finality.map(({ upToUsd }) => upToUsd ?? Infinity)
      assert.deepStrictEqual(
        limits,
        limits.toSorted((one, other) => one - other)
      )
      assert.isTrue(isUnique(limits))
      assert.deepStrictEqual(finality.at(-1), { after: "finalized" })
    })
  })
})

/** `DOMAIN_SEPARATOR()` of the tokens, as public repositories quote it. */
const separators: Readonly<Record<string, string>> = {
  "USDC@ethereum": "0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335",
  "USDC@base": "0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f",
  "USDC@arbitrum": "0x08d11903f8419e68b1b8721bcbe2e9fc68569122a77ef18c216f10b3b5112c78",
  "USDT0@arbitrum": "0x566af68fb471b22d6421762f84aa7bd761c670a2e4d5c8a47d4085d5957b127c",
  "USDC@optimism": "0x26d9c34bb1a1c312f69c53b2d93b8be20faafba63af2438c6811713c9b1f933f",
  "USDC@polygon": "0xcaa2ce1a5703ccbe253a34eb3166df60a705c561b44b192061e28f2a985be2ca",
  "USDC@sepolia": "0xb90e5057db141a932946e64d09ccb7ffc9b00bd79fec26f698d29af0c83320a6",
  "USDC@base-sepolia": "0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818",
  "USDC@arbitrum-sepolia": "0x85944e1292d007732838d6eadfa67589b78ffcededbd4df60488d0af251308bb",
  "USDC@optimism-sepolia": "0x09d038a3e46040fc37eb01174dbbcdb7981fbd8eafd9e1a857b1c67805dfb29e",
  "USDC@polygon-amoy": "0x5cddc98319864e897e4469bd1d13c2288c677047b54b8cca12bd342adb6be9eb"
}

it("has the EIP-712 domains whose separators others have read from the contracts", () => {
  const computed = publicNetworks.flatMap(({ id, name, tokens }) =>
    tokens.flatMap(({ address, domain, symbol }) =>
      domain === undefined ? [] : [[`${symbol}@${name}`, hashDomain(domain, id, address as Address, keccak256)]]
    )
  )
  assert.deepStrictEqual(Object.fromEntries(computed), separators)
})

describe("pinnedChain", () => {
  it("returns chains of a valid network, whose tokens have names", async () => {
    const network = parseNetwork({ chains: publicNetworks.map((each) => pinnedChain(each)) })
    const { amount, token } = await tokenResolver({ network }).amount("1.5 USDC@base")
    assert.deepStrictEqual([amount, token.address], [1_500_000n, base.tokens[0]?.address])
  })

  it("adds the contracts of a service", () => {
    const deployment = { vault: `0x${"1".repeat(40)}`, delegates: [`0x${"2".repeat(40)}`] } as const
    const { chains } = parseNetwork({ chains: [pinnedChain(base, deployment)] })
    assert.deepStrictEqual(chains[0]?.deployment, deployment)
  })
})
