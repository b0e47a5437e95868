import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { ctrlC, enter, hasPty, open } from "./pty.js"
import { set } from "./swapFixture.js"
import { layer, World } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

const once = { collected: 1, delivered: 1 }
const never = { collected: 0, delivered: 0 }

describe.skipIf(!hasPty)("at a terminal", () => {
  describeOnAnvil("on a devnet", () =>
    withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
      it.effect("shows what will be signed with the time that is left, and after a yes every step to the end", () =>
        Effect.gen(function* () {
          const stage = yield* set("alice")
          const terminal = yield* open(stage.place, "swap", ...stage.words)
          yield* terminal.shows(/Sign this\? \(y\/N\) +\[the price holds \d+ s\]/)
          expect(terminal.screen()).toMatch(
            /Delegation +first swap of this wallet on devnet-a[^]*Pay +100 USDC \(100000000 units\) on devnet-a/
          )
          expect(stage.gate.seen.some((request) => /build|submit/.test(request))).toBe(false)
          terminal.type("y")
          const { code, screen } = yield* terminal.ended
          expect(code).toBe(0)
          const last = screen.slice(screen.lastIndexOf("quote  "))
          for (const step of ["delegation", "build", "verify", "sign", "submit", "origin", "delivery"]) {
            expect(last).toMatch(new RegExp(`✓ ${step}`))
          }
          expect(last).toMatch(/Status +settled[^]*Delivery +0x\w{64}/)
          expect(yield* stage.executions).toEqual(once)
        })
      )

      it.effect("signs nothing after a no, an Enter, or a Ctrl-C at the question", () =>
        Effect.gen(function* () {
          const stage = yield* set("alice")
          for (const [keys, code, words] of [
            ["n", 3, "You said no. Nothing was signed."],
            [enter, 3, "You said no. Nothing was signed."],
            [ctrlC, 130, "Interrupted. Nothing was signed."]
          ] as const) {
            const terminal = yield* open(stage.place, "swap", ...stage.words)
            yield* terminal.shows("Sign this?")
            terminal.type(keys)
            const ended = yield* terminal.ended
            expect([keys, ended.code, ended.screen]).toEqual([keys, code, expect.stringContaining(words)])
          }
          expect(stage.gate.seen.some((request) => /build|submit/.test(request))).toBe(false)
          expect(yield* stage.executions).toEqual(never)
        })
      )

      it.effect("takes only the whole word for a high price impact", () =>
        Effect.gen(function* () {
          const stage = yield* set("alice")
          const words = ["swap", ...stage.costly]
          const hasty = yield* open(stage.place, ...words)
          yield* hasty.shows('(type "yes")')
          hasty.type(`y${enter}`)
          expect((yield* hasty.ended).code).toBe(3)
          expect(yield* stage.executions).toEqual(never)
          const sure = yield* open(stage.place, ...words)
          yield* sure.shows('(type "yes")')
          sure.type(`yes${enter}`)
          expect((yield* sure.ended).code).toBe(0)
          expect(yield* stage.executions).toEqual(once)
        })
      )

      it.effect("says at a Ctrl-C that an accepted swap goes on, and offers the next time to take it up", () =>
        Effect.gen(function* () {
          const stage = yield* set("bob")
          const { devnet } = yield* World
          yield* devnet.evmA.hold
          const left = yield* open(stage.place, "swap", ...stage.words, "--yes")
          yield* left.shows(/✓ submit +\S+/)
          left.type(ctrlC)
          const interrupted = yield* left.ended
          expect(interrupted.code).toBe(130)
          expect(interrupted.screen).toMatch(
            /was accepted, and goes on without you\.\s+Next: geoswap status \S+ --watch/
          )

          const next = yield* open(stage.place, "swap", ...stage.words)
          yield* next.shows("An earlier swap of this wallet is unfinished.")
          yield* next.shows("Take it up first")
          next.type(enter)
          yield* next.shows(/✓ submit/)
          yield* devnet.evmA.release
          yield* next.shows("Do you still want the new swap?")
          expect(next.screen()).toMatch(/Status +settled/)
          next.type("n")
          expect((yield* next.ended).code).toBe(3)
          expect(yield* stage.executions).toEqual(once)
          expect(stage.flows()).toEqual([])
        }).pipe(Effect.ensuring(Effect.flatMap(World, ({ devnet }) => Effect.ignore(devnet.evmA.release))))
      )

      it.effect("asks anew where a renewed price gives less, be it a little", () =>
        Effect.gen(function* () {
          const stage = yield* set("bob")
          stage.gate.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
          const less = (amount: unknown) => String((BigInt(String(amount)) * 999n) / 1000n)
          stage.gate.change(/quote/, (answer) => answer)
          stage.gate.change(/quote/, (answer) => ({
            ...answer,
            output: less(answer["output"]),
            minOutput: less(answer["minOutput"])
          }))
          const terminal = yield* open(stage.place, "swap", ...stage.words)
          yield* terminal.shows("Sign this?")
          terminal.type("y")
          yield* terminal.shows("The price got worse. Sign this instead?")
          terminal.type("n")
          const { code, screen } = yield* terminal.ended
          expect([code, screen.match(/^At least /gm)?.length]).toEqual([3, 2])
          expect(stage.gate.seen.some((request) => request.includes("submit"))).toBe(false)
        })
      )

      it.effect("keeps standard output clean in JSON while it asks on the terminal", () =>
        Effect.gen(function* () {
          const stage = yield* set("carol")
          const terminal = yield* open(stage.place, "swap", ...stage.words, "--json")
          yield* terminal.shows("Sign this?")
          terminal.type("y")
          const { code, screen } = yield* terminal.ended
          expect([code, screen]).toEqual([0, expect.stringMatching(/"status": "settled"/)])
          expect(screen).not.toContain("✓")
        })
      )
    })
  )
})
