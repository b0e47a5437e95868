/** Two servers on one database, of which one is paused, or loses the database. */
import { expect } from "vitest"
import * as Fixture from "./replicas/fixture.js"
import { openBooks } from "./replicas/invariants.js"
import { quiet, type Replica } from "./replicas/replica.js"
import { answersWithout, isReady, resumed } from "./replicas/requests.js"
import { withTwoServers } from "./replicas/suite.js"
import { acrossEvm, finish, fromSolana, planAll, signAll, submit, swap, toSecondChain } from "./replicas/swaps.js"
import { elapse, make, until } from "./stack/fixture.js"

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

withTwoServers((test) => {
  test("share swaps so that a paused server does nothing about the swaps it lost", async (fixture) => {
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

  test("report a lost database, send nothing, and continue when it is back", async (fixture) => {
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

  test("fail a swap whose operation expires while both are paused, without a transfer", async (fixture) => {
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
})
