/** One kill in every state. `crashRecovery.long.test.ts` has all checkpoints and scenarios, batches and random times. */
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, it as plainIt } from "vitest"
import { programs } from "../stack/postgres/cluster.js"
import * as Fixture from "./crash/fixture.js"
import { expectClosed, expectOnce, idsIn } from "./crash/invariants.js"
import { dieAt, dieAtEach } from "./crash/round.js"
import { certainSteps, occasionalSteps, type Scenario, scenarios, sideOf } from "./crash/scenarios.js"

const first = ["accepted", "origin_prepared", "broadcast collect", "origin_sent", "origin_sent again", "origin_final"]

/** What a swap does, in order. */
const paths = {
  settled: [...first, "delivery_prepared", "broadcast deliver", "delivery_sent", "delivery_sent again", "settled"],
  refunded: [
    ...first,
    "refund_prepared",
    "refund_prepared again",
    "broadcast refund",
    "refund_sent",
    "refund_sent again",
    "refunded"
  ],
  failed: ["failed"]
}

/**
 * The state after a checkpoint is the state before the next one, so that a kill after each is enough, with one exception:
 * a transaction is signed before it is stored. On Solana, nothing else prevents a second send.
 */
const steps = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => [...(isSigned(name) ? [`before ${name}`] : []), `after ${name}`])

/** `refund_prepared` is a decision; its transaction is signed at `refund_prepared again`. */
const isSigned = (name: string): boolean => /_prepared( again)?$/.test(name) && name !== "refund_prepared"

/** Each family gets a part of the checkpoints: EVM chains the ones at which nonces can be lost. */
const isKilledAt = (scenario: Scenario, step: string): boolean => {
  const isEvm = /^after (.*_prepared|.*_prepared again|broadcast .*|accepted|origin_final)$/.test(step)
  return sideOf(scenario, step) === (isEvm ? "evm" : "solana")
}

/** The checkpoints of a scenario at which its servers are killed. A refund repeats the first steps of a delivery. */
const killsOf = (scenario: Scenario): ReadonlyArray<string> =>
  steps(paths[scenario.status].filter((name) => scenario.status === "settled" || !first.includes(name))).filter(
    (step) => isKilledAt(scenario, step)
  )

const chosen = (origin: string, destination: string, status: string) =>
  scenarios.filter(
    (scenario) =>
      scenario.origin === origin &&
      scenario.destination === destination &&
      scenario.status === status &&
      scenario.input !== "WETH"
  )

/** Each engine gets both families: one as the origin, the other as the destination. */
const onEngine = {
  SQLite: [...chosen("evmA", "solana", "settled"), ...chosen("solana", "evmB", "refunded")],
  PostgreSQL: [
    ...chosen("solana", "evmA", "settled"),
    ...chosen("evmA", "evmB", "refunded"),
    ...chosen("solana", "evmA", "failed")
  ]
}

plainIt("servers are killed after every checkpoint, and before every signed transaction is stored", () => {
  const names = [...certainSteps, ...occasionalSteps].flatMap((step) => step.match(/^after (.*)$/)?.[1] ?? [])
  expect(Object.values(onEngine).flat().flatMap(killsOf).toSorted()).toEqual(steps(names).toSorted())
})

describe.each(["SQLite", "PostgreSQL"] as const)("server on %s that is killed", (engine) => {
  describe.skipIf(engine === "PostgreSQL" && programs === undefined)("again and again", () => {
    layer(Fixture.layer(engine), { timeout: 240_000, excludeTestServices: true })((it) => {
      const test = (title: string, body: (fixture: Fixture.Shape) => Promise<void>) =>
        it.effect(
          title,
          () => Effect.flatMap(Fixture.Fixture, (fixture) => Effect.promise(() => body(fixture))),
          600_000
        )

      for (const scenario of onEngine[engine]) {
        const { destination, origin, status } = scenario
        const kills = killsOf(scenario)
        test(`leaves a swap from ${origin} to ${destination} ${status} once, after ${kills.length} kills`, (fixture) =>
          dieAtEach(fixture, scenario, kills))
      }

      if (engine === "SQLite") {
        const [delivered] = chosen("evmA", "evmB", "settled")
        const three = Array.from({ length: 3 }, () => delivered).filter((each) => each !== undefined)
        test("leaves no swap of a batch unfinished or executed twice", (fixture) =>
          dieAt(fixture, three, "after delivery_prepared", three.length))
      }

      test("leaves no stale state", async (fixture) => {
        const { ended, host } = fixture
        await host.kill()
        await expectClosed(fixture)
        await expectOnce(fixture, ended)
        expect(await idsIn(fixture)).toEqual(ended.map(({ swap }) => swap.swapId).toSorted())
      })
    })
  })
})
