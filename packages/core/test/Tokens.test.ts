import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Chain, type ChainReader, SwapError, Tokens, type Network } from "../src/index.js"
import { formatAmount, parseAmount, tokenResolver } from "../src/promise.js"
import { ScriptedTransport } from "../src/testing.js"
import { evmReader } from "./fixture.js"

const { inputToken: usdc } = ScriptedTransport.evmRequest
const pinned: Tokens.KnownToken = { chainId: 8453, address: usdc, symbol: "USDC", decimals: 6 }
const other = `0x${"12".repeat(20)}`

/** A network with these pinned tokens. */
const networkOf = (...tokens: ReadonlyArray<Tokens.KnownToken>): Network.Network => ({
  chains: [8453, 42161, 1, Chain.solanaMainnet].map((id) => ({
    id,
    name: id === 8453 ? "base" : `chain-${id}`,
    family: Chain.defaultFamily(id),
    tokens: tokens
      .filter(({ chainId }) => chainId === id)
      .map(({ address, decimals, symbol = "" }) => ({ address, decimals, symbol }))
  }))
})

/** A node that returns these decimals for every token. */
const node = (decimals: number): ChainReader.Evm => ({
  ...evmReader("open"),
  token: () => Effect.succeed({ decimals, symbol: "OWN" })
})

describe("a resolver", () => {
  it.effect("uses the pinned decimals, by symbol and by address in any case", () =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ network: networkOf(pinned), readers: { evm: node(9) } })
      for (const token of ["USDC", "usdc", usdc, `0x${usdc.slice(2).toUpperCase()}`]) {
        assert.strictEqual(yield* tokens.parse(8453, token, "10"), 10_000_000n)
      }
      assert.strictEqual(yield* tokens.format(8453, "USDC", 10_500_000n), "10.5")
    })
  )

  it.effect("reads a token that is not pinned from the caller's own node", () =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ network: networkOf(pinned), readers: { evm: node(18) } })
      assert.deepStrictEqual(yield* tokens.find(8453, other), {
        chainId: 8453,
        address: other,
        decimals: 18,
        symbol: "OWN"
      })
    })
  )

  it.effect("knows the native token without a node", () =>
    Effect.gen(function* () {
      const { decimals } = yield* Tokens.resolver().find(8453, Chain.nativeToken.evm)
      assert.strictEqual(decimals, 18)
    })
  )

  it.effect.each([
    ["a symbol that is not pinned", { network: networkOf(pinned) }, "WETH"],
    ["a symbol that is pinned on another chain", { network: networkOf({ ...pinned, chainId: 1 }) }, "USDC"],
    ["a symbol that is pinned twice", { network: networkOf(pinned, { ...pinned, address: other }) }, "USDC"],
    ["an address without a node", { network: networkOf(pinned), readers: {} }, other],
    ["an address with a mistyped checksum", { network: networkOf(pinned) }, usdc.replace("a", "A")],
    ["invalid pinned decimals", { network: networkOf({ ...pinned, decimals: 6.5 }) }, "USDC"]
  ] as const)("refuses %s", ([, options, token]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(Tokens.resolver(options).find(8453, token)))._tag, "InvalidInput")
    })
  )

  it.effect.each([-1, 256, 1.5, Number.NaN])("refuses %d decimals from a node", (decimals) =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ readers: { evm: node(decimals) } })
      assert.strictEqual((yield* Effect.flip(tokens.find(8453, other)))._tag, "ReaderError")
    })
  )

  it.effect("refuses an amount with more decimals than the token", () =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ network: networkOf(pinned) })
      assert.strictEqual((yield* Effect.flip(tokens.parse(8453, "USDC", "0.0000001")))._tag, "InvalidInput")
    })
  )
})

