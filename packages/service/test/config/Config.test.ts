import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Config from "../../src/config/Config.js"
import {
  chain,
  delegate,
  evm,
  minimal,
  parse,
  price,
  privateKey,
  problems,
  solana,
  solanaKey,
  solanaUsdc,
  table,
  usdc,
  vault,
  weth
} from "./fixture.js"

describe("a minimal configuration", () => {
  it.effect("gets the documented defaults", () =>
    Effect.gen(function* () {
      const config = yield* parse(minimal)
      const bucket = { perSecond: 10, burst: 20 }
      assert.deepStrictEqual(config, {
        environment: "production",
        listen: { host: "127.0.0.1", port: 8787, trustedProxies: 0 },
        database: "geoswap.db",
        databaseConnections: 10,
        chains: [
          {
            ...evm,
            kind: "evm",
            vaults: [{ address: vault, delegate }],
            rpcUrls: ["http://127.0.0.1:8545"],
            native: { symbol: "ETH" },
            pollMillis: 1_000,
            timeoutMillis: 10_000,
            maxConcurrent: 256,
            finality: [{ after: "finalized" }],
            stuckAfterMillis: 30_000,
            maxBatch: 10,
            maxFeePerGas: 500_000_000_000n,
            feeModel: "l1",
            exposure: {
              gasPerWallet: 10_000_000,
              gasPerVisitor: 5_000_000,
              gasPerAccount: 200_000_000,
              gasPerChain: 1_000_000_000
            },
            losses: { gasPerHour: 5_000_000, strikes: 3 },
            payments: {
              permit2: false,
              targets: [],
              strikesPerTarget: 30,
              inFlightPerTarget: 50
            },
            keys: {}
          },
          {
            ...solana,
            kind: "solana",
            rpcUrls: ["http://127.0.0.1:8899"],
            native: { symbol: "SOL" },
            pollMillis: 1_000,
            timeoutMillis: 10_000,
            maxConcurrent: 256,
            maxBatch: 10,
            computeUnitPrice: { floor: 1_000n, cap: 1_000_000n },
            keys: { relayer: "GEOSWAP_SOLANA_RELAYER_KEY", vault: "GEOSWAP_SOLANA_VAULT_KEY" }
          }
        ],
        venue: {
          kind: "table",
          allowStaticPrices: false,
          prices: Object.fromEntries(["USDC", "WETH", "ETH", "SOL"].map((name) => [name, { ...price, showUsd: true }]))
        },
        fees: { baseFeeBps: 10, tiers: [] },
        quotes: { defaultSlippageBps: 50, highPriceImpactBps: -300, maxDriftBps: 5 },
        execution: {
          deliveryRetryMillis: 60_000,
          venueRetryMillis: 120_000,
          destinationRetryMillis: 600_000,
          maxQuoteAgeMillis: 2_700_000,
          concurrency: 2_000
        },
        delegations: { gasPerDay: 2_000_000 },
        limits: {
          quote: bucket,
          indicative: { perSecond: 20, burst: 40 },
          delegation: bucket,
          build: bucket,
          submit: bucket,
          changeDelegation: bucket,
          status: { perSecond: 20, burst: 40 },
          chains: bucket,
          failedAuth: { perSecond: 1, burst: 20 },
          heldPerAccount: 1_000
        },
        cors: { origins: [] }
      })
    })
  )

  it.effect("keeps given values, and fills in the other defaults", () =>
    Effect.gen(function* () {
      const config = yield* parse({
        ...minimal,
        chains: [{ ...solana, keys: { vault: "MY_VAULT" }, native: { asset: "USDC" } }],
        listen: { port: 0 },
        quotes: { highPriceImpactBps: 0 },
        venue: { kind: "http", url: "https://venue.example/price" }
      })
      assert.deepStrictEqual(config.chains[0].keys, { relayer: "GEOSWAP_SOLANA_RELAYER_KEY", vault: "MY_VAULT" })
      assert.deepStrictEqual(config.chains[0].native, { symbol: "SOL", asset: "USDC" })
      assert.deepStrictEqual(config.listen, { host: "127.0.0.1", port: 0, trustedProxies: 0 })
      assert.deepStrictEqual(config.quotes, { defaultSlippageBps: 50, highPriceImpactBps: 0, maxDriftBps: 5 })
      assert.deepStrictEqual(config.venue, {
        kind: "http",
        url: "https://venue.example/price",
        timeoutMillis: 2_000,
        maxAgeMillis: 10_000,
        maxDeviationBps: 3_000
      })
    })
  )

  it.effect.each([
    [10, 5],
    [12.5, 6],
    [1, 0],
    [0, 0]
  ])("allows a drift of half of a fee of %d bps by default", ([baseFeeBps, maxDriftBps]) =>
    Effect.gen(function* () {
      const config = yield* parse({ ...minimal, fees: { baseFeeBps } })
      assert.strictEqual(config.quotes.maxDriftBps, maxDriftBps)
    })
  )

  it.effect("keeps a drift up to the whole fee", () =>
    Effect.gen(function* () {
      const config = yield* parse({ ...minimal, fees: { baseFeeBps: 10 }, quotes: { maxDriftBps: 10 } })
      assert.strictEqual(config.quotes.maxDriftBps, 10)
    })
  )

  it.effect("has a page only if it is configured, even if empty", () =>
    Effect.gen(function* () {
      assert.notProperty(yield* parse(minimal), "web")
      const explorers = { "8453": "https://explorer.example/tx/{hash}?x=1" }
      const { web } = yield* parse({ ...minimal, web: { explorers, limits: { heldPerClient: 2 } } })
      const plain = Config.plainWeb()
      assert.deepStrictEqual((yield* parse({ ...minimal, web: {} })).web, plain)
      assert.deepStrictEqual(web, {
        ...plain,
        explorers,
        limits: { ...plain.limits, heldPerClient: 2 }
      })
    })
  )

  it.effect("has websockets for some nodes only if they are configured", () =>
    Effect.gen(function* () {
      assert.notProperty((yield* parse(minimal)).chains[0], "wsUrls")
      const rpcUrls = ["https://one.example/key", "https://two.example", "https://three.example"]
      const wsUrls = ["wss://one.example/key?a=b", "", "ws://three.example:8546"]
      const [one] = (yield* parse(chain({ rpcUrls, wsUrls }))).chains
      assert.deepStrictEqual(one.kind === "evm" ? one.wsUrls : undefined, wsUrls)
    })
  )

  it.effect("converts EVM addresses to lower case", () =>
    Effect.gen(function* () {
      const checksummed = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
      const upper = `0x${vault.slice(2).toUpperCase()}`
      const config = yield* parse({
        ...minimal,
        chains: [
          {
            ...evm,
            vaults: [{ address: upper, delegate }],
            tokens: [{ symbol: "USDC", address: checksummed, decimals: 6 }]
          }
        ]
      })
      assert.deepInclude(config.chains[0], { vaults: [{ address: vault, delegate }] })
      assert.strictEqual(config.chains[0].tokens[0]?.address, usdc)
    })
  )
})

