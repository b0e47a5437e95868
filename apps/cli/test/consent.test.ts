/** Malicious services that attack the question before a signature. */
import { Fault, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem"
import { expect, vi } from "vitest"
import { nonceNode } from "./scriptedNode.js"
import { accept, run, runJson, runProcessJson } from "./runCli.js"
import { openHere } from "./terminal.js"
import { open, type Scripted, usdc, weth, withTotalCost } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const chains = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

const swapArgs = ["swap", "10", "usdc@base", "weth@arbitrum"]

/** Everything that was signed and sent: swaps, and authorizations in build requests. */
const signatures = (scripted: Scripted) => [
  ...scripted.paid(),
  ...scripted.service.seen("build-geo-op").filter(({ body }) => body["authorization"] !== undefined)
]

const flood = Fault.alter((quote) => ({
  ...quote,
  warnings: Array.from({ length: 200_000 }, () => "x")
}))

/** Adds a field to a quote, nested this deep. */
const deep = (levels: number) => (body: string) =>
  withTotalCost(body).replace(/\}$/, `,"own":${"[".repeat(levels)}${"]".repeat(levels)}}`)

describe("a quote that is too large to show", () => {
  it.live("is not signed without consent if it has 200,000 warnings", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always("quote", flood)
      for (const flags of [[], ["--json-lines"]]) {
        const ended = yield* run(scripted.workspace, ...swapArgs, ...flags)
        expect([flags, ended.code, signatures(scripted)]).toEqual([flags, 3, []])
      }
      expect((yield* run(scripted.workspace, ...swapArgs, ...accept)).stdout).toMatch(/and \d+ more$/m)
    })
  )

  it.live("is not signed without consent if it is nested 100,000 levels deep, or as deep as a response may be", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.rewrite("quote", deep(100_000))
      const refused = yield* run(scripted.workspace, ...swapArgs, "--json-lines")
      expect([refused.code, signatures(scripted)]).toEqual([1, []])
      scripted.rewrite("quote", deep(30))
      const ended = yield* run(scripted.workspace, ...swapArgs, "--json-lines")
      expect([ended.code, signatures(scripted)]).toEqual([3, []])
      const lines = ended.stdout.trim().split("\n")
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { type: "quoted" },
        { error: { name: "Declined" } }
      ])
    })
  )

  it.live("shows the signed fields directly above the question at a terminal", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always("quote", flood)
      const terminal = yield* openHere(scripted.workspace, ...swapArgs)
      yield* terminal.shows("Sign this?")
      expect(terminal.screen()).toMatch(
        /and \d+ more[^]*\nPay +10 USDC \(10000000 units\).*\r?\n.*\r?\nFrom .*\r?\nAt least .*\r?\n.*\r?\nTo +0x\w{40} \(the same wallet\)\s+\? The price is valid for 30 s\. Sign this/
      )
      terminal.type("n")
      expect((yield* terminal.ended).code).toBe(3)
      expect(signatures(scripted)).toEqual([])
    })
  )

  it.live("does not lower the accepted minimum as a requote", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      scripted.configure({ chains })
      // The second quote equals the first. The third is lower, and cannot be shown.
      let quotes = 0
      scripted.rewrite("quote", (body) => {
        quotes++
        if (quotes === 2) service.price(9_000)
        return quotes === 3 ? deep(100_000)(body) : withTotalCost(body)
      })
      service.next("build-geo-op", Fault.refuse(410, "QUOTE_EXPIRED"))
      service.next("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
      service.delegate(8453, Vectors.evmKey.address)
      const ended = yield* run(scripted.workspace, ...swapArgs, ...accept, "--json-lines")
      expect([quotes, ended.code, scripted.paid().length]).toEqual([3, 4, 1])
    })
  )
})

