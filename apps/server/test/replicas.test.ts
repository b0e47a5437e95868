/** Two servers on one database. `replicas.long.test.ts` has many more swaps and faults. */
import { expect } from "vitest"
import type { Ended } from "./crash/swap.js"
import { kills } from "./replicas/faults.js"
import { openBooks } from "./replicas/invariants.js"
import { heldElsewhere, heldMillis, relisten } from "./replicas/longPolling.js"
import { createOnce, finishDespite, withTwoServers } from "./replicas/suite.js"
import { planAll, toSecondChain } from "./replicas/swaps.js"

withTwoServers((test) => {
  test("wake callers of one server when the other finishes the swap", async (fixture) => {
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

  createOnce(test, 10)

  const title = "finish 9 swaps although both servers are killed and the database restarts"
  finishDespite(test, title, { count: 9, seed: 1 }, kills)
})
