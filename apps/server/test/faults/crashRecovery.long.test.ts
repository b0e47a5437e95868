/** Kills at every checkpoint of every scenario, in batches and at random times. `pnpm test:long chaos` runs more random rounds. */
import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { seededRandom } from "../../../../tooling/testing/seededRandom.js"
import * as evm from "../stack/evm.js"
import { make, until } from "../stack/fixture.js"
import { freePort } from "../stack/freePort.js"
import { heldAt } from "../stack/heldRequests.js"
import { chaosOf } from "./crash/chaosRounds.js"
import * as Fixture from "./crash/fixture.js"
import { batchesIn, expectClosed, expectOnce, holdersIn, idsIn } from "./crash/invariants.js"
import { dieAt, dieAtAnyTime, type Moment, record, settle } from "./crash/round.js"
import {
  batches,
  occasionalSteps,
  leadsTo,
  plain,
  reverting,
  type Scenario,
  scenarios,
  sideOf,
  certainSteps,
  wayOf
} from "./crash/scenarios.js"
import { run } from "./crash/serverProcess.js"
import { finish, sign, submit } from "./crash/swap.js"

/** How many rounds have kills at random times. */
const { rounds, seed } = chaosOf(3)

const families = ["evm", "solana"] as const

/** Two different scenarios if there are two, and others in every round. */
const twoOf = (choice: ReadonlyArray<Scenario>, round: number): ReadonlyArray<Scenario> =>
  [0, 1].flatMap((index) => choice[(round + index) % choice.length] ?? [])

const collectedOn = async (chain: Parameters<typeof evm.vaultEvents>[0]): Promise<number> =>
  (await evm.vaultEvents(chain)).filter(({ eventName }) => eventName === "Collected").length

