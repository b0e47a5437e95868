/** Budgets and idempotency keys across runs and processes, with a scripted service. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { Fault } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { accept, cli, run, runJson, start, until } from "./runCli.js"
import { open, type Scripted, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const chains = {
  8453: {
    family: "evm",
    name: "Base",
    tokens: [
      { symbol: "USDC", address: usdc, decimals: 6 },
      { symbol: "GEO", address: "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC", decimals: 9 }
    ]
  },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

const budget = (amount: string, window?: string) => ({
  chains,
  policy: { budgets: [{ token: "usdc@base", amount, ...(window !== undefined && { window }) }] }
})

const swap = (amount: string, ...flags: ReadonlyArray<string>) => [
  "swap",
  amount,
  "usdc@base",
  "weth@arbitrum",
  ...accept,
  ...flags
]

const storeOf = ({ workspace }: Scripted) => join(workspace.environment["HOME"] ?? "", ".local/state/geoswap/store")

describe("a budget", () => {
  it.live("is shared by all runs and by services at other URLs", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const otherService = yield* open
      for (const window of [undefined, "total", "day", "hour"]) {
        scripted.configure(budget("10", window))
        const first = yield* run(scripted.workspace, ...swap("7"))
        // All windows count the same signatures, so the first swap uses up the others.
        expect([window, first.code]).toEqual([window, window === undefined ? 0 : 3])
        const second = yield* runJson(scripted.workspace, ...swap("7"))
        expect(second).toMatchObject({
          code: 3,
          answer: { error: { message: expect.stringMatching(/budgets allows 3 USDC more/) as unknown } }
        })
      }
      const environment = { ...scripted.workspace.environment, GEOSWAP_URL: otherService.url }
      const moved = yield* runJson({ ...scripted.workspace, environment }, ...swap("7"))
      expect(moved).toMatchObject({ code: 3 })
      expect([scripted.paid(), otherService.paid()]).toEqual([[7_000_000n], []])
      const folder = storeOf(scripted)
      const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
        (path) => statSync(path).mode & 0o077
      )
      expect(new Set(modes)).toEqual(new Set([0]))
    })
  )

  it.live("is not used by a dry run, and is zero for a token that is not listed", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure(budget("10"))
      for (let times = 0; times < 3; times++) {
        expect((yield* run(scripted.workspace, ...swap("7", "--dry-run"))).code).toBe(0)
      }
      const other = yield* runJson(scripted.workspace, "swap", "1", "geo@base", "weth@arbitrum", ...accept)
      expect(other).toMatchObject({
        code: 3,
        answer: { error: { name: "PolicyViolation", message: expect.stringContaining("budgets") as unknown } }
      })
      expect((yield* run(scripted.workspace, ...swap("10"))).code).toBe(0)
      expect(scripted.paid()).toEqual([10_000_000n])
    })
  )
})

describe("an idempotency key", () => {
  it.live("runs a swap only once, and refuses another request", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      const first = yield* runJson(scripted.workspace, ...swap("10", "--idempotency-key", "order-1"))
      expect(first).toMatchObject({ code: 0, answer: { swap: { status: "settled" } } })
      const { swapId } = (first.answer as { readonly swap: { readonly swapId: string } }).swap
      const again = yield* runJson(scripted.workspace, ...swap("10", "--idempotency-key", "order-1"))
      expect(again).toMatchObject({ code: 0, answer: { swap: { swapId, status: "settled" } } })
      expect(schemaErrors("cli-swap", again.answer)).toEqual([])
      const other = yield* runJson(scripted.workspace, ...swap("11", "--idempotency-key", "order-1"))
      expect(other).toMatchObject({ code: 1, answer: { error: { name: "IdempotencyConflict", retry: "never" } } })
      expect(schemaErrors("cli-error", other.answer)).toEqual([])
      expect((yield* run(scripted.workspace, ...swap("10", "--idempotency-key", ""))).code).toBe(64)
      expect(scripted.service.swaps).toHaveLength(1)
    })
  )

  it.live("resumes a swap whose process was killed, while a run without the key is refused", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.next("submit", Fault.hang({ after: true }))
      const args = swap("10", "--idempotency-key", "order-2")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const started = yield* start(scripted.workspace, cli, args)
          yield* until(() => scripted.service.swaps.length > 0, "an accepted swap")
          started.process.kill("SIGKILL")
          expect((yield* started.ended).code).toBe("SIGKILL")
        })
      )
      const plain = yield* run(scripted.workspace, ...swap("10"))
      expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/is unfinished[^]*geoswap resume /)])
      expect((yield* run(scripted.workspace, ...args)).code).toBe(0)
      expect(scripted.service.swaps).toHaveLength(1)
    })
  )
})
