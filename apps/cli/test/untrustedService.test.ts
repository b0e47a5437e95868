/** A service that lies about chains and tokens, and what that costs the user: nothing. */
import { Fault } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { mistakesOf } from "./jsonSchema.js"
import { nonceNode } from "./scriptedNode.js"
import { run, runJson } from "./runCli.js"
import { enter, hasPty, open as openTerminal } from "./pty.js"
import { open, type Scripted, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const pins = {
  8453: { kind: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { kind: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

interface Listed {
  readonly id: number
  readonly name: string
  readonly kind?: string
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: string; readonly decimals: number }>
}

/** What the service says about its chains and tokens. */
const list = ({ service }: Scripted, chains: ReadonlyArray<Listed>) =>
  service.always(
    "chains",
    Fault.alter(() => ({ chains: chains.map((chain) => ({ kind: "evm", ...chain })) }))
  )

/** The real address of USDC with 9 decimals, as if 10 USDC were 10,000. */
const lying: ReadonlyArray<Listed> = [
  { id: 8453, name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 9 }] },
  { id: 42161, name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
]

const tenUsdc = 10_000_000n

describe("a service that lies about tokens", () => {
  it.live("gets no signature for more than 10 USDC where 10 were asked for, pinned or not", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      list(scripted, lying)
      for (const chains of [{}, { 8453: { kind: "evm" } }, pins]) {
        scripted.configure({ chains })
        const words = ["swap", "10", "usdc@base", "weth@arbitrum", "--yes"]
        const ended = yield* run(scripted.place, ...words)
        const paid = scripted.paid()
        expect({ paid: paid.filter((amount) => amount > tenUsdc), ended }).toEqual({ paid: [], ended })
      }
      expect(scripted.paid()).toEqual([tenUsdc])
    })
  )

  it.live("does not widen a budget or weaken a least output through other decimals", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      list(scripted, lying)
      // 10 USDC are within this budget only if USDC had more decimals than it has.
      const policy = { budgets: [{ token: "usdc@base", amount: "9" }] }
      for (const chains of [{}, pins]) {
        scripted.configure({ chains, policy })
        const raw = ["--amount-raw", "10000000", `${usdc}@8453`, `${weth}@42161`]
        const { code } = yield* run(scripted.place, "swap", ...raw, "--yes")
        expect(code).not.toBe(0)
      }
      list(scripted, [
        lying[0] as Listed,
        { id: 42161, name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 0 }] }
      ])
      for (const chains of [{}, pins]) {
        scripted.configure({ chains })
        const raw = ["--amount-raw", "10000000", `${usdc}@8453`, `${weth}@42161`, "--min-output", "1"]
        const { code } = yield* run(scripted.place, "swap", ...raw, "--yes")
        expect(code).not.toBe(0)
      }
      expect(scripted.paid()).toEqual([])
    })
  )

  it.live("does not decide which chain or token a name means", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const impostor = "0x1111111111111111111111111111111111111111"
      // Base under the id of Arbitrum One, and a token of the service's own that is called USDC.
      list(scripted, [
        { id: 42161, name: "Base", tokens: [{ symbol: "USDC", address: impostor, decimals: 6 }] },
        { id: 8453, name: "Arbitrum", tokens: [{ symbol: "WETH", address: impostor, decimals: 18 }] }
      ])
      scripted.configure({})
      const { code } = yield* runJson(scripted.place, "swap", "10", "usdc@base", "weth@arbitrum", "--yes")
      expect(code).not.toBe(0)
      expect(scripted.paid()).toEqual([])
      expect(scripted.service.seen("quote")).toEqual([])
    })
  )
})

describe("a service that refuses what was signed", () => {
  it.live("gets no second signature that could be executed as well, and the program says how to resume", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      scripted.giveNewNonces()
      scripted.service.always("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
      const words = ["swap", "10", "usdc@base", "weth@arbitrum", "--yes"]
      const { answer, code } = yield* runJson(scripted.place, ...words)
      expect(scripted.nonces().size).toBe(1)
      expect({ answer, code }).toMatchObject({
        code: 4,
        answer: { error: { name: "OutcomeUnknown", retry: "resume", flowId: expect.any(String) as unknown } }
      })
      const { flowId, next } = (answer as { readonly error: { readonly flowId: string; readonly next: string } }).error
      expect(next).toMatch(new RegExp(`geoswap resume ${flowId}$`))
      // Another try is stopped by what is unfinished.
      expect((yield* run(scripted.place, ...words)).code).toBe(1)
      expect(scripted.nonces().size).toBe(1)
    })
  )

  it.live("gets no delegation for a nonce that the user's own node does not confirm", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const words = ["swap", "10", "usdc@base", "weth@arbitrum", "--yes"]
      const at = (rpcUrl: string) => ({ chains: { ...pins, 8453: { ...pins[8453], rpcUrl } } })
      scripted.configure(at(yield* nonceNode(8453, 7)))
      const refused = yield* run(scripted.place, ...words)
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/nonce/i)])
      const built = scripted.service.seen("build-geo-op").filter(({ body }) => body["authorization"] !== undefined)
      expect([scripted.paid(), built]).toEqual([[], []])
      scripted.configure(at(yield* nonceNode(8453, 0)))
      expect((yield* run(scripted.place, ...words)).code).toBe(0)
    })
  )
})

