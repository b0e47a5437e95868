import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { seededRandom } from "../../../tooling/testing/seededRandom.js"
import { chaosOf } from "./crash/chaosRounds.js"
import type { Ended } from "./crash/swap.js"
import { programs } from "./postgres/cluster.js"
import { answersWithout, isReady, resumed } from "./replicas/requests.js"
import { openBooks } from "./replicas/invariants.js"
import { quiet, type Replica } from "./replicas/replica.js"
import { inTurmoil } from "./replicas/faults.js"
import {
  acrossEvm,
  finish,
  fromSolana,
  mixed,
  planAll,
  signAll,
  submit,
  swap,
  swapAll,
  toSecondChain
} from "./replicas/swaps.js"
import { heldElsewhere, heldMillis, relisten } from "./replicas/longPolling.js"
import * as Fixture from "./replicas/fixture.js"
import { elapse, make, until } from "./stack/fixture.js"

// Two servers, two chains and a database must stop.
vi.setConfig({ hookTimeout: 60_000 })

/** About a minute each on an idle machine, plus the start of the two servers. */
const slow = 600_000

const { isLong, rounds, seed } = chaosOf(1, 10)
/** As many as fit into a minute with an emulated anvil; `pnpm chaos` runs more. */
const count = isLong ? 100 : 40

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

/** Runs an action while a replica is paused, so that another one gets all submits. */
const without = async <A>(replica: Replica, task: () => Promise<A>): Promise<A> => {
  replica.isIn = false
  replica.pause()
  try {
    return await task()
  } finally {
    await resumed(replica)
    replica.isIn = true
  }
}

