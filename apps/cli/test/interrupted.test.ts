import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { onDevnet } from "./fixture.js"
import { interrupt, steps } from "./interruptedSwap.js"
import { schemaErrors } from "./jsonSchema.js"
import { accept, startHere } from "./runCli.js"
import { type Answer, makeUser } from "./swapFixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** One step that leaves a signed swap. The long test has all steps. `killedServer.test.ts` has a server at every step. */
const interrupted = steps.filter(({ name }) => /receives the submit response/.test(name))

describe("an interrupted swap", () => {
  onDevnet((it) => {
    it.effect.each(interrupted)('reports "$state" if it is interrupted while $name', interrupt)

    it.effect('reports "nothing signed" if it is interrupted while it receives the build response', () =>
      Effect.gen(function* () {
        const user = yield* makeUser("bob")
        const held = user.proxy.hold(/swap\/build/, "after")
        const args = ["swap", ...user.swapArgs, ...accept, "--json"]
        // The end of the scope interrupts the program.
        const started = yield* Effect.scoped(Effect.tap(startHere(user.workspace, ...args), held.arrived))
        held.drop()
        const { code, stdout } = yield* started.ended
        const answer = JSON.parse(stdout) as Answer
        expect(schemaErrors("cli-error", answer)).toEqual([])
        expect([code, answer.error]).toMatchObject([130, { name: "Interrupted", state: "nothing signed" }])
        expect(answer.error?.next).toBe("Run the command again when you are ready.")
        expect(user.flows()).toEqual([])
        expect(yield* user.executions).toEqual({ collected: 0, delivered: 0 })
      })
    )

    it.effect("is resumed by only one process, and blocks new swaps of its wallet until then", () =>
      Effect.gen(function* () {
        const user = yield* makeUser("carol")
        const first = yield* user.startUntil(/swap\/submit/, "before", "swap", ...user.swapArgs, ...accept)
        // A swap that another process works on does not block a new one.
        const beside = yield* user.geoswap("swap", ...user.swapArgs)
        expect([beside.code, beside.stderr]).toEqual([3, expect.stringContaining("Another process is working on swap")])
        first.process.kill("SIGKILL")
        yield* first.ended
        first.drop()

        const [flowId = ""] = user.flows()
        const again = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
        expect([again.code, again.stderr]).toEqual([
          1,
          expect.stringContaining(`Run geoswap --devnet resume ${flowId} first`)
        ])
        const kept = yield* user.geoswap("forget", flowId, "--devnet")
        expect([kept.code, kept.stderr]).toEqual([3, expect.stringContaining("you pay twice")])
        expect(user.flows()).toEqual([flowId])
        const args = user.swapArgs.map((arg) => (arg === "carol" ? "dave" : arg))
        const other = yield* user.geoswap("swap", ...args)
        expect([other.code, other.stderr]).toEqual([
          3,
          expect.stringContaining(`unfinished. Resume it: geoswap --devnet resume ${flowId}`)
        ])

        const one = yield* user.startUntil(/swap\/submit/, "before", "resume", flowId, "--devnet")
        const two = yield* user.json("cli-resume", "resume", flowId, "--devnet")
        expect([two.code, two.answer]).toMatchObject([
          1,
          { resumed: [{ flowId, error: { message: `Another process is already working on flow ${flowId}.` } }] }
        ])
        one.release()
        expect((yield* one.ended).code).toBe(0)
        expect(yield* user.executions).toEqual({ collected: 1, delivered: 1 })
        const gone = yield* user.geoswap("resume", flowId, "--devnet")
        expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("There is no unfinished swap")])
      })
    )

    it.effect(
      "blocks signing while the store is damaged, and stays in it if only the service says that it expired",
      () =>
        Effect.gen(function* () {
          const user = yield* makeUser("dave")
          yield* user.killAt(/swap\/submit/, "before", "swap", ...user.swapArgs, ...accept)
          const [flowId = ""] = user.flows()

          chmodSync(user.storeFolder, 0o755)
          for (const command of [
            ["swap", ...user.swapArgs, ...accept],
            ["resume", "--devnet"]
          ]) {
            const open = yield* user.geoswap(...command)
            expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`chmod 700 ${user.storeFolder}`)])
          }
          chmodSync(user.storeFolder, 0o700)

          const path = join(
            user.storeFolder,
            readdirSync(user.storeFolder).find((name) => /^wallet-.*json$/.test(name)) ?? "none"
          )
          const whole = readFileSync(path, "utf8")
          writeFileSync(path, whole.slice(0, 40))
          const damaged = yield* user.geoswap("swap", ...user.swapArgs, ...accept)
          expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining(`${path} is damaged`)])
          const named = yield* user.geoswap("resume", flowId, "--devnet")
          expect([named.code, named.stderr]).toEqual([
            1,
            expect.stringContaining(`${path} is damaged. It has been left in place`)
          ])
          const all = yield* user.geoswap("resume", "--all", "--devnet")
          expect([all.code, all.stderr]).toEqual([
            0,
            expect.stringContaining("is damaged, so its swap cannot be resumed")
          ])
          expect(readFileSync(path, "utf8")).toBe(whole.slice(0, 40))

          writeFileSync(path, whole)
          user.proxy.answer(/swap\/submit/, 410, { code: "OPERATION_EXPIRED", message: "The operation has expired." })
          const expired = yield* user.geoswapProcess("resume", "--devnet")
          expect([expired.code, expired.stderr]).toEqual([
            4,
            expect.stringContaining(`Resume it: geoswap --devnet resume ${flowId}`)
          ])
          expect(user.flows()).toEqual([flowId])
          expect(yield* user.executions).toEqual({ collected: 0, delivered: 0 })

          // Several swaps are resumed one after another.
          const others = user.swapArgs.map((arg) => (arg === "dave" ? "carol" : arg))
          yield* user.killAt(/swap\/submit/, "before", "swap", ...others, ...accept)
          const several = yield* user.geoswap("resume", "--devnet")
          expect([several.code, several.stderr]).toEqual([
            64,
            expect.stringMatching(/Unfinished +\S+[^]*Several swaps/)
          ])
          const resumed = yield* user.json("cli-resume", "resume", "--all", "--devnet")
          expect([resumed.code, resumed.answer["resumed"]]).toMatchObject([
            0,
            [{ flowId, swap: { status: "settled" } }, { swap: { status: "settled" } }]
          ])
          // The other swap was collected from the other wallet.
          expect(yield* user.executions).toEqual({ collected: 1, delivered: 2 })
        })
    )
  })
})
