/** Errors in a command line or a swap: what they say, and their exit codes. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Fault, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { accept, run, runJson } from "./runCli.js"
import { enter, openHere } from "./terminal.js"
import { open, type Scripted, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const chains = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

const swapArgs = ["swap", "10", "usdc@base", "weth@arbitrum"]

const scriptedWith = (fields: object = {}): Effect.Effect<Scripted, never, Effect.Services<typeof open>> =>
  Effect.map(open, (scripted) => {
    scripted.configure({ chains, ...fields })
    return scripted
  })

describe("an invalid swap", () => {
  it.live("reports which part is missing, and rejects the same token on both sides", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scriptedWith()
      for (const [args, message] of [
        [["10", "usdc@base"], "The token to receive is missing."],
        [["usdc@base"], "The token to receive is missing."],
        [["--max", "usdc@base"], "The token to receive is missing."],
        [["10"], "The tokens are missing."],
        [["usdc@base", "weth@arbitrum"], "The amount is missing."],
        [["10", "usdc@base", `${usdc.toLowerCase()}@8453`], "Both sides are the same token: USDC on Base (8453)."]
      ] as const) {
        for (const command of ["quote", "swap"]) {
          const { answer, code } = yield* runJson(workspace, command, ...args)
          expect([args, code, answer]).toMatchObject([args, 64, { error: { name: "UsageError", message } }])
        }
      }
    })
  )
})

describe("amounts in errors", () => {
  it.live("are in tokens", () =>
    Effect.gen(function* () {
      const budgets = [{ token: "usdc@base", amount: "2.5", window: "day" }]
      const { service, workspace } = yield* scriptedWith()
      const minimum = yield* run(workspace, ...swapArgs, "--yes", "--min-output", "1.5")
      expect([minimum.code, minimum.stderr]).toEqual([
        3,
        expect.stringMatching(/allows at least 1\.5 WETH, but the value is 0\.\d+ WETH\./)
      ])
      const details = { balance: "2000000", inFlight: "500000" }
      service.always("quote", Fault.refuse(422, "INSUFFICIENT_BALANCE", "The wallet has 2000000.", details))
      const poor = yield* run(workspace, "quote", "10", "usdc@base", "weth@arbitrum")
      expect([poor.code, poor.stderr]).toEqual([
        1,
        expect.stringContaining("The wallet has 1.5 USDC on Base, but the swap requires 10 USDC.")
      ])
      service.always("quote", Fault.refuse(422, "NEEDS_LARGER_SIZE", "Too small.", { minimum: "12000000" }))
      const small = yield* runJson(workspace, "quote", "10", "usdc@base", "weth@arbitrum", "--indicative")
      expect(small.answer).toMatchObject({
        error: {
          name: "AmountTooSmall",
          message: "The amount is too small to cover the network cost. The swap requires at least 12 USDC.",
          minimumRaw: "12000000"
        }
      })
      service.always("quote", Fault.refuse(422, "NEEDS_SMALLER_SIZE", "Too large.", { maximum: "7500000" }))
      const large = yield* runJson(workspace, "quote", "10", "usdc@base", "weth@arbitrum")
      expect(large.answer).toMatchObject({
        error: {
          name: "AmountTooLarge",
          message: "The amount is too large to swap at once. The service swaps at most 7.5 USDC at once.",
          maximumRaw: "7500000"
        }
      })
      const limited = yield* scriptedWith({ policy: { budgets } })
      const spent = yield* run(limited.workspace, ...swapArgs, ...accept)
      expect([spent.code, spent.stderr]).toEqual([
        3,
        expect.stringContaining("budgets allows 2.5 USDC more (day), but the value is 10 USDC.")
      ])
    })
  )
})

describe("the recipient", () => {
  it.live("is shown as the user's own Solana wallet", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scriptedWith()
      const { address, secretKey } = Vectors.solanaKey
      const environment = { ...workspace.environment, GEOSWAP_SOLANA_KEY: secretKey }
      const quote = ["quote", "10", "usdc@base", "native@solana", "--recipient"]
      const own = yield* run({ ...workspace, environment }, ...quote, address)
      expect(own.stdout).toContain(`${address} (your Solana wallet)`)
      const other = yield* run(workspace, ...quote, address)
      expect(other.stdout).toContain(`${address} (a different wallet)`)
    })
  )
})

describe("the default recipient on a chain of the other family", () => {
  const args = ["usdc@base", "native@solana"]

  it.live("is the user's own key for that family, and the terms show it", () =>
    Effect.gen(function* () {
      const { service, workspace } = yield* scriptedWith()
      const { address, secretKey } = Vectors.solanaKey
      const environment = { ...workspace.environment, GEOSWAP_SOLANA_KEY: secretKey }
      const own = yield* run({ ...workspace, environment }, "quote", "10", ...args)
      expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`${address} (your Solana wallet)`)])
      const dry = yield* run({ ...workspace, environment }, "swap", "10", ...args, "--dry-run")
      expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining(`to ${address}.`)])
      expect(service.seen("quote").map(({ body }) => body["recipient"])).toEqual([address, address])
    })
  )

  it.live("is missing if there is no such key", () =>
    Effect.gen(function* () {
      const { service, workspace } = yield* scriptedWith()
      for (const command of ["quote", "swap"]) {
        const { answer, code } = yield* runJson(workspace, command, "10", ...args)
        expect([code, answer]).toMatchObject([
          64,
          { error: { message: "A swap from EVM to Solana requires a recipient." } }
        ])
      }
      expect(service.seen("quote")).toEqual([])
    })
  )
})

describe("the swaps of this machine", () => {
  it.live("are found by the start of their id, and an unknown id is explained", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scriptedWith()
      expect((yield* run(workspace, ...swapArgs, ...accept)).code).toBe(0)
      const { answer } = yield* runJson(workspace, "history")
      const [swap] = (answer as { swaps: ReadonlyArray<{ swapId: string; flowId: string }> }).swaps
      const { flowId = "", swapId = "" } = swap ?? {}
      for (const id of [swapId, swapId.slice(0, -1), flowId]) {
        const status = yield* runJson(workspace, "status", id)
        expect([id, status.code, status.answer]).toMatchObject([id, 0, { swap: { swapId } }])
      }
      const unknown = yield* run(workspace, "status", "nowhere")
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        expect.stringMatching(/no record of this swap\.\n[^]*'geoswap history' lists the swaps/)
      ])
      expect(unknown.stderr).not.toContain("submit")
    })
  )

  it.live("predict how long the next swap between the same chains takes", () =>
    Effect.gen(function* () {
      const { url, workspace } = yield* scriptedWith()
      const quote = ["quote", "10", "usdc@base", "weth@arbitrum"]
      expect((yield* run(workspace, ...quote)).stdout).not.toContain("Expected time")
      const folder = new URL(url).host.replace(":", "%3A")
      const file = join(workspace.environment["HOME"] ?? "", ".local", "state", "geoswap", folder, "history.jsonl")
      const entry = (swapId: string, seconds: number, from = 8453) => ({
        swapId,
        status: "settled",
        evidence: "claimed",
        updatedAt: new Date(0).toISOString(),
        from: { chainId: from, token: usdc, raw: "1" },
        to: { chainId: 42161, token: weth, raw: "1" },
        acceptedAt: new Date(0).toISOString(),
        finishedAt: new Date(seconds * 1000).toISOString()
      })
      const entries = [entry("a", 3), entry("b", 7.2), entry("c", 600), entry("d", 900, 1), entry("e", 900, 1)]
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, entries.map((one) => `${JSON.stringify(one)}\n`).join(""), { mode: 0o600 })
      expect((yield* run(workspace, ...quote)).stdout).toMatch(/^Expected time +about 7 s, like your last swaps/m)
    })
  )

  it.live("are listed with their wallet, and an empty list names the services that have some", () =>
    Effect.gen(function* () {
      const { url, workspace } = yield* scriptedWith()
      const other = ["--url", "https://other.example"]
      expect((yield* run(workspace, "history")).stdout).toBe("No swaps have been started on this machine.\n")
      expect((yield* run(workspace, ...swapArgs, ...accept)).code).toBe(0)
      const { address } = Vectors.evmKey
      const listed = yield* run(workspace, "history")
      expect(listed.stdout.toLowerCase()).toContain(`${address.slice(0, 6)}…${address.slice(-4)}`.toLowerCase())
      const elsewhere = yield* run(workspace, "history", ...other)
      expect([elsewhere.code, elsewhere.stdout]).toEqual([
        0,
        `No swaps have been started on this machine with https://other.example.\nWith ${url}: 1 swap. To list it, pass --devnet or --url ${url}\n`
      ])
      const { GEOSWAP_API_KEY: _, ...environment } = workspace.environment
      const again = yield* run({ ...workspace, environment }, "history", "--url", url)
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("10 USDC on Base for")])
    })
  )
})

describe("a terminal", () => {
  it.live("is asked in lines if it cannot move the cursor", () =>
    Effect.gen(function* () {
      const { paid, workspace } = yield* scriptedWith()
      const dumb = { ...workspace, environment: { ...workspace.environment, TERM: "dumb" } }
      const declined = yield* openHere(dumb, ...swapArgs)
      yield* declined.shows("Sign this?")
      declined.type(enter)
      expect((yield* declined.ended).code).toBe(3)
      expect(paid()).toEqual([])
      const accepted = yield* openHere(dumb, ...swapArgs)
      yield* accepted.shows("Sign this?")
      accepted.type(`y${enter}`)
      const { code, screen } = yield* accepted.ended
      expect([code, screen]).toEqual([0, expect.stringContaining("settled")])
      expect(paid()).toEqual([10_000_000n])
    })
  )

  it.live("never breaks a number in the history", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scriptedWith()
      expect((yield* run(workspace, "swap", "1234567.891234", "usdc@base", "weth@arbitrum", ...accept)).code).toBe(0)
      const { swaps } = (yield* runJson(workspace, "history")).answer as {
        swaps: ReadonlyArray<{ from: { amount: string } }>
      }
      expect(swaps[0]?.from.amount).toBe("1234567.891234")
      for (const columns of [40, 60, 80, 120, 200]) {
        const environment = { ...workspace.environment, COLUMNS: `${columns}` }
        const { screen } = yield* (yield* openHere({ ...workspace, environment }, "history")).ended
        const lines = screen.trim().split(/\r?\n/)
        expect(lines.filter((line) => line.length > columns)).toEqual([])
        expect([columns, screen]).toEqual([columns, expect.stringContaining("1,234,567.89 USDC")])
        expect(screen).toMatch(/just now|\d+ (second|minute)s? ago/)
      }
    })
  )
})
