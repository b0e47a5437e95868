import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Network, SwapError } from "../src/index.js"
import { createClient, parseNetwork } from "../src/promise.js"
import { ScriptedTransport, Vectors } from "../src/testing.js"

const transport = { send: () => Promise.reject(new Error("down")) }
const address = `0x${"5a".repeat(20)}`
const deployment = { delegates: [address], vault: address }
const base = { id: 8453, name: "base", family: "evm", deployment } as const
const solana = { id: 900, name: "solana", family: "solana", deployment: Vectors.solanaDeployment } as const

const failure = (json: unknown): unknown => {
  try {
    return parseNetwork(json)
  } catch (error) {
    return error
  }
}

describe("a network", () => {
  it("can be JSON", () => {
    const { network } = ScriptedTransport.make()
    assert.deepStrictEqual(parseNetwork(JSON.parse(JSON.stringify(network))), network)
  })

  it.effect("can be decoded with Effect", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Network.decode({ chains: [base, solana] }), { chains: [base, solana] })
      assert.instanceOf(yield* Effect.flip(Network.decode({ chains: [base, base] })), SwapError.InvalidInput)
    })
  )

  it("determines the families of its chains", () => {
    const familyOf = Network.familyOf({ chains: [{ id: 900, name: "test", family: "solana" }] })
    expect([900, 8453, 792703809].map(familyOf)).toEqual(["solana", "evm", "solana"])
  })

  it.each([
    ["no chains", {}, "network", "expected { chains }"],
    ["an unknown field", { chains: [], chain: [] }, "network.chain", "chains"],
    ["a chain that is not an object", { chains: [8453] }, "network.chains[0]", "family"],
    ["no id", { chains: [{ ...base, id: undefined }] }, "network.chains[0].id", "missing"],
    ["a name as id", { chains: [{ ...base, id: "base" }] }, "network.chains[0].id", "a chain id"],
    ["an empty name", { chains: [{ ...base, name: "" }] }, "network.chains[0].name", "a text"],
    ["an unknown family", { chains: [{ ...base, family: "svm" }] }, "network.chains[0].family", "solana"],
    ["one id twice", { chains: [base, { ...base, name: "other" }] }, "network.chains", "only once"],
    ["one name twice", { chains: [base, { ...base, id: 1, name: "Base" }] }, "network.chains", "only once"],
    ["a token of another family", { chains: [{ ...base, tokens: [{ symbol: "A", address: "v", decimals: 6 }] }] }],
    ["256 decimals", { chains: [{ ...base, tokens: [{ symbol: "A", address, decimals: 256 }] }] }]
  ])("is refused with %s", (_, json, field = "network.chains[0].tokens", hint = "decimals") => {
    const error = failure(json)
    assert.instanceOf(error, SwapError.InvalidInput)
    assert.strictEqual(error.field, field)
    assert.include(error.message, hint)
  })

  it.each([
    ["a code hash", { codeHash: "0x12" }, "codeHash", "32 bytes"],
    ["a vault", { vault: "0x12" }, "vault", "a valid EVM address"],
    ["no vault", { vault: undefined }, "vault", "missing"],
    ["valut", { valut: address }, "valut", "vault"],
    ["a delegate", { delegates: address }, "delegates", "a list"],
    ["a checksum", { vault: "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }, "vault", "a valid EVM address"]
  ])("is refused with %s in a deployment before a client is created", (_, change, field, hint) => {
    const network = { chains: [{ ...base, deployment: { ...deployment, ...change } }] }
    const error = failure(network)
    assert.instanceOf(error, SwapError.InvalidInput)
    assert.strictEqual(error.field, `network.chains[0].deployment.${field}`)
    assert.include(error.message, hint)
    assert.throws(() => createClient({ transport, network: network as Network.Network }), error.message)
  })

  it("is refused without a fee payer on Solana", () => {
    const { relayer: _, ...rest } = Vectors.solanaDeployment
    assert.include(String(failure({ chains: [{ ...solana, deployment: rest }] })), "deployment.relayer: missing")
  })
})
