/** `geoswap watch`, `geoswap token search`, `--slippage` and the numbers of a locale. */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { frame } from "../src/commands/watch.js"
import { fromProcess } from "../src/node/Host.js"
import { make } from "../src/output/Output.js"
import { schemaErrors } from "./jsonSchema.js"
import { accept, home, run, runJson, runProcess, startHere, until } from "./runCli.js"
import { openHere } from "./terminal.js"
import { open, usdc, weth } from "./scriptedServer.js"

vi.setConfig({ testTimeout: 300_000 })

const chains = {
  8453: { family: "evm", name: "Base", tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }] },
  42161: { family: "evm", name: "Arbitrum", tokens: [{ symbol: "WETH", address: weth, decimals: 18 }] }
}

/** A user with a swap of each amount. None of the swaps has finished. */
const withSwaps = Effect.fnUntraced(function* (...amounts: ReadonlyArray<string>) {
  const scripted = yield* open
  scripted.configure({ chains })
  scripted.service.ends("never")
  for (const amount of amounts) {
    const args = ["swap", amount, "usdc@base", "weth@arbitrum", ...accept, "--timeout", "2"]
    expect((yield* runProcess(scripted.workspace, ...args)).code).toBe(4)
  }
  const [first = "", second = ""] = scripted.service.swaps.map(({ swapId }) => swapId)
  return { ...scripted, swapIds: [first, second] as const }
})

describe("geoswap watch", () => {
  it.live("follows all unfinished swaps until they have finished, and exits with the worst code", () =>
    Effect.gen(function* () {
      const { service, swapIds, workspace } = yield* withSwaps("10", "20")
      // The first characters select none of the swaps, because all ids start with them.
      const short = swapIds[0].slice(0, 4)
      expect(swapIds[1].startsWith(short)).toBe(true)
      for (const command of ["resume", "watch", "status"]) {
        const { code, stderr } = yield* run(workspace, command, short)
        expect([command, code, stderr]).toEqual([command, 64, expect.stringContaining("more than one")])
      }
      const watching = yield* startHere(workspace, "watch")
      yield* until(() => swapIds.every((swapId) => watching.stdout().includes(`${swapId}: pending`)), "both swaps")
      // One line per swap.
      const terminal = yield* openHere(workspace, "watch")
      yield* terminal.shows(new RegExp(`pending .* ${swapIds[0]} +10 USDC on Base for`))
      yield* terminal.shows(new RegExp(`pending .* ${swapIds[1]} +20 USDC on Base for`))
      yield* service.finish(swapIds[0], "settled")
      yield* until(() => watching.stdout().includes(`${swapIds[0]}: settled`), "the first swap to settle")
      yield* service.finish(swapIds[1], "refunded")
      const ended = yield* watching.ended
      // The refund is only claimed.
      expect([ended.code, ended.stdout]).toEqual([4, expect.stringContaining(`${swapIds[1]}: refunded`)])
      const { code, screen } = yield* terminal.ended
      expect([code, screen]).toEqual([4, expect.stringMatching(/settled .*[\r\n]+refunded /)])
      // Only the service says that the second swap was refunded, so it is not over.
      const none = yield* run(workspace, "watch")
      expect(none.stdout).toContain("not all swaps that you signed have a certain end")
      expect([none.code, none.stderr]).toEqual([4, expect.stringMatching(/^Resume this swap: geoswap resume \S+$/m)])
      const again = yield* runJson(workspace, "watch", swapIds[0])
      expect([again.code, schemaErrors("cli-watch", again.answer)]).toEqual([0, []])
      expect(again.answer).toMatchObject({ swaps: [{ swapId: swapIds[0], swap: { status: "settled" } }] })
    })
  )

  it.live("accepts the first characters of an id, and so do status and resume", () =>
    Effect.gen(function* () {
      const { service, swapIds, workspace } = yield* withSwaps("10")
      const short = swapIds[0].slice(0, 4)
      yield* service.finish(swapIds[0], "settled")
      for (const command of ["resume", "watch", "status"]) {
        const ended = yield* run(workspace, command, short)
        expect([command, ended.code, ended.stdout]).toEqual([command, 0, expect.stringContaining(swapIds[0])])
      }
      // A swap that does not exist is reported, and the others are still followed.
      const ended = yield* run(workspace, "watch", swapIds[0], "nowhere")
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([
        1,
        expect.stringContaining(`${swapIds[0]}: settled`),
        expect.stringContaining("The service has no record of this swap.")
      ])
    })
  )
})

