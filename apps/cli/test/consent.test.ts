/** A service that attacks the question before a signature. */
import { Fault, Vectors } from "@geoswap/core/testing"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem"
import { expect, vi } from "vitest"
import { nonceNode } from "./scriptedNode.js"
import { run, runJson } from "./runCli.js"
import { hasPty, open as openTerminal } from "./pty.js"
import { open, type Scripted, usdc, weth, withImpact } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 120_000 })

const chains = {
  8453: { kind: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { kind: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

const words = ["swap", "10", "usdc@base", "weth@arbitrum"]

/** All that was signed and has left: swaps, and the authorizations that builds were sent. */
const signedFor = (scripted: Scripted) => [
  ...scripted.paid(),
  ...scripted.service.seen("build-geo-op").filter(({ body }) => body["authorization"] !== undefined)
]

const flood = Fault.alter((quote) => ({
  ...quote,
  warnings: Array.from({ length: 200_000 }, () => "x")
}))

/** A quote with a field of its own, as deep as that. */
const deep = (levels: number) => (body: string) =>
  withImpact(body).replace(/\}$/, `,"own":${"[".repeat(levels)}${"]".repeat(levels)}}`)

describe("a quote that is more than the program can show", () => {
  it.live("is not signed without a yes, with 200,000 warnings", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always("quote", flood)
      for (const flags of [[], ["--plain"], ["--json"], ["--json-lines"]]) {
        const ended = yield* run(scripted.place, ...words, ...flags)
        expect([flags, ended.code, signedFor(scripted)]).toEqual([flags, 3, []])
      }
      expect((yield* run(scripted.place, ...words, "--yes")).stdout).toMatch(/and \d+ more$/m)
    })
  )

  it.live("is not signed without a yes, nested 100,000 deep or as deep as an answer may be", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.rewrite("quote", deep(100_000))
      const refused = yield* run(scripted.place, ...words, "--json-lines")
      expect([refused.code, signedFor(scripted)]).toEqual([1, []])
      scripted.rewrite("quote", deep(30))
      const ended = yield* run(scripted.place, ...words, "--json-lines")
      expect([ended.code, signedFor(scripted)]).toEqual([3, []])
      const lines = ended.stdout.trim().split("\n")
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { type: "quoted" },
        { error: { name: "Declined" } }
      ])
    })
  )

  it.live.skipIf(!hasPty)("is asked about at a terminal, with what is signed directly above the question", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always("quote", flood)
      const terminal = yield* openTerminal(scripted.place, ...words)
      yield* terminal.shows("Sign this? (y/N)")
      expect(terminal.screen()).toMatch(
        /and \d+ more[^]*\nPay +10 USDC \(10000000 units\).*\r?\n.*\r?\nFrom .*\r?\nAt least .*\r?\n.*\r?\nTo +0x\w{40} \(the same wallet\)\s+\? Sign this/
      )
      terminal.type("n")
      expect((yield* terminal.ended).code).toBe(3)
      expect(signedFor(scripted)).toEqual([])
    })
  )

  it.live("does not lower what was agreed to when it comes as a renewed one", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      scripted.configure({ chains })
      // The second quote is as the first; the third is lower, and cannot be shown.
      let quotes = 0
      scripted.rewrite("quote", (body) => {
        quotes++
        if (quotes === 2) service.price(9_000)
        return quotes === 3 ? deep(100_000)(body) : withImpact(body)
      })
      service.next("build-geo-op", Fault.refuse(410, "QUOTE_EXPIRED"))
      service.next("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
      service.delegate(8453, Vectors.evmKey.address)
      const ended = yield* run(scripted.place, ...words, "--yes", "--json-lines")
      expect([quotes, ended.code, scripted.paid().length]).toEqual([3, 4, 1])
    })
  )
})

