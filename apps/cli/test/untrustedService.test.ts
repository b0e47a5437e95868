/** Services that lie about chains and tokens, or reject signatures: the user loses nothing. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Fault } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { schemaErrors } from "./jsonSchema.js"
import { nonceNode } from "./scriptedNode.js"
import { accept, run, runJson, runProcessJson } from "./runCli.js"
import { enter, openHere } from "./terminal.js"
import { open, type Scripted, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const pins = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

interface Listed {
  readonly id: number
  readonly name: string
  readonly kind?: string
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: string; readonly decimals: number }>
}

/** Sets the chains and tokens that the service lists. */
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
  it.live("gets no signature for more than the requested 10 USDC, pinned or not", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      list(scripted, lying)
      for (const chains of [{}, { 8453: { family: "evm" } }, pins]) {
        scripted.configure({ chains })
        const args = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept]
        const ended = yield* run(scripted.workspace, ...args)
        const paid = scripted.paid()
        expect({ paid: paid.filter((amount) => amount > tenUsdc), ended }).toEqual({ paid: [], ended })
      }
      expect(scripted.paid()).toEqual([tenUsdc])
    })
  )

  it.live("cannot raise a budget or lower a minimum output with wrong decimals", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      list(scripted, lying)
      // 10 USDC would fit this budget only if USDC had more decimals.
      const policy = { budgets: [{ token: "usdc@base", amount: "9" }] }
      for (const chains of [{}, pins]) {
        scripted.configure({ chains, policy })
        const raw = ["--amount-raw", "10000000", `${usdc}@8453`, `${weth}@42161`]
        const { code } = yield* run(scripted.workspace, "swap", ...raw, ...accept)
        expect(code).not.toBe(0)
      }
      list(scripted, [
        lying[0] as Listed,
        { id: 42161, name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 0 }] }
      ])
      for (const chains of [{}, pins]) {
        scripted.configure({ chains })
        const raw = ["--amount-raw", "10000000", `${usdc}@8453`, `${weth}@42161`, "--min-output", "1"]
        const { code } = yield* run(scripted.workspace, "swap", ...raw, "--yes")
        expect(code).not.toBe(0)
      }
      expect(scripted.paid()).toEqual([])
    })
  )

  it.live("cannot decide which chain or token a name refers to", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const impostor = "0x1111111111111111111111111111111111111111"
      // Calls Arbitrum One "Base", and lists its own token as USDC.
      list(scripted, [
        { id: 42161, name: "Base", tokens: [{ symbol: "USDC", address: impostor, decimals: 6 }] },
        { id: 8453, name: "Arbitrum", tokens: [{ symbol: "WETH", address: impostor, decimals: 18 }] }
      ])
      scripted.configure({})
      const { code } = yield* runJson(scripted.workspace, "swap", "10", "usdc@base", "weth@arbitrum", ...accept)
      expect(code).not.toBe(0)
      expect(scripted.paid()).toEqual([])
      expect(scripted.service.seen("quote")).toEqual([])
    })
  )
})

describe("a service that returns a flag as a swap id", () => {
  it.live("cannot put it into a command that the user pastes", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      scripted.rewrite("submit", (body) =>
        JSON.stringify({ ...(JSON.parse(body) as object), swapId: "--url=https://evil.example" })
      )
      const args = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept]
      const { answer, stderr } = yield* runProcessJson(scripted.workspace, ...args)
      expect(answer).toMatchObject({ error: { name: "OutcomeUnknown", retry: "resume" } })
      expect(`${JSON.stringify(answer)}${stderr}`).not.toContain("--url")
    })
  )
})

