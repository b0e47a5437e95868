/** Transactions after they were sent. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { SwapRecord } from "../../src/domain/SwapRecord.js"
import { broadcast } from "../../src/execution/steps/stepActions.js"
import type { Worker } from "../../src/execution/Worker.js"
import { attempt, bytes, order } from "../../src/testing/storeContract/fixture.js"
import { reorganized, slow, succeeds } from "../chains/scriptedChain.js"
import { hashesOf, on, settled, stateOf, together } from "./batchScenarios.js"

describe("a transaction", () => {
  it.effect("is not broadcast once another process may have claimed its swap", () =>
    Effect.gen(function* () {
      const swap: SwapRecord = { ...order(1), state: "origin_prepared", version: 1, updatedAt: 0, reserved: true }
      const sent: Array<string> = []
      const worker = {
        chains: new Map([[swap.originChain, { broadcast: () => Effect.sync(() => sent.push("sent")) }]]),
        heldUntil: new Map([[swap.id, 1_000]]),
        sentAt: new Map(),
        refused: new Map()
      } as unknown as Worker
      yield* TestClock.setTime(999)
      yield* broadcast(worker, swap, "collect", attempt(1))
      expect(sent).toEqual(["sent"])
      yield* TestClock.setTime(1_000)
      expect(yield* Effect.flip(broadcast(worker, swap, "collect", attempt(1)))).toMatchObject({ _tag: "Conflict" })
      expect(sent).toEqual(["sent"])
    })
  )
})

describe("a transaction that nodes drop", () => {
  it.effect("is broadcast again until a block includes it, and is not signed again", () =>
    on(({ accept, destination, ended, origin, start, store }) =>
      Effect.gen(function* () {
        origin.script.drops = 2
        destination.script.drops = 1
        const id = yield* accept()
        yield* start()
        expect(yield* ended(id)).toMatchObject({ state: "settled" })
        for (const kind of ["collect", "deliver"] as const) expect(yield* store.attempts(id, kind)).toHaveLength(1)
      })
    )
  )
})

describe("a collection that is reorganized away", () => {
  it.effect("no longer has a block, so that its input counts against the wallet's balance again", () =>
    on(({ accept, ended, origin, start, swapOf }) =>
      Effect.gen(function* () {
        origin.script.fates.push({ ...reorganized, includedAfter: 8_000, finalAfter: 60_000 })
        const id = yield* accept()
        yield* start()
        const blocks: Array<boolean> = []
        for (let second = 0; second < 40; second++) {
          const { originBlock, state } = yield* swapOf(id)
          const hasBlock = originBlock !== undefined
          if (state === "origin_sent" && blocks.at(-1) !== hasBlock) blocks.push(hasBlock)
          yield* TestClock.adjust(1_000)
        }
        expect(blocks).toEqual([false, true, false, true])
        expect(yield* ended(id)).toMatchObject({ state: "settled" })
      })
    )
  )
})

describe("the separate collection of a swap that a batch has left out", () => {
  it.effect("is sent again with a higher fee, without the other swaps of the batch", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.leftOut.add(`collect ${bytes(1)}`)
        const ids = yield* together(all, { origin: [succeeds, slow] })
        expect(yield* stateOf(all, ids)).toEqual(settled)
        const hashes = yield* hashesOf(all, ids, "collect")
        expect(hashes.map(({ length }) => length)).toEqual([3, 1, 1])
      })
    )
  )
})