describe("a refusal after a signature was submitted", () => {
  it.live("exits with 4 and the flow to resume, never with 3", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      scripted.configure({ chains })
      let quotes = 0
      scripted.rewrite("quote", (body) => {
        quotes++
        service.price(9_000)
        return withTotalCost(body)
      })
      service.next("submit", Fault.refuse(422, "SLIPPAGE"))
      const { answer, code, stderr } = yield* runJson(scripted.workspace, ...swapArgs, ...accept)
      expect({ quotes, code, answer, paid: scripted.paid().length }).toMatchObject({
        quotes: 2,
        code: 4,
        answer: {
          error: {
            name: "OutcomeUnknown",
            retry: "resume",
            flowId: expect.any(String) as unknown,
            next: expect.stringMatching(/geoswap resume \S+$/) as unknown
          }
        },
        paid: 1
      })
      expect(JSON.stringify(answer) + stderr).not.toContain("Nothing was signed")
    })
  )
})

describe("a delegation as the service describes it", () => {
  const drawn = "\u001B[2J\u001B[1;1HPay         10 USDC (10000000 units) on Base\u001B[?7l\u001B[13;999H"

  it.live("shows the contract that is signed for, without control sequences of the service", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always(
        "delegation",
        Fault.alter((state) => ({ ...state, delegatedTo: drawn }))
      )
      const [delegate] = Vectors.evmDeployment.delegates ?? []
      for (const line of [swapArgs, [...swapArgs, "--dry-run"], ["delegation", "base"]]) {
        const { stderr, stdout } = yield* run(scripted.workspace, ...line)
        expect([line, stdout.toLowerCase()]).toEqual([line, expect.stringContaining(String(delegate).toLowerCase())])
        expect([line, (stdout + stderr).includes("\u001B")]).toEqual([line, false])
      }
      expect(signatures(scripted)).toEqual([])
    })
  )

  it.live("is not signed if the code on the user's node does not match the pinned code hash", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const code = "0x6001"
      const rpcUrl = yield* nonceNode(8453, 0, code)
      const at = (codeHash: string) => ({
        chains: { ...chains, 8453: { ...chains[8453], rpcUrl } },
        deployments: { 8453: { ...Vectors.evmDeployment, codeHash } }
      })
      scripted.configure(at(keccak256("0x6002")))
      const refused = yield* run(scripted.workspace, ...swapArgs, ...accept)
      expect([refused.code, refused.stderr, signatures(scripted)]).toEqual([3, expect.stringContaining("codeHash"), []])
      scripted.configure(at(keccak256(code)))
      expect((yield* run(scripted.workspace, ...swapArgs, ...accept)).code).toBe(0)
    })
  )
})

describe("an unknown total cost", () => {
  it.live("is treated as high: it needs --accept-cost, and --yes is not enough", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.rewrite("quote", (body) => body)
      const { answer, code } = yield* runJson(scripted.workspace, ...swapArgs, ...accept)
      expect([code, answer]).toMatchObject([
        3,
        { error: { name: "Declined", message: expect.stringContaining("is unknown") as unknown } }
      ])
      expect(signatures(scripted)).toEqual([])
      expect((yield* run(scripted.workspace, ...swapArgs, ...accept, "--accept-cost")).code).toBe(0)
    })
  )
})

describe("a service that reports an accepted swap as failed", () => {
  it.live("gets no second signature, and the flow stays unfinished until the user's node confirms it", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      const rpcUrl = yield* nonceNode(8453, 0)
      scripted.configure({ chains: { ...chains, 8453: { ...chains[8453], rpcUrl } } })
      service.ends("never")
      const timedOut = yield* runProcessJson(scripted.workspace, ...swapArgs, ...accept, "--timeout", "2")
      expect(timedOut).toMatchObject({ code: 4, answer: { error: { name: "WaitTimeout" } } })
      const { swapId } = (timedOut.answer as { readonly error: { readonly swapId: string } }).error
      service.always("status", Fault.garbage(JSON.stringify({ swapId, status: "failed" })))
      const again = yield* run(scripted.workspace, ...swapArgs, ...accept)
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is unfinished")])
      expect(scripted.paid()).toHaveLength(1)

      // It asks the node again and again.
      const status = yield* run({ ...scripted.workspace, clock: { pace: 20 } }, "status", swapId)
      expect(status.stderr).toMatch(/stays unfinished\. Resume it: geoswap resume \S+/)
      const { answer } = yield* runJson(scripted.workspace, "history")
      expect((answer as { readonly unfinished: ReadonlyArray<object> }).unfinished).toHaveLength(1)
    })
  )
})
