/** Two servers on one database. The long tests have many more swaps and faults. */
import { expect } from "vitest"
import { elapse, make, until } from "../stack/fixture.js"
import { resumed } from "../stack/requests.js"
import * as Fixture from "./fixture.js"
import { openBooks } from "./invariants.js"
import { without } from "./paused.js"
import { quiet } from "./replica.js"
import { createOnce, withTwoServers } from "./suite.js"
import { finish, planAll, signAll, submit, toSecondChain } from "./swaps.js"

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

  createOnce(test, 10)
})
