import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { accept } from "./runCli.js"
import { hasPty, open } from "./pty.js"
import { ctrlC, enter, openHere } from "./terminal.js"
import { makeUser } from "./swapFixture.js"
import { onDevnet, Fixture } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

const once = { collected: 1, delivered: 1 }
const never = { collected: 0, delivered: 0 }

describe.skipIf(!hasPty)("geoswap swap at a terminal", () => {
  describe("on a devnet", () => {
    onDevnet((it) => {
      it.effect("shows the terms and how long they are valid, and every step after the user accepts", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("alice")
          const terminal = yield* open(user.workspace, "swap", ...user.swapArgs)
          yield* terminal.shows("The price is valid for 30 s. Sign this?")
          expect(terminal.screen()).toMatch(
            /Delegation +first swap from this wallet on devnet-a[^]*Pay +100 USDC \(100000000 units\) on devnet-a/
          )
          expect(user.proxy.seen.some((request) => /build|submit/.test(request))).toBe(false)
          terminal.type("y")
          const { code, screen } = yield* terminal.ended
          expect(code).toBe(0)
          const last = screen.slice(screen.lastIndexOf("quote  "))
          for (const step of ["delegation", "build", "verify", "sign", "submit", "payment", "delivery"]) {
            expect(last).toMatch(new RegExp(`✓ ${step}`))
          }
          expect(last).toMatch(/Status +settled[^]*Delivered in +0x\w{64}/)
          expect(yield* user.executions).toEqual(once)
        })
      )

      it.effect("signs nothing if the user answers n, Enter or Ctrl-C", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("alice")
          // In a prompt, Ctrl-C is a key and not a signal.
          for (const [keys, code, message] of [
            ["n", 3, "Cancelled. Nothing was signed."],
            [enter, 3, "Cancelled. Nothing was signed."],
            [ctrlC, 130, "Interrupted. Nothing was signed."]
          ] as const) {
            const terminal = yield* openHere(user.workspace, "swap", ...user.swapArgs)
            yield* terminal.shows("Sign this?")
            terminal.type(keys)
            const ended = yield* terminal.ended
            expect([keys, ended.code, ended.screen]).toEqual([keys, code, expect.stringContaining(message)])
          }
          expect(user.proxy.seen.some((request) => /build|submit/.test(request))).toBe(false)
          expect(yield* user.executions).toEqual(never)
        })
      )

      it.effect("accepts a high total cost only if the user types yes", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("alice")
          const args = ["swap", ...user.highCostArgs]
          const hasty = yield* openHere(user.workspace, ...args)
          yield* hasty.shows('(type "yes")')
          hasty.type(`y${enter}`)
          expect((yield* hasty.ended).code).toBe(3)
          expect(yield* user.executions).toEqual(never)
          const sure = yield* openHere(user.workspace, ...args)
          yield* sure.shows('(type "yes")')
          sure.type(`yes${enter}`)
          expect((yield* sure.ended).code).toBe(0)
          expect(yield* user.executions).toEqual(once)
        })
      )

      it.effect("reports after Ctrl-C that an accepted swap continues, and offers to resume it next time", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("bob")
          const { devnet } = yield* Fixture
          yield* devnet.evmA.hold
          const first = yield* open(user.workspace, "swap", ...user.swapArgs, ...accept)
          yield* first.shows(/✓ submit +\S+/)
          first.type(ctrlC)
          const interrupted = yield* first.ended
          expect(interrupted.code).toBe(130)
          expect(interrupted.screen).toMatch(
            /and will complete it on its own\.\s+Next: geoswap --devnet status --watch \S+/
          )

          const next = yield* openHere(user.workspace, "swap", ...user.swapArgs)
          yield* next.shows("An earlier swap from this wallet is unfinished.")
          yield* next.shows("Resume it first")
          next.type(enter)
          yield* next.shows(/✓ submit/)
          yield* devnet.evmA.release
          yield* next.shows("Do you still want to start the new swap?")
          expect(next.screen()).toMatch(/Status +settled/)
          next.type("n")
          expect((yield* next.ended).code).toBe(3)
          expect(yield* user.executions).toEqual(once)
          expect(user.flows()).toEqual([])
        }).pipe(Effect.ensuring(Effect.flatMap(Fixture, ({ devnet }) => Effect.ignore(devnet.evmA.release))))
      )

      it.effect("asks again if the new quote gives less, even slightly", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("bob")
          user.proxy.answer(/build/, 410, { code: "QUOTE_EXPIRED", message: "The quote has expired." })
          const less = (amount: unknown) => (BigInt(String(amount)) * 999n) / 1000n
          user.proxy.change(/quote/, (answer) => answer)
          user.proxy.change(/quote/, (answer) => ({
            ...answer,
            output: String(less(answer["output"])),
            // Rounded up, so that it stays within the slippage.
            minOutput: String(less(answer["minOutput"]) + 1n)
          }))
          const terminal = yield* openHere(user.workspace, "swap", ...user.swapArgs)
          yield* terminal.shows("Sign this?")
          terminal.type("y")
          yield* terminal.shows("The price is now worse. Sign this instead?")
          terminal.type("n")
          const { code, screen } = yield* terminal.ended
          expect([code, screen.match(/^At least /gm)?.length]).toEqual([3, 2])
          expect(user.proxy.seen.some((request) => request.includes("submit"))).toBe(false)
        })
      )

      it.effect("writes only JSON to standard output while it asks at the terminal", () =>
        Effect.gen(function* () {
          const user = yield* makeUser("carol")
          const terminal = yield* openHere(user.workspace, "swap", ...user.swapArgs, "--json")
          yield* terminal.shows("Sign this?")
          terminal.type("y")
          const { code, screen } = yield* terminal.ended
          expect([code, screen]).toEqual([0, expect.stringMatching(/"status": "settled"/)])
          expect(screen).not.toContain("✓")
        })
      )
    })
  })
})
