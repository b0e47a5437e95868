/** Two servers on one PostgreSQL, for the tests of a file. */
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { type SeededRandom, seededRandom } from "../../../../tooling/testing/seededRandom.js"
import { make } from "../stack/fixture.js"
import { programs } from "../stack/postgres/cluster.js"
import { inTurmoil } from "./faults.js"
import * as Fixture from "./fixture.js"
import { openBooks } from "./invariants.js"
import { mixed, planAll, swapAll } from "./swaps.js"

// Two servers, two chains and a database must stop.
vi.setConfig({ hookTimeout: 60_000 })

/** Far more than a test takes on an idle machine. */
const slow = 600_000

/** Restores what a failed test left behind, so that the next tests do not wait for it. */
const restore = async ({ devnet, replicas }: Fixture.Shape): Promise<void> => {
  for (const replica of replicas) {
    try {
      replica.resume()
    } catch {
      // It is dead, so it is not paused.
    }
    replica.wire.silence(false)
    replica.wire.mend()
    replica.isIn = true
  }
  await make(devnet.evmA.release)
  await make(devnet.evmB.release)
}

type Test = (title: string, body: (fixture: Fixture.Shape) => Promise<void>, millis?: number) => void

/** Runs tests with two servers. */
export const withTwoServers = (tests: (test: Test) => void): void => {
  describe.skipIf(programs === undefined)("on PostgreSQL", () => {
    describe("two servers", () => {
      layer(Fixture.layer, { timeout: slow, excludeTestServices: true })((it) => {
        tests((title, body, millis = slow) => {
          const run = async (fixture: Fixture.Shape) => {
            try {
              await body(fixture)
            } finally {
              await restore(fixture)
            }
          }
          it.effect(
            title,
            () => Effect.flatMap(Fixture.Fixture, (fixture) => Effect.promise(() => run(fixture))),
            millis
          )
        })
      })
    })
  })
}

/** Ten submits at once for each of many swaps. */
export const createOnce = (test: Test, count: number): void =>
  test(`create ${count} swaps from ${10 * count} submits, with one sequence of nonces`, async (fixture) => {
    const { replicas } = fixture
    const plans = await planAll(fixture, mixed(count))
    const close = await openBooks(fixture, plans)
    const before = replicas.map(({ host }) => host.server().lines.length)
    const all = await swapAll(fixture, plans, 10)
    await close(all)
    const steps = replicas.flatMap(({ host }, index) => host.server().lines.slice(before[index]))
    const timesOf = (word: string) => steps.filter((line) => new RegExp(`^step ${word} .*_prepared$`).test(line)).length
    const [signatures, stored] = [timesOf("before"), timesOf("after")]
    process.stdout.write(`${signatures - stored} of ${signatures} signatures had a nonce that the other took\n`)
    // Two transactions for each swap that did not expire. Each replica signs one at a time, so that of two with
    // the same nonce only one is stored.
    expect(stored).toBeGreaterThanOrEqual(2 * count)
    expect(signatures - stored).toBeLessThanOrEqual(stored)
  })

/** Many swaps, with faults meanwhile. */
export const finishDespite = (
  test: Test,
  title: string,
  { count, rounds = 1, seed }: { readonly count: number; readonly rounds?: number; readonly seed: number },
  faults: (fixture: Fixture.Shape, random: SeededRandom) => ReadonlyArray<() => Promise<void>>
): void =>
  test(
    title,
    async (fixture) => {
      process.stdout.write(`${rounds} rounds with CHAOS_SEED=${seed}\n`)
      for (let round = 0; round < rounds; round++) {
        const random = seededRandom(seed, round)
        const plans = await planAll(fixture, mixed(count))
        const close = await openBooks(fixture, plans)
        const all = await inTurmoil(fixture, plans, faults(fixture, random), random)
        await close(all)
        process.stdout.write(`Round ${round}: ${all.length - plans.length} of ${all.length} swaps expired\n`)
      }
    },
    rounds * slow
  )