describe("a no after a signature has left", () => {
  it.live("ends with 4 and the flow to resume, never with 3", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      scripted.configure({ chains })
      let quotes = 0
      scripted.rewrite("quote", (body) => {
        quotes++
        service.price(9_000)
        return withImpact(body)
      })
      service.next("submit", Fault.refuse(422, "SLIPPAGE"))
      const { answer, code, stderr } = yield* runJson(scripted.place, ...words, "--yes")
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

describe("a delegation that the service describes", () => {
  const drawn = "\u001B[2J\u001B[1;1HPay         10 USDC (10000000 units) on Base\u001B[?7l\u001B[13;999H"

  it.live("shows the contract that is signed for, and nothing that the service draws", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.service.always(
        "delegation",
        Fault.alter((state) => ({ ...state, delegatedTo: drawn }))
      )
      const [delegate] = Vectors.evmDeployment.delegates ?? []
      for (const line of [words, [...words, "--dry-run"], ["delegation", "base"]]) {
        const { stderr, stdout } = yield* run(scripted.place, ...line)
        expect([line, stdout.toLowerCase()]).toEqual([line, expect.stringContaining(String(delegate).toLowerCase())])
        expect([line, (stdout + stderr).includes("\u001B")]).toEqual([line, false])
      }
      expect(signedFor(scripted)).toEqual([])
    })
  )

  it.live("is not signed for code other than the pinned, which the user's own node shows", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const code = "0x6001"
      const rpcUrl = yield* nonceNode(8453, 0, code)
      const at = (codeHash: string) => ({
        chains: { ...chains, 8453: { ...chains[8453], rpcUrl } },
        deployments: { 8453: { ...Vectors.evmDeployment, codeHash } }
      })
      scripted.configure(at(keccak256("0x6002")))
      const refused = yield* run(scripted.place, ...words, "--yes")
      expect([refused.code, refused.stderr, signedFor(scripted)]).toEqual([3, expect.stringContaining("codeHash"), []])
      scripted.configure(at(keccak256(code)))
      expect((yield* run(scripted.place, ...words, "--yes")).code).toBe(0)
    })
  )
})

describe("a price impact that the service does not state", () => {
  it.live("is treated as high: it needs --accept-impact, and takes no --yes for it", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      scripted.configure({ chains })
      scripted.rewrite("quote", (body) => body)
      const { answer, code } = yield* runJson(scripted.place, ...words, "--yes")
      expect([code, answer]).toMatchObject([
        3,
        { error: { name: "Declined", message: expect.stringContaining("not known") as unknown } }
      ])
      expect(signedFor(scripted)).toEqual([])
      expect((yield* run(scripted.place, ...words, "--yes", "--accept-impact")).code).toBe(0)
    })
  )
})

describe("a service that says that an accepted swap has failed", () => {
  it.live("gets no second signature, and the flow stays unfinished, while the user's node does not show it", () =>
    Effect.gen(function* () {
      const scripted = yield* open
      const { service } = scripted
      const rpcUrl = yield* nonceNode(8453, 0)
      scripted.configure({ chains: { ...chains, 8453: { ...chains[8453], rpcUrl } } })
      service.ends("never")
      const left = yield* runJson(scripted.place, ...words, "--yes", "--timeout", "1")
      expect(left).toMatchObject({ code: 4, answer: { error: { name: "WaitTimeout" } } })
      const { swapId } = (left.answer as { readonly error: { readonly swapId: string } }).error
      service.always("status", Fault.garbage(JSON.stringify({ swapId, status: "failed" })))
      const again = yield* run(scripted.place, ...words, "--yes")
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is unfinished")])
      expect(scripted.paid()).toHaveLength(1)

      const status = yield* run(scripted.place, "status", swapId)
      expect(status.stderr).toMatch(/stays unfinished: geoswap resume \S+/)
      const { answer } = yield* runJson(scripted.place, "history")
      expect((answer as { readonly unfinished: ReadonlyArray<object> }).unfinished).toHaveLength(1)
    })
  )
})