describe("texts such as 10 USDC@base", () => {
  const weth: Tokens.KnownToken = { chainId: 42161, address: other, symbol: "WETH", decimals: 18 }
  const tokens = Tokens.resolver({ network: networkOf(pinned, weth) })

  it.effect.each(["10 USDC@base", "10.0 usdc@Base", " 10  USDC@8453 ", `10 ${usdc}@base`])("resolves %j", (text) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tokens.amount(text), { token: pinned, amount: 10_000_000n })
    })
  )

  it.effect("makes a request, with the rest of its fields", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* tokens.request("10 USDC@base", "WETH@42161", { slippageBps: 30 }), {
        originChain: 8453,
        destinationChain: 42161,
        inputToken: usdc,
        outputToken: other,
        amount: 10_000_000n,
        slippageBps: 30
      })
    })
  )

  it.effect.each([
    ["no amount", "USDC@base", "amount"],
    ["no chain", "10 USDC", "token"],
    ["no token", "10 @base", "token"],
    ["two chains", "10 USDC@base@base", "token"],
    ["an unknown chain name", "10 USDC@bass", "chain"],
    ["a chain id of zero", "10 USDC@0", "chain"],
    ["a token of another chain", "10 WETH@base", "token"],
    ["too many decimals", "0.0000001 USDC@base", "amount"],
    ["a thousands separator", "1,000 USDC@base", "amount"],
    ["a negative amount", "-1 USDC@base", "amount"],
    ["nothing", "", "amount"]
  ] as const)("refuses %s", ([, text, field]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(tokens.amount(text))
      assert.deepInclude(error, { _tag: "InvalidInput", field })
    })
  )
})

describe("balances", () => {
  const sol: Tokens.KnownToken = { chainId: 792703809, address: Chain.nativeToken.solana, symbol: "SOL", decimals: 9 }
  const wallet = `0x${"34".repeat(20)}`

  it.effect("come from the reader of each chain, for the wallets that are given", () =>
    Effect.gen(function* () {
      const asked: Array<ChainReader.BalanceQuery> = []
      const evm: ChainReader.Evm = {
        ...evmReader("open"),
        balance: (query) => Effect.sync(() => (asked.push(query), 7n))
      }
      const tokens = Tokens.resolver({ network: networkOf(pinned, sol), readers: { evm } })
      assert.deepStrictEqual(yield* tokens.balances({ evm: wallet, solana: "s" }), [
        { token: pinned, wallet, amount: 7n }
      ])
      assert.deepStrictEqual(asked, [{ chainId: 8453, token: usdc, wallet }])
      assert.deepStrictEqual(yield* tokens.balances({}), [])
    })
  )

  it.effect("fail if a node fails, because a missing balance would look like zero", () =>
    Effect.gen(function* () {
      const evm: ChainReader.Evm = {
        ...evmReader("open"),
        balance: () => Effect.fail(new SwapError.ReaderError({ message: "down" }))
      }
      const error = yield* Effect.flip(
        Tokens.resolver({ network: networkOf(pinned), readers: { evm } }).balances({ evm: wallet })
      )
      assert.strictEqual(error._tag, "ReaderError")
    })
  )
})

describe("parseAmount and formatAmount", () => {
  it("take a token or its decimals", () => {
    assert.strictEqual(parseAmount("10.5", pinned), 10_500_000n)
    assert.strictEqual(parseAmount("10.5", 6), 10_500_000n)
    assert.strictEqual(formatAmount(10_500_000n, pinned), "10.5")
    assert.strictEqual(formatAmount(10_500_000n, 6), "10.5")
  })

  it("refuse a text that is not an amount of the token", () => {
    for (const text of ["", "ten", "-1", "1,000", "0.0000001"]) {
      assert.throws(
        () => parseAmount(text, pinned),
        `amount: expected a number such as 12.5 with at most 6 decimals, got "${text}".`
      )
    }
  })
})

describe("a resolver with promises", () => {
  it("uses a network and a node", async () => {
    const evm = {
      operationState: () => Promise.resolve("open" as const),
      accountNonce: () => Promise.resolve(0),
      token: () => Promise.resolve({ decimals: 8 })
    }
    const tokens = tokenResolver({ network: networkOf(pinned), readers: { evm } })
    assert.strictEqual(await tokens.parse(8453, "USDC", "10"), 10_000_000n)
    assert.strictEqual(await tokens.parse(8453, other, "10"), 1_000_000_000n)
    assert.deepStrictEqual(await tokens.amount("2 USDC@8453"), { token: pinned, amount: 2_000_000n })
  })

  it("rejects with a ReaderError, without the error of the node's client", async () => {
    const evm = {
      operationState: () => Promise.resolve("open" as const),
      accountNonce: () => Promise.resolve(0),
      token: () => Promise.reject(new Error("https://rpc.example/secret-key failed"))
    }
    const error: unknown = await tokenResolver({ readers: { evm } })
      .find(8453, other)
      .catch((thrown: unknown) => thrown)
    assert.instanceOf(error, SwapError.ReaderError)
    assert.notInclude(JSON.stringify(error), "secret-key")
  })
})