describe("a service at another --url", () => {
  it.live("never gets the API key, whatever the command", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      const keys: Array<unknown> = []
      const other = yield* Effect.acquireRelease(
        Effect.callback<Server>((resume) => {
          const server = createServer(({ headers }, response) => {
            keys.push(headers["x-api-key"])
            response.writeHead(401).end("{}")
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close().closeAllConnections())
      )
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      const commands = [["doctor"], ["chains"], ["status", "s-1"], ["quote", "10", "usdc@base", "weth@arbitrum"]]
      for (const command of commands) {
        const { code, stdout } = yield* run(scripted.workspace, ...command, "--url", url, "--json")
        expect([command, code]).not.toEqual([command, 0])
        expect(stdout).toContain(`GEOSWAP_API_KEY is not sent to ${url}.`)
      }
      // The doctor checks without a key whether the service responds.
      expect(keys).toEqual([undefined])
    })
  )
})

describe("a service that lies about the price", () => {
  const tenFor = ["swap", "10", "usdc@base", "weth@arbitrum", "--slippage", "0"]

  /** Offers 1,000 wei for 10 USDC, and claims that both are worth $10. */
  const lie = (scripted: Scripted) => {
    scripted.service.price(1)
    scripted.rewrite("quote", (body) =>
      JSON.stringify({ ...(JSON.parse(body) as object), inputUsd: "10.00", outputUsd: "10.00", priceImpactBps: 0 })
    )
  }
  const ownPrices = { prices: { "usdc@base": "1", "weth@arbitrum": "2500" } }

  it.live("hears nothing of a swap with --yes and without a minimum, and gets no signature", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      lie(scripted)
      // A fixed minimum output does not depend on the amount, and a price alone allows any loss.
      const fixed = { minOutput: [{ token: "weth@arbitrum", amount: "0.0000000000000001" }] }
      for (const policy of [{}, fixed, ownPrices, { ...ownPrices, prices: { "usdc@base": "1" }, maxLossBps: 100 }]) {
        scripted.configure({ chains: pins, policy })
        const refused = yield* runJson(scripted.workspace, ...tenFor, "--yes")
        expect([refused.code, refused.answer]).toMatchObject([
          64,
          {
            error: {
              name: "UsageError",
              next: expect.stringContaining("--min-output <amount>: the least WETH") as unknown
            }
          }
        ])
        expect(schemaErrors("cli-error", refused.answer)).toEqual([])
      }
      const unpinned = ["swap", "--amount-raw", "10000000", `${usdc}@8453`, `${weth}@42161`, "--yes"]
      scripted.configure({})
      expect((yield* run(scripted.workspace, ...unpinned)).code).toBe(64)
      expect(scripted.service.seen("chains")).toEqual([])
      expect(scripted.service.seen("quote")).toEqual([])
      expect(scripted.paid()).toEqual([])
    })
  )

  it.live("gets no signature below the minimum of a flag or of the user's own prices", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      lie(scripted)
      const refusals = [
        [{}, ["--min-output", "0.0039"]],
        [ownPrices, ["--max-loss", "1"]],
        [ownPrices, ["--max-loss", "99.99%"]],
        [{ ...ownPrices, maxLossBps: 100 }, []],
        // The stricter value applies.
        [{ ...ownPrices, maxLossBps: 100 }, ["--min-output-raw", "2"]],
        [{ ...ownPrices, maxLossBps: 100 }, ["--max-loss", "99.99"]]
      ] as const
      for (const [policy, flags] of refusals) {
        scripted.configure({ chains: pins, policy })
        const refused = yield* runJson(scripted.workspace, ...tenFor, "--yes", ...flags)
        expect([flags, refused.code, refused.answer]).toMatchObject([
          flags,
          3,
          {
            error: { name: "PolicyViolation", message: expect.stringContaining("minOutput allows at least") as unknown }
          }
        ])
      }
      expect(scripted.paid()).toEqual([])
      // 10 USDC at $1 for 1,000 wei at $10,000,000,000,000,000 each.
      scripted.configure({
        chains: pins,
        policy: { prices: { "usdc@base": "1", "weth@arbitrum": "10000000000000000" }, maxLossBps: 0 }
      })
      expect((yield* run(scripted.workspace, ...tenFor, "--yes")).code).toBe(0)
      expect(scripted.paid()).toEqual([tenUsdc])
    })
  )

  it.live("cannot make a meaningless minimum enough", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      lie(scripted)
      scripted.configure({ chains: pins, policy: { prices: { "usdc@base": "1" } } })
      for (const [flags, message] of [
        [["--min-output", "0"], /greater than zero/],
        [["--min-output-raw", "0"], /greater than zero/],
        [["--min-output-raw", "1"], /one unit limits nothing/],
        [["--max-loss", "1"], /requires your own prices of USDC on Base \(8453\) and WETH on Arbitrum \(42161\)/],
        [["--max-loss", "100"], /from 0% to 99\.99%/]
      ] as const) {
        const { code, stderr } = yield* run(scripted.workspace, ...tenFor, "--yes", ...flags)
        expect([flags, code, stderr]).toEqual([flags, 64, expect.stringMatching(message)])
      }
      for (const policy of [
        { prices: { "usdc@base": "0.00" } },
        { prices: { "dai@base": "1" } },
        { ...ownPrices, maxLossBps: 10_000 }
      ]) {
        scripted.configure({ chains: pins, policy })
        const { code, stderr } = yield* run(scripted.workspace, ...tenFor, ...accept)
        expect([code, stderr]).toEqual([1, expect.stringMatching(/policy\.(prices|maxLossBps)/)])
      }
      expect(scripted.service.seen("quote")).toEqual([])
    })
  )

  it.live("shows its terms to a person without --yes, and in a dry run", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      lie(scripted)
      scripted.configure({ chains: pins })
      expect((yield* run(scripted.workspace, ...tenFor, "--dry-run", "--yes")).code).toBe(0)
      const piped = yield* run(scripted.workspace, ...tenFor)
      expect([piped.code, piped.stderr]).toEqual([
        3,
        expect.stringContaining("Pass --yes if you are sure, with --min-output")
      ])
      const terminal = yield* openHere(scripted.workspace, ...tenFor)
      yield* terminal.shows("Sign this?")
      terminal.type("n")
      expect((yield* terminal.ended).code).toBe(3)
      expect(scripted.paid()).toEqual([])
    })
  )
})