/** A swap whose amounts are known, at a slippage. */
const swapAt = (bps: string) => ["swap", "10", "usdc@base", "weth@arbitrum", "--slippage-bps", bps]

describe("a slippage above 5%", () => {
  it.live("needs --accept-slippage, names the amount at risk, and takes no --yes for it", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      const refused = yield* runJson(scripted.place, ...swapAt("1000"), "--yes")
      expect(refused).toMatchObject({
        code: 3,
        answer: {
          error: {
            name: "Declined",
            message: expect.stringMatching(
              /A slippage of 10% puts 0\.000000000001 WETH \(1000000 units\) at risk: the swap may give as little as 0\.000000000009 WETH \(9000000 units\)\. Nothing was signed\./
            ) as unknown,
            next: expect.stringContaining("--accept-slippage 10.") as unknown,
            slippage: { bps: 1000, high: true, atRiskRaw: "1000000", minimumRaw: "9000000", symbol: "WETH" }
          }
        }
      })
      expect(mistakesOf("cli-error", refused.answer)).toEqual([])
      for (const flags of [["--yes", "--accept-slippage", "9.99"], ["--accept-slippage", "10"], []]) {
        expect((yield* run(scripted.place, ...swapAt("1000"), ...flags)).code).toBe(3)
      }
      expect(scripted.paid()).toEqual([])

      const dry = yield* runJson(scripted.place, ...swapAt("1000"), "--dry-run")
      expect(mistakesOf("cli-dry-run", dry.answer)).toEqual([])
      expect(dry.answer).toMatchObject({ quote: { slippage: { bps: 1000, high: true, atRiskRaw: "1000000" } } })

      const accepted = yield* run(scripted.place, ...swapAt("820"), "--yes", "--accept-slippage", "8.2")
      expect(accepted.code).toBe(0)
      expect((yield* run(scripted.place, ...swapAt("500"), "--yes")).code).toBe(0)
      expect(scripted.paid()).toEqual([tenUsdc, tenUsdc])
    })
  )

  it.live.skipIf(!hasPty)("asks at a terminal for a whole yes, with the amount at risk", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      for (const [typed, code] of [
        ["y", 3],
        ["yes", 0]
      ] as const) {
        const terminal = yield* openTerminal(scripted.place, ...swapAt("1000"))
        yield* terminal.shows('0.000000000001 WETH are at risk. Sign this? (type "yes")')
        terminal.type(typed + enter)
        expect((yield* terminal.ended).code).toBe(code)
      }
      expect(scripted.paid()).toEqual([tenUsdc])
    })
  )
})

describe("a mistyped address", () => {
  const recipient = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
  // The last digit but one is another one.
  const mistyped = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92256"

  it.live("is refused as a recipient, a wallet, a token, and in the configuration", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      const words = ["10", "usdc@base", "weth@arbitrum"]
      const lines = [
        ["swap", ...words, "--recipient", mistyped, "--yes"],
        ["swap", ...words, "--wallet", mistyped, "--yes"],
        ["quote", ...words, "--wallet-address", mistyped],
        ["swap", "--amount-raw", "1", `${usdc.replace("fCD6", "fcD6")}@base`, "weth@arbitrum", "--yes"]
      ]
      for (const line of lines) {
        const ended = yield* run(scripted.place, ...line)
        expect([line, ended.code]).not.toEqual([line, 0])
        expect([line, ended.stderr]).toEqual([line, expect.stringMatching(/wrong EIP-55 checksum[^]*check it/)])
      }
      scripted.configure({ chains: pins, policy: { allowedRecipients: [mistyped] } })
      const configured = yield* run(scripted.place, "chains")
      expect([configured.code, configured.stderr]).toEqual([
        1,
        expect.stringContaining("policy.allowedRecipients.0 should be an address")
      ])
      expect(scripted.paid()).toEqual([])

      scripted.configure({ chains: pins })
      for (const spelled of [recipient, recipient.toLowerCase(), `0x${recipient.slice(2).toUpperCase()}`]) {
        expect((yield* run(scripted.place, "swap", ...words, "--recipient", spelled, "--yes")).code).toBe(0)
      }
    })
  )
})