describe("an error message", () => {
  const vaultAt = (address: string) => chain({ vaults: [{ address, delegate }] })
  const mnemonic = "test test test test test test test test test test test junk"
  const password = "postgres://user:hunter2@db"

  it.each<readonly [string, unknown, string]>([
    ["a private key for an address", vaultAt(privateKey), privateKey],
    ["a private key without 0x", vaultAt(privateKey.slice(2)), privateKey.slice(2)],
    ["a Solana key for an address", { ...minimal, chains: [{ ...solana, vault: solanaKey }] }, solanaKey],
    ["a private key for a symbol", { ...minimal, fees: { baseFeeBps: 1, token: privateKey } }, privateKey.slice(2)],
    ["a key that could be a name", { ...minimal, ["ab".repeat(32)]: 1 }, "abab"],
    ["a private key as the name of a field", { ...minimal, [privateKey]: 1 }, privateKey.slice(2)],
    [
      "a private key as the name of an asset",
      { ...minimal, venue: { ...table, prices: { [privateKey]: 1 } } },
      privateKey.slice(2)
    ],
    ["a key instead of a variable's name", chain({ keys: { relayer: "sk_live_1" } }), "sk_live_1"],
    [
      "a bearer token instead of a variable's name",
      { ...minimal, venue: { kind: "http", url: "http://x", token: "abc" } },
      '"abc"'
    ],
    ["a node's address with a key in it", chain({ rpcUrls: ["htps://base.example/v2/k3y"] }), "k3y"],
    ["a websocket's address with a key in it", chain({ wsUrls: ["https://base.example/v2/k3y"] }), "k3y"],
    ["a mnemonic", vaultAt(mnemonic), "junk"],
    ["an address with a password", { ...minimal, cors: { origins: [password] } }, "hunter2"]
  ])("does not repeat a possible secret: %s", (_, file, secret) => {
    const error = Effect.runSync(Effect.flip(parse(file)))
    assert.isAtLeast(error.problems.length, 1)
    assert.notInclude(JSON.stringify(error) + String(error) + error.message, secret)
    assert.include(error.message, "(hidden)")
  })

  it("repeats an address, which is not secret", () => {
    assert.include(problems(vaultAt(`${vault}0`))[0], `${vault}0`)
  })
})

