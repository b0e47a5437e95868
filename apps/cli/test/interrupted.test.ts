import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { mistakesOf } from "./jsonSchema.js"
import type { Moment } from "./serviceProxy.js"
import { type Answer, set } from "./swapFixture.js"
import { layer } from "./fixture.js"

vi.setConfig({ testTimeout: 300_000 })

/** The requests of a swap in their order, and what is left behind where the program ends there. */
const steps: ReadonlyArray<readonly [name: string, path: RegExp, moment: Moment, state: string]> = [
  ["the delegation is asked for", /swap\/delegation/, "before", "nothing signed"],
  ["a quote is asked for", /swap\/quote/, "before", "nothing signed"],
  ["the build is on its way", /swap\/build/, "before", "nothing signed"],
  ["the answer to the build is on its way", /swap\/build/, "after", "nothing signed"],
  ["the submit is on its way", /swap\/submit/, "before", "signed, perhaps submitted"],
  ["the answer to the submit is on its way", /swap\/submit/, "after", "signed, perhaps submitted"],
  ["the end is waited for", /swap\/status/, "before", "accepted"]
]

describeOnAnvil("swaps that are interrupted", () =>
  withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    for (const [name, path, moment, state] of steps) {
      const signed = state !== "nothing signed"
      const executed = signed ? 1 : 0

      it.effect(`are executed ${signed ? "once" : "never"} where they are killed while ${name}, and resumed`, () =>
        Effect.gen(function* () {
          const stage = yield* set("alice")
          yield* stage.killAt(path, moment, "swap", ...stage.words, "--yes")
          expect(stage.flows()).toHaveLength(executed)
          const resumed = yield* stage.json("cli-resume", "resume", "--devnet")
          expect(resumed.code).toBe(0)
          expect(resumed.answer["resumed"]).toMatchObject(signed ? [{ swap: { status: "settled" } }] : [])
          expect(yield* stage.executions).toEqual({ collected: executed, delivered: executed })
          expect(stage.flows()).toEqual([])
        })
      )

      it.effect(`say "${state}" where they are interrupted while ${name}`, () =>
        Effect.gen(function* () {
          const stage = yield* set("bob")
          const asked = yield* stage.beginUntil(path, moment, "swap", ...stage.words, "--yes", "--json")
          asked.process.kill("SIGINT")
          const { code, stdout } = yield* asked.ended
          asked.drop()
          const answer = JSON.parse(stdout) as Answer
          expect(mistakesOf("cli-error", answer)).toEqual([])
          expect([code, answer.error]).toMatchObject([130, { name: "Interrupted", state }])
          const [flowId = ""] = stage.flows()
          const next = answer.error?.next ?? ""
          if (state === "accepted") expect(next).toMatch(/^geoswap status \S+ --watch$/)
          else if (signed) expect(next).toBe(`geoswap resume ${flowId}`)
          else expect([flowId, next]).toEqual(["", "Run it again when you want to."])
          if (!signed) return
          // What it says to do is what ends it.
          const { code: ended } = yield* stage.geoswap(...next.split(" ").slice(1), "--devnet")
          expect([ended, stage.flows()]).toEqual([0, []])
          expect(yield* stage.executions).toEqual({ collected: 1, delivered: 1 })
        })
      )
    }

    it.effect("are kept where the service alone says that they are too late, and executed once", () =>
      Effect.gen(function* () {
        const stage = yield* set("carol")
        yield* stage.killAt(/swap\/submit/, "before", "swap", ...stage.words, "--yes")
        stage.gate.answer(/swap\/submit/, 410, { code: "OPERATION_EXPIRED", message: "The operation has expired." })
        const { code, stderr } = yield* stage.geoswap("resume", "--devnet")
        const [flowId = ""] = stage.flows()
        expect([code, stderr]).toEqual([4, expect.stringContaining(`Resume it: geoswap resume ${flowId}`)])
        expect(yield* stage.executions).toEqual({ collected: 0, delivered: 0 })
        expect((yield* stage.geoswap("resume", flowId, "--devnet")).code).toBe(0)
        expect(stage.flows()).toEqual([])
        expect(yield* stage.executions).toEqual({ collected: 1, delivered: 1 })
      })
    )

    it.effect("are taken up by one process alone, and stop a new swap of their wallet until then", () =>
      Effect.gen(function* () {
        const stage = yield* set("carol")
        const first = yield* stage.beginUntil(/swap\/submit/, "before", "swap", ...stage.words, "--yes")
        // The one that works on it is no reason to stop another.
        const beside = yield* stage.geoswap("swap", ...stage.words)
        expect([beside.code, beside.stderr]).toEqual([3, expect.stringContaining("Another process works on the swap")])
        first.process.kill("SIGKILL")
        yield* first.ended
        first.drop()

        const [flowId = ""] = stage.flows()
        const again = yield* stage.geoswap("swap", ...stage.words, "--yes")
        expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`Run geoswap resume ${flowId} first`)])
        const ignored = yield* stage.geoswap("swap", ...stage.words, "--ignore-unfinished")
        expect([ignored.code, ignored.stderr]).toEqual([3, expect.stringContaining("Add --yes")])
        const words = stage.words.map((word) => (word === "carol" ? "dave" : word))
        const other = yield* stage.geoswap("swap", ...words)
        expect([other.code, other.stderr]).toEqual([3, expect.stringContaining(`unfinished: geoswap resume ${flowId}`)])

        const one = yield* stage.beginUntil(/swap\/submit/, "before", "resume", flowId, "--devnet")
        const two = yield* stage.json("cli-resume", "resume", flowId, "--devnet")
        expect([two.code, two.answer]).toMatchObject([
          1,
          { resumed: [{ flowId, error: { message: `Another process works on the flow ${flowId} already.` } }] }
        ])
        one.release()
        expect((yield* one.ended).code).toBe(0)
        expect(yield* stage.executions).toEqual({ collected: 1, delivered: 1 })
        const gone = yield* stage.geoswap("resume", flowId, "--devnet")
        expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("No unfinished swap is called")])
      })
    )

    it.effect("let nothing be signed while the journal is open to others, or holds what cannot be read", () =>
      Effect.gen(function* () {
        const stage = yield* set("dave")
        yield* stage.killAt(/swap\/submit/, "before", "swap", ...stage.words, "--yes")
        const [flowId = ""] = stage.flows()

        chmodSync(stage.journal, 0o755)
        for (const command of [
          ["swap", ...stage.words, "--yes"],
          ["resume", "--devnet"]
        ]) {
          const open = yield* stage.geoswap(...command)
          expect([open.code, open.stderr]).toEqual([1, expect.stringContaining(`chmod 700 ${stage.journal}`)])
        }
        chmodSync(stage.journal, 0o700)

        const path = join(stage.journal, `${flowId}.json`)
        const whole = readFileSync(path, "utf8")
        writeFileSync(path, whole.slice(0, 40))
        const damaged = yield* stage.geoswap("swap", ...stage.words, "--yes")
        expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining(`${path} is damaged`)])
        const named = yield* stage.geoswap("resume", flowId, "--devnet")
        expect([named.code, named.stderr]).toEqual([1, expect.stringContaining(`${path} is damaged. It is kept`)])
        const all = yield* stage.geoswap("resume", "--all", "--devnet")
        expect([all.code, all.stderr]).toEqual([0, expect.stringContaining("is damaged and cannot be resumed")])
        expect(readFileSync(path, "utf8")).toBe(whole.slice(0, 40))

        // Mended, it is as good as before; and several are taken up one after the other.
        writeFileSync(path, whole)
        yield* stage.killAt(/swap\/submit/, "before", "swap", ...stage.words, "--yes", "--ignore-unfinished")
        const several = yield* stage.geoswap("resume", "--devnet")
        expect([several.code, several.stderr]).toEqual([64, expect.stringMatching(/Unfinished +\S+[^]*Several swaps/)])
        const resumed = yield* stage.json("cli-resume", "resume", "--all", "--devnet")
        expect([resumed.code, resumed.answer["resumed"]]).toMatchObject([
          0,
          [{ flowId, swap: { status: "settled" } }, { swap: { status: "settled" } }]
        ])
        expect(yield* stage.executions).toEqual({ collected: 2, delivered: 2 })
      })
    )
  })
)