describe("server that is killed", () => {
  layer(Fixture.layer("SQLite"), { timeout: 360_000, excludeTestServices: true })((it) => {
    const test = (title: string, millis: number, body: (fixture: Fixture.Shape) => Promise<void>) =>
      it.effect(title, () => Effect.flatMap(Fixture.Fixture, (fixture) => Effect.promise(() => body(fixture))), millis)

    /** The checkpoints of each scenario. */
    const taken = new Map<string, ReadonlySet<string>>()

    test("is killed at every checkpoint, because the scenarios reach all of them", 300_000, async (fixture) => {
      for (const scenario of scenarios) {
        const way = wayOf(scenario)
        if (!taken.has(way)) taken.set(way, await record(fixture, [scenario]))
      }
      const all = new Set([...taken.values()].flatMap((each) => [...each]))
      expect([...all].filter((step) => !occasionalSteps.includes(step)).toSorted()).toEqual(certainSteps.toSorted())
    })

    for (const [index, step] of [...certainSteps, ...occasionalSteps].entries()) {
      for (const family of families) {
        test(`${step} leaves no swap unfinished or executed twice (${family})`, 360_000, async (fixture) => {
          const ways = scenarios.filter(
            (scenario) => sideOf(scenario, step) === family && leadsTo(taken.get(wayOf(scenario)), step)
          )
          // Two swaps may share a transaction, which is broadcast once.
          const isForEach = certainSteps.includes(step) && !step.includes("broadcast")
          const occurrence = isForEach ? 1 + (Math.floor(index / 2) % 2) : 1
          await dieAt(fixture, twoOf(ways, index), step, occurrence)
        })
      }
    }

    for (const step of ["before failed", "after failed"]) {
      test(`${step} leaves no reverted swap unfinished`, 360_000, async (fixture) => {
        await dieAt(fixture, reverting, step, 2)
      })
    }

    for (const [scenario, step, occurrence] of batches) {
      const title = `${step} of a batch leaves no swap unfinished or executed twice (${wayOf(scenario)})`
      test(title, 360_000, async (fixture) => {
        await dieAt(
          fixture,
          Array.from({ length: 6 }, () => scenario),
          step,
          occurrence
        )
      })
    }

    test("has killed swaps that share transactions of each kind", 60_000, async (fixture) => {
      expect(await batchesIn(fixture, "evm")).toEqual(["collect", "deliver", "refund"])
      expect(await batchesIn(fixture, "solana")).toEqual(["deliver", "refund"])
    })

    test(
      "leaves no swap unfinished or executed twice if killed at random times",
      360_000 + rounds * 60_000,
      async (fixture) => {
        process.stdout.write(`${rounds} rounds with CHAOS_SEED=${seed}\n`)
        for (let round = 0; round < rounds; round++) {
          const { below, pick } = seededRandom(seed, round)
          const moment = (): Moment =>
            below(3) === 0 ? { after: "starts", millis: below(400) } : { after: "listens on", millis: below(1_000) }
          const swaps = Array.from({ length: 3 + below(2) }, () => pick(plain))
          const first: Moment = { after: "listens on", millis: below(1_500) }
          await dieAtAnyTime(fixture, swaps, [first, ...Array.from({ length: below(4) }, moment)])
        }
      }
    )

    test("collects every quote once if killed during a burst of duplicate submits", 300_000, async (fixture) => {
      const { devnet, host } = fixture
      const { evmA, evmB } = devnet
      const [first, second] = plain
      const twenty = Array.from({ length: 10 }, () => [first, second])
        .flat()
        .filter((each) => each !== undefined)
      const before = (await collectedOn(evmA)) + (await collectedOn(evmB))
      await settle(fixture, twenty, async (plans) => {
        const signed = await Promise.all(plans.map((each) => sign(fixture, each)))
        const { lines, said } = host.server()
        const since = lines.length
        const repeats = Array.from({ length: 10 }, () => Promise.all(signed.map((each) => submit(fixture, each))))
        await said(/^step after accepted$/, 7, since)
        await host.kill()
        await host.start()
        const answers = await Promise.all(repeats)
        const ended = await Promise.all(signed.map((each) => finish(fixture, each)))
        for (const answer of answers) {
          expect(answer.map(({ swapId }) => swapId)).toEqual(ended.map(({ swap }) => swap.swapId))
        }
        return ended
      })
      expect((await collectedOn(evmA)) + (await collectedOn(evmB)) - before).toBe(20)
    })

    test("answers waiting callers when stopped, and lets the next process continue", 360_000, async (fixture) => {
      const { apiKeys, config, devnet, environment, host, url } = fixture
      const ways = plain.filter(
        ({ origin, destination, status }) => status === "settled" && [origin, destination].includes("evmA")
      )
      await host.kill()
      const program = fileURLToPath(new URL("../../dist/cli.js", import.meta.url))
      const port = await make(freePort)
      const asked = `${config}.asked.json`
      const file = JSON.parse(readFileSync(config, "utf8")) as object
      writeFileSync(asked, JSON.stringify({ ...file, admin: { port } }))
      const { death, said, signal } = run([program, "serve", "--config", asked, "--log-level", "warn"], environment)
      await said(/is listening on /)
      await settle(fixture, ways, async (plans) => {
        const signed = await Promise.all(plans.map((each) => sign(fixture, each)))
        // No swap can finish.
        await make(devnet.evmA.hold)
        const submitted = await Promise.all(signed.map((each) => submit(fixture, each)))
        const held = submitted.map(async ({ swapId }) => {
          const answer = await fetch(`${url}/swap/status/${swapId}`, { headers: { "x-api-key": apiKeys[0] } })
          return { status: answer.status, body: (await answer.json()) as unknown }
        })
        await until(async () => (await heldAt(port)) === held.length)
        const askedAt = Date.now()
        signal("SIGTERM")
        const answers = await Promise.all(held)
        for (const [index, { body, status }] of answers.entries()) {
          expect(status).toBe(200)
          expect(body).toMatchObject({ swapId: submitted[index]?.swapId, status: "pending" })
        }
        expect(await death).toMatchObject({ code: 0, signal: null })
        // No caller waited for the full 15 seconds that a status is held.
        expect(Date.now() - askedAt).toBeLessThan(10_000)
        expect(await holdersIn(fixture)).toEqual([])
        await make(devnet.evmA.release)
        await host.start()
        return Promise.all(signed.map((each) => finish(fixture, each)))
      })
    })

    test("leaves no stale state, and the next swap works", 300_000, async (fixture) => {
      const { ended, host } = fixture
      await host.kill()
      await expectClosed(fixture)
      await expectOnce(fixture, ended)
      expect(await idsIn(fixture)).toEqual(ended.map(({ swap }) => swap.swapId).toSorted())
      await host.start()
      await record(fixture, plain)
    })
  })
})
