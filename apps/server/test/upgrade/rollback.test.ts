import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { pause } from "../crash/fixture.js"
import { until } from "../stack/fixture.js"
import { type Ended, expectClosed, expectEnd, expectPaid, logged, movesOf } from "./invariants.js"
import { clientOn, newPayers, reportOf, startOn, type Submitted } from "./mixedVersionSwap.js"
import { forged, refundOnly, refused } from "./newStates.js"
import { keepInEveryState, letGo, releaseChains, stateOf } from "./pausedSwaps.js"
import { layer as fixture, play, type Replica, type Setup } from "./fixture.js"

/** A server of another commit is built, and chains and a database are started. */
vi.setConfig({ hookTimeout: 600_000 })

const timeout = 900_000

const kill = async (replica: Replica): Promise<void> => {
  await Effect.runPromise(Effect.andThen(replica.kill("SIGKILL"), replica.ended))
}

/** Waits until a server has tried a swap twice more without effect. */
const tried = (replica: Replica, swap: Submitted) => logged(replica, swap, `"state":`, replica.stderr().length, 2)

/** The kept part of a refund. */
const networkCostOf = async ({ rows }: Setup, { swapId }: Submitted): Promise<bigint> =>
  BigInt(String((await rows(`SELECT network_cost FROM swaps WHERE id = '${swapId}'`))[0]?.["network_cost"]))

describe("rollback to the previous version", () => {
  layer(fixture, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "loses no swap and pays none twice, and the previous version leaves unknown states waiting",
      () =>
        play(async (setup) => {
          const { devnet, pausable, rows } = setup
          const { evmA, evmB } = devnet
          const payers = await newPayers(setup)
          const current = await setup.serve("current")
          const returning = await refundOnly(setup, current, payers)
          const unpaid = await forged(setup, current, payers)
          const partial = await refused(setup, current, payers)
          const kept = await keepInEveryState(setup, current, payers, partial)
          for (const swap of [...kept, ...partial]) expect(await stateOf(setup, swap)).toBe(swap.state)
          for (const { swapId } of partial) {
            const [row] = await rows(`SELECT refund_amount FROM swap_details WHERE swap_id = '${swapId}'`)
            if (typeof row?.["refund_amount"] !== "string") throw new Error(await reportOf(setup, swapId))
          }

          const previous = await setup.serve("previous")
          const beside = await clientOn(setup, { status: previous })
          expect((await beside.status(returning.swapId)).status).toBe("pending")
          await kill(current)
          await letGo(setup)
          await releaseChains(setup)

          // It finishes the states that it knows, and serves new flows.
          const ended: Array<Ended> = []
          for (const submitted of kept) {
            ended.push({ submitted, swap: await expectEnd(setup, [previous], submitted, submitted.end) })
          }
          for (const origin of ["evmA", "solana"] as const) {
            const wish = { origin, destination: "evmB" } as const
            const submitted = await startOn(setup, { status: previous }, payers, wish)
            ended.push({ submitted, swap: await expectEnd(setup, [previous], submitted, "settled") })
          }

          // It does not deliver a swap that is only refunded, even once that is possible.
          await pause(devnet, evmB, pausable.output, false)
          await tried(previous, returning)
          expect(await stateOf(setup, returning)).toMatch(/^refund_/)
          expect(await movesOf(setup, returning)).toEqual({ collected: 1, delivered: 0, refunded: 0 })
          // It sends a signed refund, and does not take a partial refund for a full one.
          for (const swap of partial) {
            await until(async () => (await movesOf(setup, swap)).refunded === 1)
            await tried(previous, swap)
            expect(await stateOf(setup, swap)).toBe("refund_sent")
            expect(await movesOf(setup, swap)).toEqual({ collected: 1, delivered: 0, refunded: 1 })
          }
          // It reserves nothing for an operation whose nonce is used.
          expect(await stateOf(setup, unpaid)).toBe("accepted")
          expect(await rows("SELECT swap_id FROM claims")).toEqual([])

          const again = await setup.serve("current")
          await pause(devnet, evmA, pausable.input, false)
          const returned = await expectEnd(setup, [again, previous], returning, "refunded")
          expect(returned.refundAmount).toBeUndefined()
          for (const submitted of partial) {
            const swap = await expectEnd(setup, [again, previous], submitted, "refunded")
            expect(swap.refundAmount).toBe(submitted.request.amount - (await networkCostOf(setup, submitted)))
            ended.push({ submitted, swap })
          }
          const failed = await expectEnd(setup, [again, previous], unpaid, "failed")
          expect(failed.failureCode).toBe("OPERATION_EXPIRED")
          await expectClosed(setup)
          await expectPaid(setup, payers, ended)
        }),
      timeout
    )
  })
})
