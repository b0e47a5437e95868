/** Two servers on one database, of which one finishes the swap of another, loses the database, or is paused. */
import { expect } from "vitest"
import type { Ended } from "../faults/crash/swap.js"
import { make, until } from "../stack/fixture.js"
import { answersWithout, isReady, resumed } from "../stack/requests.js"
import * as Fixture from "./fixture.js"
import { openBooks } from "./invariants.js"
import { heldElsewhere, heldMillis, relisten } from "./longPolling.js"
import { without } from "./paused.js"
import { quiet } from "./replica.js"
import { withTwoServers } from "./suite.js"
import { acrossEvm, finish, fromSolana, planAll, signAll, submit, swap, toSecondChain } from "./swaps.js"

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
