import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Chain, type ChainReader, SwapError, Tokens } from "../src/index.js"
import { tokenResolver } from "../src/promise.js"
import { ScriptedTransport } from "../src/testing.js"
import { evmReader } from "./fixture.js"

const { inputToken: usdc } = ScriptedTransport.evmRequest
const pinned: Tokens.KnownToken = { chain: 8453, address: usdc, symbol: "USDC", decimals: 6 }
const other = `0x${"12".repeat(20)}`

/** A node that returns these decimals for every token. */
const node = (decimals: number): ChainReader.EvmReader => ({
  ...evmReader("open"),
  token: () => Effect.succeed({ decimals, symbol: "OWN" })
})

describe("a resolver", () => {
  it.effect("uses the pinned decimals, by symbol and by address in any case", () =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ list: [pinned], readers: { evm: node(9) } })
      for (const token of ["USDC", "usdc", usdc, `0x${usdc.slice(2).toUpperCase()}`]) {
        assert.strictEqual(yield* tokens.parse(8453, token, "10"), 10_000_000n)
      }
      assert.strictEqual(yield* tokens.format(8453, "USDC", 10_500_000n), "10.5")
    })
  )

  it.effect("reads a token that is not pinned from the caller's own node", () =>
    Effect.gen(function* () {
      const tokens = Tokens.resolver({ list: [pinned], readers: { evm: node(18) } })
      assert.deepStrictEqual(yield* tokens.find(8453, other), {
        chain: 8453,
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
    ["a symbol that is not pinned", { list: [pinned] }, "WETH"],
    ["a symbol that is pinned on another chain", { list: [{ ...pinned, chain: 1 }] }, "USDC"],
    ["a symbol that is pinned twice", { list: [pinned, { ...pinned, address: other }] }, "USDC"],
    ["an address without a node", { list: [pinned], readers: {} }, other],
    ["an address with a mistyped checksum", { list: [pinned] }, usdc.replace("a", "A")],
    ["invalid pinned decimals", { list: [{ ...pinned, decimals: 6.5 }] }, "USDC"]
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
      const tokens = Tokens.resolver({ list: [pinned] })
      assert.strictEqual((yield* Effect.flip(tokens.parse(8453, "USDC", "0.0000001")))._tag, "InvalidInput")
    })
  )
})

describe("a resolver with promises", () => {
  it("uses a list and a node", async () => {
    const evm = {
      operationState: () => Promise.resolve("open" as const),
      accountNonce: () => Promise.resolve(0),
      token: () => Promise.resolve({ decimals: 8 })
    }
    const tokens = tokenResolver({ list: [pinned], readers: { evm } })
    assert.strictEqual(await tokens.parse(8453, "USDC", "10"), 10_000_000n)
    assert.strictEqual(await tokens.parse(8453, other, "10"), 1_000_000_000n)
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