describe.skipIf(programs === undefined)("on PostgreSQL", () => {
  describe("two servers", () => {
    layer(Fixture.layer, { timeout: slow, excludeTestServices: true })((it) => {
      const test = (title: string, millis: number, body: (fixture: Fixture.Shape) => Promise<void>) => {
        const run = async (fixture: Fixture.Shape) => {
          try {
            await body(fixture)
          } finally {
            await restore(fixture)
          }
        }
        return it.effect(
          title,
          () => Effect.flatMap(Fixture.Fixture, (fixture) => Effect.promise(() => run(fixture))),
          millis
        )
      }

      test("wake callers of one server when the other finishes the swap", slow, async (fixture) => {
        const plans = await planAll(fixture, toSecondChain(2))
        const close = await openBooks(fixture, plans)
        const ends: Array<Ended> = []
        for (const plan of plans) {
          const { body, ended, millis } = await heldElsewhere(fixture, plan)
          expect(body).toMatchObject({ swapId: ended.swap.swapId, status: "settled" })
          // It was held, and woken before its timeout.
          expect(millis).toBeGreaterThan(heldMillis)
          expect(millis).toBeLessThan(15_000)
          ends.push(ended)
          // Closes the listeners, which reconnect: the next caller is woken as well.
          expect(await relisten(fixture)).toBe(2)
        }
        await close(ends)
      })

      test("share swaps so that a paused server does nothing about the swaps it lost", slow, async (fixture) => {
        const { apiKeys, devnet, replicas, rows } = fixture
        const [first, second] = replicas
        const atFirst = { client: await Fixture.clientOf(devnet, apiKeys[0], [first]) }
        const plans = await planAll(fixture, toSecondChain(2))
        const close = await openBooks(fixture, plans)
        const signed = await signAll(fixture, plans)
        // No transaction is included, so that nothing else changes a swap.
        await make(devnet.evmA.hold)
        await first.pauseAt("after origin_prepared", signed.length)
        const open = () =>
          rows("SELECT id, lease_owner, state, version FROM swaps WHERE lease_owner IS NOT NULL ORDER BY id")
        const lost = await without(second, () => {
          for (const each of signed) void submit(atFirst, each).catch(() => undefined)
          return until(async () => {
            const all = await open()
            return all.length === signed.length && all.every(({ state }) => state !== "accepted") && all
          })
        })
        first.isIn = false
        const owner = lost[0]?.["lease_owner"]
        expect(lost.map(({ lease_owner }) => lease_owner)).toEqual(signed.map(() => owner))
        expect(lost.filter(({ state }) => state === "origin_prepared").length).toBeGreaterThan(0)
        const taken = await until(async () => {
          const all = await open()
          return all.every(({ lease_owner, state }) => lease_owner !== owner && state === "origin_sent") && all
        })
        const sent = await first.broadcasts()
        await resumed(first)
        // It may have given a transaction to its HTTP client before the pause. This one is still sent, but no other.
        await quiet(first)
        const late = (await first.broadcasts()) - sent
        expect(late).toBeLessThan(signed.length)
        // Longer than the 5 seconds after which it checks its leases.
        await elapse(8_000)
        expect(await open()).toEqual(taken)
        expect(await first.broadcasts()).toBe(sent + late)
        first.isIn = true
        await make(devnet.evmA.release)
        await close(await Promise.all(signed.map((each) => finish(fixture, each))))
      })

      test("report a lost database, send nothing, and continue when it is back", slow, async (fixture) => {
        const { apiKeys, devnet, postgres, replicas } = fixture
        const [first, second] = replicas
        const atFirst = { client: await Fixture.clientOf(devnet, apiKeys[0], [first]) }
        const plans = await planAll(fixture, acrossEvm(4))
        const close = await openBooks(fixture, plans)
        const signed = await signAll(fixture, plans)
        await make(devnet.evmA.hold)
        await make(devnet.evmB.hold)
        const { lines, said } = first.host.server()
        const since = lines.length
        const submitted = await without(second, async () => {
          const swaps = await Promise.all(signed.map((each) => submit(atFirst, each)))
          // Until all of them are sent again every two seconds.
          await said(/^step after origin_sent$/, signed.length, since)
          return swaps
        })
        const swapId = submitted[0]?.swapId ?? ""

        first.wire.cut()
        first.isIn = false
        await answersWithout(first, apiKeys, signed[0], swapId)
        await quiet(first)
        expect(await isReady(second)).toBe(true)
        first.wire.mend()
        await until(() => isReady(first))

        first.wire.silence(true)
        await answersWithout(first, apiKeys, signed[0], swapId)
        first.wire.silence(false)
        await until(() => isReady(first))

        await postgres.stop("fast")
        await Promise.all(replicas.map((each) => answersWithout(each, apiKeys, signed[0], swapId)))
        await postgres.start()
        for (const each of replicas) await until(() => isReady(each))
        first.isIn = true
        await make(devnet.evmA.release)
        await make(devnet.evmB.release)
        await close(await Promise.all(signed.map((each) => finish(fixture, each))))
      })

      test("fail a swap whose operation expires while both are paused, without a transfer", slow, async (fixture) => {
        const { devnet, replicas, rows } = fixture
        const [first, second] = replicas
        const plans = await planAll(fixture, fromSolana)
        const close = await openBooks(fixture, plans)
        second.isIn = false
        second.pause()
        await first.pauseAt("after accepted", plans.length)
        const ends = Promise.all(plans.map((each) => swap(fixture, each)))
        await until(async () => (await rows("SELECT id FROM swaps WHERE state = 'accepted'")).length === plans.length)
        await make(devnet.solana.expireBlockhashes)
        for (const each of replicas) await resumed(each)
        second.isIn = true
        const all = (await ends).flat()
        expect(all[0]?.swap).toMatchObject({ status: "failed", failureCode: "OPERATION_EXPIRED" })
        expect(all.at(-1)?.swap).toMatchObject({ status: "settled" })
        await close(all)
      })

      test(`create ${count} swaps from ${10 * count} submits, with one sequence of nonces`, slow, async (fixture) => {
        const { replicas, rows } = fixture
        const plans = await planAll(fixture, mixed(count))
        const close = await openBooks(fixture, plans)
        const before = replicas.map(({ host }) => host.server().lines.length)
        const all = await swapAll(fixture, plans, 10)
        await close(all)
        const steps = replicas.flatMap(({ host }, index) => host.server().lines.slice(before[index]))
        const timesOf = (word: string) =>
          steps.filter((line) => new RegExp(`^step ${word} .*_prepared$`).test(line)).length
        const [signatures, stored] = [timesOf("before"), timesOf("after")]
        process.stdout.write(`${signatures - stored} of ${signatures} signatures had a nonce that the other took\n`)
        // Two transactions for each swap that did not expire. Each replica signs one at a time, so that of two with
        // the same nonce only one is stored.
        expect(stored).toBeGreaterThanOrEqual(2 * count)
        expect(signatures - stored).toBeLessThanOrEqual(stored)
        expect(await rows("SELECT swap_id FROM batch_items")).not.toEqual([])
      })

      test(
        `finish ${count} swaps although both servers are killed and paused and the database restarts`,
        rounds * slow,
        async (fixture) => {
          process.stdout.write(`${rounds} rounds with CHAOS_SEED=${seed}\n`)
          for (let round = 0; round < rounds; round++) {
            const plans = await planAll(fixture, mixed(count))
            const close = await openBooks(fixture, plans)
            const all = await inTurmoil(fixture, plans, seededRandom(seed, round))
            await close(all)
            process.stdout.write(`Round ${round}: ${all.length - plans.length} of ${all.length} swaps expired\n`)
          }
        }
      )
    })
  })
})