describe("a service that accepts a swap and then denies it", () => {
  it.live("leaves a swap that the user can close by hand", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      scripted.service.always("status", Fault.refuse(404, "SWAP_NOT_FOUND"))
      const args = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept]
      const { answer, code } = yield* runProcessJson(scripted.workspace, ...args)
      expect({ answer, code }).toMatchObject({
        code: 4,
        answer: { error: { name: "OutcomeUnknown", retry: "resume" } }
      })
      const { flowId, next } = (answer as { readonly error: { readonly flowId: string; readonly next: string } }).error
      expect(next).toMatch(/^Do not start the swap again/)
      expect(next).toContain(`geoswap forget ${flowId}`)
      const resumed = yield* runProcessJson(scripted.workspace, "resume", flowId)
      expect(resumed.code).toBe(4)
      expect(JSON.stringify(resumed.answer)).toContain(next)
      expect((yield* run(scripted.workspace, "forget", flowId, "--yes")).code).toBe(0)
      expect(yield* runProcessJson(scripted.workspace, "resume", flowId)).toMatchObject({ code: 1 })
    })
  )
})

describe("a service that rejects a signature", () => {
  it.live("gets no second signature that could also be executed, and the error says how to resume", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      scripted.giveNewNonces()
      scripted.service.always("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
      const args = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept]
      const { answer, code } = yield* runProcessJson(scripted.workspace, ...args)
      expect(scripted.nonces().size).toBe(1)
      expect({ answer, code }).toMatchObject({
        code: 4,
        answer: { error: { name: "OutcomeUnknown", retry: "resume", flowId: expect.any(String) as unknown } }
      })
      const { flowId, next } = (answer as { readonly error: { readonly flowId: string; readonly next: string } }).error
      expect(next).toMatch(new RegExp(`geoswap resume ${flowId}$`))
      // The unfinished swap stops another attempt.
      expect((yield* run(scripted.workspace, ...args)).code).toBe(1)
      expect(scripted.nonces().size).toBe(1)
    })
  )

  it.live("gets no delegation for a nonce that the user's node does not confirm", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const args = ["swap", "10", "usdc@base", "weth@arbitrum", ...accept]
      const at = (rpcUrl: string) => ({ chains: { ...pins, 8453: { ...pins[8453], rpcUrl } } })
      scripted.configure(at(yield* nonceNode(8453, 7)))
      const refused = yield* run(scripted.workspace, ...args)
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/nonce/i)])
      const built = scripted.service.seen("build-geo-op").filter(({ body }) => body["authorization"] !== undefined)
      expect([scripted.paid(), built]).toEqual([[], []])
      scripted.configure(at(yield* nonceNode(8453, 0)))
      expect((yield* run(scripted.workspace, ...args)).code).toBe(0)
    })
  )
})