describe("the table of geoswap watch", () => {
  const { style } = make({ json: false, jsonLines: false, plain: true }, fromProcess())
  const watched = (swapId: string, status: "pending" | "settled") => ({
    swapId,
    entry: {
      swapId,
      status,
      evidence: "claimed" as const,
      startedAt: new Date(0).toISOString(),
      updatedAt: new Date(0).toISOString()
    },
    error: undefined
  })
  const all = [...Array.from({ length: 30 }, (_, at) => watched(`done-${at}`, "settled")), watched("open", "pending")]

  it("never has more lines than the terminal, and shows the pending swaps first", () => {
    for (const height of [1, 2, 3, 10, 31]) {
      const lines = frame(all, 5_000, style, { width: 80, height }).split("\n")
      expect([height, lines.length < Math.max(height, 3)]).toEqual([height, true])
      expect(lines[0]).toContain("open")
      expect(lines.at(-1)).toMatch(/^and \d+ more$/)
    }
    expect(frame(all, 5_000, style, { width: 80, height: 32 }).split("\n")).toHaveLength(31)
  })

  it("is never wider than the terminal", () => {
    for (const width of [20, 40, 80]) {
      const lines = frame(all, 5_000, style, { width, height: 50 }).split("\n")
      expect(lines.filter((line) => line.length >= width)).toEqual([])
    }
  })
})

describe("geoswap token search", () => {
  it.live("finds pinned and bundled tokens without a service, the best match first", () =>
    Effect.gen(function* () {
      const here = yield* home
      const found = yield* runJson(here, "token", "search", "usdc@base")
      expect([found.code, schemaErrors("cli-tokens", found.answer)]).toEqual([0, []])
      expect(found.answer).toEqual({
        tokens: [
          {
            chainId: 8453,
            chain: "Base",
            symbol: "USDC",
            address: usdc,
            decimals: 6,
            native: false,
            pinned: false,
            source: "bundled"
          }
        ]
      })
      const byAddress = yield* run(here, "token", "search", usdc.slice(2, 14).toLowerCase())
      expect(byAddress.stdout).toMatch(/USDC +Base +6 +0x8335\w+ +bundled, not pinned/)
      expect(byAddress.stderr).toContain("geoswap token add 8453 usdc")
      const none = yield* run(here, "token", "search", "nothing")
      expect([none.code, none.stdout]).toEqual([0, 'No token matches "nothing".\n'])
      expect((yield* run(here, "token", "search", "usdc@nowhere")).code).toBe(64)
    })
  )
})

describe("a quote", () => {
  it.live("takes the slippage as a percentage", () =>
    Effect.gen(function* () {
      const { configure, service, workspace } = yield* open
      configure({ chains })
      const quote = (...args: ReadonlyArray<string>) =>
        run(workspace, "quote", "10", "usdc@base", "weth@arbitrum", ...args)
      expect((yield* quote("--slippage", "0.5%")).code).toBe(0)
      expect(service.seen("quote").at(-1)?.body["slippageBps"]).toBe(50)
      for (const args of [
        ["--slippage", "abc"],
        ["--slippage", "0.001%"],
        ["--slippage", "0.5%", "--slippage-bps", "50"]
      ]) {
        expect([args, (yield* quote(...args)).code]).toEqual([args, 64])
      }
    })
  )

  it.live("prints numbers in the reader's locale, and exact ones in JSON", () =>
    Effect.gen(function* () {
      const { configure, workspace } = yield* open
      configure({ chains })
      const args = ["quote", "12345.678901", "usdc@base", "weth@arbitrum", "--slippage", "0.5%"]
      const inLocale = (locale: string) => {
        vi.stubEnv("LC_ALL", locale)
        return Effect.ensuring(
          run(workspace, ...args),
          Effect.sync(() => vi.unstubAllEnvs())
        )
      }
      const english = yield* inLocale("C")
      expect(english.stdout).toMatch(/^Pay +12,345\.67 USDC on Base/m)
      expect(english.stdout).toMatch(/^Slippage +0\.5%/m)
      const german = yield* inLocale("de_DE.UTF-8")
      expect(german.stdout).toMatch(/^Pay +12\.345,67 USDC on Base/m)
      expect(german.stdout).toMatch(/^Slippage +0,5\u00A0%/m)
      const dryRun = yield* run(workspace, "swap", ...args.slice(1), "--dry-run")
      expect(dryRun.stdout).toMatch(/^Pay +12,345\.678901 USDC \(12345678901 units\) on Base/m)
      const { answer } = yield* runJson(workspace, ...args)
      expect(answer).toMatchObject({ quote: { from: { amount: "12345.678901", raw: "12345678901" } } })
    })
  )
})
