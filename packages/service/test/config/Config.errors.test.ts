/** Every error in a configuration has a message with its path. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Config from "../../src/config/Config.js"
import {
  chain,
  evm,
  minimal,
  parse,
  price,
  problems,
  solana,
  solanaUsdc,
  table,
  tiers,
  token,
  usdc,
  vault,
  weth
} from "./fixture.js"

const target = { address: vault, codeHash: `0x${"ab".repeat(32)}` }

describe("an error in a configuration", () => {
  it.each<readonly [string, unknown, ReadonlyArray<string>]>([
    ["a list for the file", [], ["The file: expected an object, got a list."]],
    ["nothing that has to be there", {}, ["chains: is missing.", "venue: is missing.", "fees: is missing."]],
    ["no chain", { ...minimal, chains: [] }, ["chains: expected at least one entry, got an empty list."]],
    [
      "a chain that is not an object",
      { ...minimal, chains: [evm, solana, 7] },
      ["chains[2]: expected an object, got 7."]
    ],
    [
      "an unreadable account of the page",
      { ...minimal, web: { account: " web" } },
      ['web.account: expected 1 to 64 visible characters with no leading or trailing spaces, got " web".']
    ],
    [
      "explorers that are invalid",
      {
        ...minimal,
        web: {
          explorers: { 8453: "javascript:alert(1)//{hash}", 792703809: "https://explorer.example/tx/" }
        }
      },
      [
        'web.explorers["8453"]: expected a URL such as https://explorer.example/tx/{hash}, with {hash} exactly once, after the host, got "javascript:alert(1)//{hash}".',
        'web.explorers["792703809"]: expected a URL such as https://explorer.example/tx/{hash}, with {hash} exactly once, after the host, got "https://explorer.example/tx/".'
      ]
    ],
    [
      "an explorer of an unknown chain",
      { ...minimal, web: { explorers: { 1: "https://explorer.example/tx/{hash}" } } },
      ['web.explorers: "1" is not the id of a configured chain.']
    ],
    [
      "an ENS registry on a chain that is unknown or not an EVM chain",
      { ...minimal, web: { ens: { chainId: 792703809 } } },
      ["web.ens.chainId: 792703809 is not the id of a configured EVM chain."]
    ],
    [
      "a host name with a port, and one that no browser sends",
      { ...minimal, listen: { hosts: ["swap.example:443", "Swap.example", "swap.example"] } },
      [
        'listen.hosts[0]: expected a host name such as swap.example.com, in lower case and without a port, got "swap.example:443".',
        'listen.hosts[1]: expected a host name such as swap.example.com, in lower case and without a port, got "Swap.example".'
      ]
    ],
    [
      "more proxies than there can be",
      { ...minimal, listen: { trustedProxies: 11 } },
      ["listen.trustedProxies: expected a whole number from 0 to 10, got 11."]
    ],
    [
      "a negative number of proxies",
      { ...minimal, listen: { trustedProxies: -1 } },
      ["listen.trustedProxies: expected a whole number from 0 to 10, got -1."]
    ],
    [
      "a quorum of more nodes than are listed",
      chain({ rpcUrls: ["http://one.example", "http://two.example"], quorum: 3 }),
      ["chains[0].quorum: expected at most 2 (the number of rpcUrls), got 3."]
    ],
    ["a quorum of no node", chain({ quorum: 0 }), ["chains[0].quorum: expected a whole number from 1 to 100, got 0."]],
    [
      "a node that is listed twice, without its address, which may hold a key",
      chain({ rpcUrls: ["https://node.example/key", "https://other.example", "https://NODE.example:443/key"] }),
      ["chains[0].rpcUrls[2]: must differ from rpcUrls[0]."]
    ],
    [
      "websockets for other nodes than are listed",
      chain({ rpcUrls: ["http://one.example", "http://two.example"], wsUrls: ["ws://one.example"] }),
      ['chains[0].wsUrls: expected 2 (the number of rpcUrls), got 1. Write "" for a node without one.']
    ],
    [
      "a websocket with a password",
      chain({ wsUrls: ["wss://user:password@node.example"] }),
      [
        'chains[0].wsUrls[0]: expected a URL that starts with ws:// or wss:// and has no user name or password, or "" for a node without one, got (hidden).'
      ]
    ],
    [
      "websockets on Solana",
      { ...minimal, chains: [evm, { ...solana, wsUrls: [""] }] },
      ["chains[1].wsUrls: is not a known field."]
    ],
    [
      "a chain of no kind",
      { ...minimal, chains: [evm, solana, { id: 1 }] },
      ['chains[2].kind: is missing: expected "evm" or "solana".']
    ],
    ["a chain of an unknown kind", chain({ kind: "evn" }), ['chains[0].kind: expected "evm" or "solana", got "evn".']],
    [
      "a venue of an unknown kind",
      { ...minimal, venue: { kind: "tabel" } },
      ['venue.kind: expected "table" or "http", got "tabel".']
    ],
    [
      "an address that is too short",
      token({ address: "0x12" }),
      ['chains[0].tokens[0].address: expected a 20-byte address in hex, got "0x12".']
    ],
    [
      "an address of the other family",
      { ...minimal, chains: [{ ...solana, vault }] },
      [`chains[0].vault: expected a 32-byte address in base58, got "${vault}".`]
    ],
    [
      "a Solana address on an EVM chain",
      token({ address: solanaUsdc }),
      [`chains[0].tokens[0].address: expected a 20-byte address in hex, got "${solanaUsdc}".`]
    ],
    [
      "an address with a wrong checksum",
      chain({ vaults: [{ address: vault, delegate: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" }] }),
      [
        'chains[0].vaults[0].delegate: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" has an invalid checksum, so at least one character is wrong. If the address is correct, write it in lower case.'
      ]
    ],
    [
      "a token with a wrong checksum",
      token({ address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" }),
      [
        'chains[0].tokens[0].address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" has an invalid checksum, so at least one character is wrong. If the address is correct, write it in lower case.'
      ]
    ],
    [
      "a vault with a wrong checksum",
      chain({ vaults: [{ address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914", delegate: vault }] }),
      [
        'chains[0].vaults[0].address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914" has an invalid checksum, so at least one character is wrong. If the address is correct, write it in lower case.'
      ]
    ],
    ["a number for a string", chain({ name: 5 }), ["chains[0].name: expected a string of 1 to 64 characters, got 5."]],
    ["an empty name", chain({ name: "" }), ['chains[0].name: expected a string of 1 to 64 characters, got "".']],
    [
      "a string for a number",
      token({ decimals: "6" }),
      ['chains[0].tokens[0].decimals: expected a whole number from 0 to 36, got "6".']
    ],
    [
      "too many decimals",
      token({ decimals: 37 }),
      ["chains[0].tokens[0].decimals: expected a whole number from 0 to 36, got 37."]
    ],
    [
      "a broken number",
      chain({ finality: [{ after: { blocks: 1.5 } }] }),
      [
        'chains[0].finality[0].after: expected "safe", "finalized", { "seconds": 24 } or { "blocks": 12 }, got an object.'
      ]
    ],
    ["a chain id of zero", chain({ id: 0 }), ["chains[0].id: expected a whole number greater than 0, got 0."]],
    ["no node", chain({ rpcUrls: [] }), ["chains[0].rpcUrls: expected at least one entry, got an empty list."]],
    [
      "an invalid amount",
      chain({ maxFeePerGas: "1e9" }),
      ['chains[0].maxFeePerGas: expected a whole number in quotes, got "1e9".']
    ],
    ["null for an object", { ...minimal, listen: null }, ["listen: expected an object, got null."]],
    ["an object for a list", chain({ tokens: {} }), ["chains[0].tokens: expected a list, got an object."]],
    [
      "a price that is a number",
      { ...minimal, venue: { ...table, prices: { ...table.prices, WETH: { usd: 2500.5, depthUsd: "1" } } } },
      ['venue.prices.WETH.usd: expected a decimal number greater than 0 in quotes, such as "0.25", got 2500.5.']
    ],
    [
      "a price of zero",
      { ...minimal, venue: { ...table, prices: { ...table.prices, "my ETH": { usd: "0.00", depthUsd: "1" } } } },
      ['venue.prices["my ETH"].usd: expected a decimal number greater than 0 in quotes, such as "0.25", got "0.00".']
    ],
    [
      "a string for a choice",
      { ...minimal, venue: { ...table, prices: { ...table.prices, WETH: { ...price, showUsd: "no" } } } },
      ['venue.prices.WETH.showUsd: expected true or false, got "no".']
    ],
    [
      "a fee with more decimals than count",
      { ...minimal, fees: { baseFeeBps: 12.50001 } },
      ["fees.baseFeeBps: expected a number from 0 to 5,000 with at most 4 decimal places, got 12.50001."]
    ],
    [
      "a payment method that does not exist",
      token({ payments: { methods: ["approve"] } }),
      ['chains[0].tokens[0].payments.methods[0]: expected "eip3009", "permit2" or "erc2612", got "approve".']
    ],
    [
      "a code hash that is too short",
      chain({ payments: { targets: [{ ...target, codeHash: "0x12" }] } }),
      ['chains[0].payments.targets[0].codeHash: expected a 32-byte hash in hex, got "0x12".']
    ],
    [
      "a rate of nothing",
      { ...minimal, limits: { quote: { perSecond: 0, burst: 1 } } },
      ["limits.quote.perSecond: expected a number greater than 0, got 0."]
    ]
  ])("is reported with its path: %s", (_, file, expected) => {
    assert.deepStrictEqual(problems(file), expected)
  })

  it.each<readonly [string, unknown, string]>([
    [
      "close to a known one",
      { ...minimal, enviroment: "x" },
      'enviroment: is not a known field. Did you mean "environment"?'
    ],
    [
      "with two letters swapped",
      { ...minimal, listen: { prot: 1 } },
      'listen.prot: is not a known field. Did you mean "port"?'
    ],
    ["in another case", chain({ rpcURLs: [] }), 'chains[0].rpcURLs: is not a known field. Did you mean "rpcUrls"?'],
    ["deep inside", token({ asest: "x" }), 'chains[0].tokens[0].asest: is not a known field. Did you mean "asset"?'],
    [
      "of the other kind of chain",
      chain({ computeUnitPrice: "1" }),
      "chains[0].computeUnitPrice: is not a known field."
    ],
    ["unlike any known field", { ...minimal, colour: "red" }, "colour: is not a known field."],
    ["that objects have by nature", { ...minimal, toString: 1 }, "toString: is not a known field."]
  ])("is an unknown field: one %s", (_, file, expected) => {
    assert.deepStrictEqual(problems(file), [expected])
  })

  it("is reported together with all other invalid fields, and before the rules between fields", () => {
    const rules = { chains: [{ ...evm, tokens: [] }], fees: { baseFeeBps: 10, token: "GEO" } }
    assert.deepStrictEqual(
      problems({
        ...minimal,
        ...rules,
        chains: [{ ...evm, id: "x", tokens: [] }],
        execution: { concurrency: "many", venueRetryMillis: -1 }
      }),
      [
        'chains[0].id: expected a whole number greater than 0, got "x".',
        "execution.venueRetryMillis: expected a whole number from 0 to 86,400,000, got -1.",
        'execution.concurrency: expected a whole number from 1 to 100,000, got "many".'
      ]
    )
    assert.deepStrictEqual(problems({ ...minimal, ...rules }), [
      "chains: no chain lists a token, so there is nothing to swap. List at least one token.",
      'fees.token: no chain lists a token with the symbol "GEO".'
    ])
  })

  it("is a line of the error's message", () => {
    const error = Effect.runSync(Effect.flip(parse({ fees: { baseFeeBps: 0 }, venue: table })))
    assert.instanceOf(error, Config.InvalidConfig)
    assert.strictEqual(
      Effect.runSync(Effect.flip(parse({}))).message,
      "chains: is missing.\nvenue: is missing.\nfees: is missing."
    )
    assert.strictEqual(error.message, "chains: is missing.")
  })
})

describe("a rule between fields", () => {
  const other = { ...evm, id: 1, name: "Other" }
  const low = { tier: "low", minimum: "9.5", discountPercent: 10 }
  const high = { tier: "high", minimum: "10", discountPercent: 20 }

  it.effect("accepts a valid configuration", () =>
    Effect.gen(function* () {
      const { fees } = yield* parse(tiers(low, high))
      assert.lengthOf(fees.tiers, 2)
      yield* parse({ ...minimal, chains: [evm, other, { ...solana, tokens: [] }] })
    })
  )

  it.each<readonly [string, unknown, ReadonlyArray<string>]>([
    [
      "two chains with one id",
      { ...minimal, chains: [other, evm, { ...solana, id: 1 }] },
      ["chains[2].id: must differ from chains[0].id."]
    ],
    [
      "Solana's id for an EVM chain",
      chain({ id: 792703809 }),
      [`chains[0].id: 792703809 is Solana's mainnet, but kind is "evm".`]
    ],
    [
      "a payment method without the token's domain",
      token({ payments: { methods: ["eip3009"], version: "2" } }),
      [`chains[0].tokens[0].payments.name: is missing, but "eip3009" requires the name in the token's EIP-712 domain.`]
    ],
    [
      "a payment method on a chain without Permit2",
      token({ payments: { methods: ["permit2", "permit2"] } }),
      [
        "chains[0].tokens[0].payments.methods[1]: must differ from methods[0].",
        `chains[0].tokens[0].payments.methods: "permit2" requires Permit2. Set chains[0].payments.permit2 to true.`
      ]
    ],
    [
      "a payment target that is listed twice",
      chain({
        payments: { targets: [target, { ...target, address: target.address.toUpperCase().replace("X", "x") }] }
      }),
      ["chains[0].payments.targets[1].address: must differ from targets[0].address."]
    ],
    [
      "two tokens with one address, in another case",
      chain({ tokens: [evm.tokens[0], { symbol: "WETH", address: `0x${usdc.slice(2).toUpperCase()}`, decimals: 6 }] }),
      ["chains[0].tokens[1].address: must differ from tokens[0].address."]
    ],
    [
      "two tokens with one symbol",
      chain({ tokens: [evm.tokens[0], { symbol: "usdc", address: weth, decimals: 6, asset: "USDC" }] }),
      ["chains[0].tokens[1].symbol: must differ from tokens[0].symbol."]
    ],
    [
      "the native token in the list",
      token({ address: "0x0000000000000000000000000000000000000000" }),
      ["chains[0].tokens[0].address: is the native token. Remove it, because the native token is always available."]
    ],
    [
      "Solana's native token in the list",
      {
        ...minimal,
        chains: [{ ...solana, tokens: [{ symbol: "SOL", address: "11111111111111111111111111111111", decimals: 9 }] }]
      },
      ["chains[0].tokens[0].address: is the native token. Remove it, because the native token is always available."]
    ],
    [
      "no token anywhere",
      {
        ...minimal,
        chains: [
          { ...evm, tokens: [] },
          { ...solana, tokens: [] }
        ]
      },
      ["chains: no chain lists a token, so there is nothing to swap. List at least one token."]
    ],
    [
      "tokens and natives without a price",
      { ...minimal, venue: { kind: "table", prices: { USDC: price } } },
      [
        'venue.prices: has no price for "ETH", which chains[0].native requires.',
        'venue.prices: has no price for "WETH", which chains[0].tokens[1] requires.',
        'venue.prices: has no price for "SOL", which chains[1].native requires.'
      ]
    ],
    [
      "an asset without a price",
      {
        ...minimal,
        chains: [{ ...evm, native: { asset: "ether" }, tokens: [{ ...evm.tokens[1], asset: "toString" }] }]
      },
      [
        'venue.prices: has no price for "ether", which chains[0].native requires.',
        'venue.prices: has no price for "toString", which chains[0].tokens[0] requires.'
      ]
    ],
    [
      "a drift above the fee",
      { ...minimal, fees: { baseFeeBps: 10 }, quotes: { maxDriftBps: 11 } },
      [
        "quotes.maxDriftBps: is 11, which is above fees.baseFeeBps (10), so callers could profit from prices that move after the quote. Set it to at most the fee, or remove the field (default: half the fee)."
      ]
    ],
    [
      "tiers from high to low",
      tiers(high, { ...low, discountPercent: 30 }),
      ["fees.tiers[1].minimum: must be above tiers[0].minimum. Order the tiers from low to high."]
    ],
    [
      "tiers that ask for the same",
      tiers(low, { ...high, minimum: "9.50" }),
      ["fees.tiers[1].minimum: must be above tiers[0].minimum. Order the tiers from low to high."]
    ],
    [
      "a tier that gives less for more",
      tiers(low, { ...high, discountPercent: 9 }),
      ["fees.tiers[1].discountPercent: is below tiers[0].discountPercent, even though its minimum is higher."]
    ],
    [
      "two tiers of one name",
      tiers(low, { ...high, tier: "low" }),
      ["fees.tiers[1].tier: must differ from tiers[0].tier."]
    ],
    [
      "tiers of no token",
      { ...minimal, fees: { baseFeeBps: 10, tiers: [low] } },
      ["fees.token: is missing, but fees.tiers requires it."]
    ],
    [
      "a token of the service that is on no chain",
      { ...minimal, fees: { baseFeeBps: 10, token: "GEO" } },
      ['fees.token: no chain lists a token with the symbol "GEO".']
    ]
  ])("is reported with its path: %s", (_, file, expected) => {
    assert.deepStrictEqual(problems(file), expected)
  })

  it("requires no prices if the venue is external", () => {
    assert.deepStrictEqual(
      Effect.runSync(parse({ ...minimal, venue: { kind: "http", url: "http://127.0.0.1:1/" } })).venue.kind,
      "http"
    )
  })
})

describe("an allowed origin", () => {
  const cors = (...origins: ReadonlyArray<unknown>) => ({ ...minimal, cors: { origins } })

  it.effect("is a scheme and a host, with an optional port", () =>
    Effect.gen(function* () {
      const origins = [
        "https://app.example.com",
        "http://localhost:5173",
        "http://[::1]:8080",
        "chrome-extension://abcdef"
      ]
      assert.deepStrictEqual((yield* parse(cors(...origins))).cors.origins, origins)
    })
  )

  it("is not a wildcard, and the message says why", () => {
    assert.deepStrictEqual(problems(cors("*")), [
      'cors.origins[0]: "*" would let any web page use the service. List the allowed origins.'
    ])
  })

  it.each([
    "https://app.example.com/",
    "https://app.example.com/page",
    "https://app.example.com?x",
    "https://App.example.com",
    "https://app.example.com:443",
    "https://*.example.com",
    "app.example.com",
    "null",
    ""
  ])("is not %j", (origin) => {
    assert.deepStrictEqual(problems(cors("https://fine.example", origin)), [
      `cors.origins[1]: expected an origin such as https://app.example.com, without a path, got ${JSON.stringify(origin)}.`
    ])
  })
})