/** The arguments of a swap with a slippage. */
const swapAt = (bps: string) => ["swap", "10", "usdc@base", "weth@arbitrum", "--slippage-bps", bps]

describe("a slippage above 5%", () => {
  it.live("needs --accept-slippage and shows the amount at risk; --yes is not enough", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      const refused = yield* runJson(scripted.workspace, ...swapAt("1000"), ...accept)
      expect(refused).toMatchObject({
        code: 3,
        answer: {
          error: {
            name: "Declined",
            message: expect.stringMatching(
              /Slippage of 10% puts 0\.000000000001 WETH \(1000000 units\) at risk: the swap may deliver as little as 0\.000000000009 WETH \(9000000 units\)\. Nothing was signed\./
            ) as unknown,
            next: expect.stringContaining("--accept-slippage 10.") as unknown,
            slippage: { bps: 1000, high: true, atRiskRaw: "1000000", minOutputRaw: "9000000", symbol: "WETH" }
          }
        }
      })
      expect(schemaErrors("cli-error", refused.answer)).toEqual([])
      for (const flags of [[...accept, "--accept-slippage", "9.99"], ["--accept-slippage", "10"], []]) {
        expect((yield* run(scripted.workspace, ...swapAt("1000"), ...flags)).code).toBe(3)
      }
      expect(scripted.paid()).toEqual([])

      const dry = yield* runJson(scripted.workspace, ...swapAt("1000"), "--dry-run")
      expect(schemaErrors("cli-dry-run", dry.answer)).toEqual([])
      expect(dry.answer).toMatchObject({ quote: { slippage: { bps: 1000, high: true, atRiskRaw: "1000000" } } })

      const accepted = yield* run(scripted.workspace, ...swapAt("820"), ...accept, "--accept-slippage", "8.2")
      expect(accepted.code).toBe(0)
      expect((yield* run(scripted.workspace, ...swapAt("500"), ...accept)).code).toBe(0)
      expect(scripted.paid()).toEqual([tenUsdc, tenUsdc])
    })
  )

  it.live("asks for a typed yes at a terminal, with the amount at risk", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      for (const [typed, code] of [
        ["y", 3],
        ["yes", 0]
      ] as const) {
        const terminal = yield* openHere(scripted.workspace, ...swapAt("1000"))
        yield* terminal.shows('0.000000000001 WETH at risk. Sign this? (type "yes")')
        terminal.type(typed + enter)
        expect((yield* terminal.ended).code).toBe(code)
      }
      expect(scripted.paid()).toEqual([tenUsdc])
    })
  )
})

describe("a mistyped address", () => {
  const recipient = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
  // The second to last digit differs.
  const mistyped = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92256"

  it.live("is refused as a recipient, wallet, token and in the configuration", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains: pins })
      const args = ["10", "usdc@base", "weth@arbitrum"]
      const lines = [
        ["swap", ...args, "--recipient", mistyped, ...accept],
        ["swap", ...args, "--wallet", mistyped, ...accept],
        ["quote", ...args, "--wallet-address", mistyped],
        ["swap", "--amount-raw", "1", `${usdc.replace("fCD6", "fcD6")}@base`, "weth@arbitrum", ...accept]
      ]
      for (const line of lines) {
        const ended = yield* run(scripted.workspace, ...line)
        expect([line, ended.code]).not.toEqual([line, 0])
        expect([line, ended.stderr]).toEqual([line, expect.stringMatching(/invalid EIP-55 checksum[^]*Compare every/)])
      }
      scripted.configure({ chains: pins, policy: { allowedRecipients: [mistyped] } })
      const configured = yield* run(scripted.workspace, "chains")
      expect([configured.code, configured.stderr]).toEqual([
        1,
        expect.stringContaining("policy.allowedRecipients.0 is invalid: expected an address")
      ])
      expect(scripted.paid()).toEqual([])

      scripted.configure({ chains: pins })
      for (const spelled of [recipient, recipient.toLowerCase(), `0x${recipient.slice(2).toUpperCase()}`]) {
        expect((yield* run(scripted.workspace, "swap", ...args, "--recipient", spelled, ...accept)).code).toBe(0)
      }
    })
  )
})