describe("the name of a token in the table", () => {
  const nameOf = Config.priceNames(
    Effect.runSync(parse({ ...minimal, chains: [{ ...evm, native: { asset: "SOL" } }, solana] }))
  )
  const asset = (chainId: number, address: string) => ({ chainId, address, symbol: "USDC", decimals: 6 })

  it.each([
    ["its symbol", asset(8453, weth), "WETH"],
    ["the asset of the native token", asset(8453, "0x0000000000000000000000000000000000000000"), "SOL"],
    ["Solana's native token by its symbol", asset(792703809, "11111111111111111111111111111111"), "SOL"]
  ])("is %s", (_, token, name) => {
    assert.strictEqual(nameOf(token), name)
  })

  it("is an address without a price for an unlisted token, whatever its symbol", () => {
    assert.strictEqual(nameOf(asset(1, usdc)), usdc)
    assert.strictEqual(nameOf(asset(792703809, solanaUsdc.toLowerCase())), solanaUsdc.toLowerCase())
  })
})

describe("the vaults of an EVM chain", () => {
  const [second, secondDelegate] = [`0x${"b".repeat(40)}`, `0x${"d".repeat(40)}`]
  const listed = [
    { address: second, delegate: secondDelegate },
    { address: vault, delegate }
  ]

  it.effect("keep the order of the list, in lower case", () =>
    Effect.gen(function* () {
      const shouted = listed.map(({ address, delegate: target }) => ({
        address: `0x${address.slice(2).toUpperCase()}`,
        delegate: target
      }))
      const { chains } = yield* parse({ ...minimal, chains: [{ ...evm, vaults: shouted }, solana] })
      assert.deepStrictEqual(chains[0].kind === "evm" ? chains[0].vaults.map((one): object => one) : [], listed)
    })
  )

  const oneOf = (fields: object) => problems({ ...minimal, chains: [{ ...evm, ...fields }] })

  it("are refused if there is none, or only half of one", () => {
    assert.deepStrictEqual(oneOf({ vaults: undefined }), ["chains[0].vaults: is missing."])
    assert.deepStrictEqual(oneOf({ vaults: [] }), ["chains[0].vaults: expected at least one entry, got an empty list."])
    assert.deepStrictEqual(oneOf({ vaults: [{ address: vault }] }), ["chains[0].vaults[0].delegate: is missing."])
  })

  it("are refused if a vault or a delegate is listed twice, in any case", () => {
    const again = { address: `0x${vault.slice(2).toUpperCase()}`, delegate: secondDelegate }
    assert.deepStrictEqual(oneOf({ vaults: [{ address: vault, delegate }, again] }), [
      "chains[0].vaults[1].address: must differ from vaults[0].address."
    ])
    assert.deepStrictEqual(
      oneOf({
        vaults: [
          { address: vault, delegate },
          { address: second, delegate }
        ]
      }),
      ["chains[0].vaults[1].delegate: must differ from vaults[0].delegate."]
    )
  })

  it("are refused if an address is invalid", () => {
    assert.deepStrictEqual(oneOf({ vaults: [{ address: "0x12", delegate }] }), [
      'chains[0].vaults[0].address: expected a 20-byte address in hex, got "0x12".'
    ])
  })

  it("are one key on Solana", () => {
    assert.deepStrictEqual(problems({ ...minimal, chains: [{ ...solana, vaults: listed }] }), [
      'chains[0].vaults: is not a known field. Did you mean "vault"?'
    ])
  })
})
