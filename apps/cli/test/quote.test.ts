/** `geoswap quote` with and without a wallet, with a scripted service. */
import { Fault, ScriptedTransport, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { run, runJson, type Workspace } from "./runCli.js"
import { open, type Scripted, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const chains = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}
const args = ["quote", "10", "usdc@base", "weth@arbitrum"]
const mint = ScriptedTransport.solanaRequest.inputToken

/** A configured service, and the workspace of a user without a key. */
const openWithoutKey = Effect.map(open, (scripted) => {
  scripted.configure({ chains })
  const { GEOSWAP_EVM_KEY: _, ...environment } = scripted.workspace.environment
  return { ...scripted, keyless: { ...scripted.workspace, environment } satisfies Workspace }
})

/** The bodies of the quote requests. */
const bodiesOf = ({ service }: Scripted) => service.seen("quote").map(({ body }) => body)

describe("geoswap quote without a wallet", () => {
  it.live("shows an indicative price and says so, as text and as JSON", () =>
    Effect.gen(function* () {
      const scripted = yield* openWithoutKey
      const text = yield* run(scripted.keyless, ...args)
      expect([text.code, text.stderr]).toEqual([0, ""])
      for (const line of [
        /^Receive +0\.00000000001 WETH on Arbitrum \(42161\)$/m,
        /^Pay +10 USDC on Base \(8453\)$/m,
        /^At least +0\.00000000000995 WETH/m,
        /^This price is indicative, because there is no wallet for EVM chains\. A quote for a wallet may differ\./m
      ]) {
        expect(text.stdout).toMatch(line)
      }
      expect(text.stdout).not.toMatch(/The price is valid|^From|^To /m)

      const { answer, code } = yield* runJson(scripted.keyless, ...args)
      expect(code).toBe(0)
      expect(schemaErrors("cli-quote", answer)).toEqual([])
      const { quote } = answer as { readonly quote: object }
      expect(quote).toMatchObject({ indicative: true, from: { amount: "10" }, to: { raw: "10000000" }, feeBps: 12.5 })
      for (const field of ["wallet", "recipient", "expiresAt"]) expect(quote).not.toHaveProperty(field)

      const bodies = bodiesOf(scripted)
      expect(bodies).toHaveLength(2)
      for (const body of bodies) {
        expect(body).toMatchObject({ indicative: true })
        expect(body).not.toHaveProperty("walletAddress")
      }
    })
  )

  it.live("needs no recipient on a chain of the other family", () =>
    Effect.gen(function* () {
      const scripted = yield* openWithoutKey
      const toSolana = ["quote", "10", "usdc@base", `${mint}@solana`]
      const { answer, code } = yield* runJson(scripted.keyless, ...toSolana)
      expect([code, answer]).toMatchObject([0, { quote: { indicative: true } }])
      const recipient = Vectors.solanaKey.address
      const named = yield* runJson(scripted.keyless, ...toSolana, "--recipient", recipient)
      expect(named.answer).toMatchObject({ quote: { indicative: true, recipient } })
      expect((yield* run(scripted.workspace, ...toSolana)).code).toBe(64)
      expect(bodiesOf(scripted).map(({ recipient: sent }) => sent)).toEqual([undefined, recipient])
    })
  )

  it.live("requires a wallet if the service does, if --max is given, or if --wallet has another family", () =>
    Effect.gen(function* () {
      const scripted = yield* openWithoutKey
      const wallet = Vectors.solanaKey.address
      for (const line of [
        ["quote", "--max", "usdc@base", "weth@arbitrum"],
        [...args, "--wallet", wallet]
      ]) {
        const { answer, code } = yield* runJson(scripted.keyless, ...line)
        expect([code, answer]).toMatchObject([
          1,
          { error: { name: "KeyError", message: "There is no wallet for EVM chains." } }
        ])
      }
      expect(bodiesOf(scripted)).toEqual([])

      scripted.service.always("quote", Fault.refuse(400, "VALIDATION"))
      const { answer, code } = yield* runJson(scripted.keyless, ...args)
      expect([code, answer]).toMatchObject([
        1,
        {
          error: {
            name: "KeyError",
            message: "There is no wallet for EVM chains, and the service does not offer prices without a wallet.",
            next: "Pass --wallet-address <address>, or add a key with geoswap init."
          }
        }
      ])
      scripted.service.always("quote", Fault.refuse(422, "NO_ROUTE"))
      expect((yield* runJson(scripted.keyless, ...args)).answer).toMatchObject({
        error: { name: "NoRoute", code: "NO_ROUTE" }
      })
    })
  )
})

describe("geoswap quote with a wallet", () => {
  it.live("shows a quote for the wallet, not an indicative price", () =>
    Effect.gen(function* () {
      const scripted = yield* openWithoutKey
      const wallet = Vectors.evmKey.address
      for (const [workspace, more] of [
        [scripted.workspace, []],
        [scripted.keyless, ["--wallet-address", wallet]],
        [scripted.keyless, ["--wallet", wallet]]
      ] as const) {
        const { answer, code } = yield* runJson(workspace, ...args, ...more)
        expect([code, schemaErrors("cli-quote", answer)]).toEqual([0, []])
        const { quote } = answer as { readonly quote: { readonly wallet: string } }
        expect(quote.wallet.toLowerCase()).toBe(wallet.toLowerCase())
        expect(quote).toHaveProperty("expiresAt")
        expect(quote).not.toHaveProperty("indicative")
      }
      for (const body of bodiesOf(scripted)) expect(body).not.toHaveProperty("indicative")
    })
  )

  it.live("shows an indicative price with --indicative, even if the wallet has no balance", () =>
    Effect.gen(function* () {
      const scripted = yield* openWithoutKey
      const { answer, code } = yield* runJson(scripted.workspace, ...args, "--indicative")
      expect([code, answer]).toMatchObject([0, { quote: { indicative: true } }])
      const [body] = bodiesOf(scripted)
      expect(body).toMatchObject({ indicative: true })
      expect(body).not.toHaveProperty("walletAddress")
      const shown = yield* run(scripted.workspace, ...args, "--indicative")
      expect(shown.stdout).toMatch(/^This price is indicative\. A quote for a wallet may differ\.$/m)
      const both = yield* run(scripted.workspace, ...args, "--indicative", "--wallet-address", Vectors.evmKey.address)
      expect([both.code, both.stderr]).toEqual([
        64,
        expect.stringContaining("--indicative is a price without a wallet")
      ])
    })
  )
})
