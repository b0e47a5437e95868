import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { spentWei } from "../../src/metrics/series.js"
import { layerRegistry } from "../../src/monitoring/Metrics.js"
import { bytes } from "../../src/testing/storeContract/fixture.js"
import { type Fate, reverts, succeeds } from "../chains/scriptedChain.js"
import { fixture } from "./fixture.js"

type Fixture = Effect.Success<typeof fixture>

/** Runs a test on its own chains, store and metrics. */
const on = <A, E>(test: (all: Fixture) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(fixture, test)).pipe(
    Effect.provide(layerRegistry),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Random.withSeed("spent gas")
  )

/** The ledger of a swap: `kind cost/settled: share`. */
const ledgerOf = ({ store }: Fixture, id: string) =>
  Effect.map(store.spentGas.of([id]), (entries) =>
    entries.map(({ cost, kind, settled, share }) => `${kind} ${cost}/${settled}: ${share}`)
  )

const spentOn = (chain: number, kind: string): Effect.Effect<number> =>
  Effect.map(Metric.value(spentWei({ chain: String(chain), kind })), ({ count }) => count)

describe("the ledger of spent gas", () => {
  it.effect("has what the collection and the delivery of a swap cost", () =>
    on((all) =>
      Effect.gen(function* () {
        const id = yield* all.accept()
        yield* all.start()
        expect((yield* all.ended(id)).state).toBe("settled")
        expect(yield* ledgerOf(all, id)).toEqual(["collect 60/1: 60", "deliver 60/1: 60"])
        const { deliveryTxHash, originTxHash } = yield* all.swapOf(id)
        const entries = yield* all.store.spentGas.of([id])
        expect(entries).toMatchObject([
          { chainId: 31_337, hash: originTxHash, gasUsed: 6n, gasPrice: 10n },
          { chainId: 31_338, hash: deliveryTxHash, gasUsed: 6n, gasPrice: 10n }
        ])
        expect([yield* spentOn(31_337, "collect"), yield* spentOn(31_338, "deliver")]).toEqual([60, 60])
      })
    )
  )

  it.effect("has what a refund and the reverted deliveries before it cost", () =>
    on((all) =>
      Effect.gen(function* () {
        all.destination.script.fates.push(reverts, reverts, reverts)
        const id = yield* all.accept()
        yield* all.start()
        const ended = yield* all.ended(id)
        expect(ended.state).toBe("refunded")
        const deliveries = (yield* all.store.attempts(id, "deliver")).map(({ hash }) => hash)
        expect(deliveries).toContain(ended.revertedTxHash)
        expect(yield* ledgerOf(all, id)).toEqual([
          "collect 60/1: 60",
          "deliver 60/0: 60",
          "deliver 60/0: 60",
          "deliver 60/0: 60",
          "refund 60/1: 60"
        ])
        expect(yield* spentOn(31_338, "deliver")).toBe(180)
      })
    )
  )

  it.effect("has the loss of a swap whose collection reverted", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.fates.push(reverts)
        const id = yield* all.accept()
        yield* all.start()
        expect((yield* all.ended(id)).state).toBe("failed")
        expect(yield* ledgerOf(all, id)).toEqual(["collect 60/0: 60"])
      })
    )
  )

  it.effect("divides the cost of a batch by the swaps that it settled", () =>
    on((all) =>
      Effect.gen(function* () {
        // A swap keeps the relayer busy until three others are ready. The batch leaves one of them out.
        const first: Fate = { end: "succeeds", includedAfter: 6_000, finalAfter: 6_000 }
        all.origin.script.fates.push(first)
        all.origin.script.leftOut.add(`collect ${bytes(2)}`)
        yield* all.accept({}, 0)
        yield* all.start()
        yield* TestClock.adjust(0)
        const ids = yield* Effect.forEach([1, 2, 3], (number) => all.accept({}, number))
        for (const id of ids) expect((yield* all.ended(id)).state).toBe("settled")
        const collects = yield* Effect.forEach(ids, (id) =>
          Effect.map(ledgerOf(all, id), (entries) => entries.filter((entry) => entry.startsWith("collect")))
        )
        expect(collects).toEqual([
          ["collect 180/2: 90"],
          ["collect 180/2: 0", "collect 60/1: 60"],
          ["collect 180/2: 90"]
        ])
        // Together, the swaps have spent what the three transactions cost.
        expect(yield* spentOn(31_337, "collect")).toBe(60 + 180 + 60)
      })
    )
  )

  for (const step of ["before origin_final", "after origin_final", "before settled"]) {
    it.effect(`has each transaction once if the process is killed ${step}`, () =>
      on((all) =>
        Effect.gen(function* () {
          const id = yield* all.accept()
          let killed = false
          yield* all.start((checkpoint) => {
            if (checkpoint !== step) return undefined
            killed = true
            return "kill"
          })
          yield* all.ended(id, 30_000)
          expect(killed).toBe(true)
          yield* all.start()
          expect((yield* all.ended(id)).state).toBe("settled")
          expect(yield* ledgerOf(all, id)).toEqual(["collect 60/1: 60", "deliver 60/1: 60"])
          expect([yield* spentOn(31_337, "collect"), yield* spentOn(31_338, "deliver")]).toEqual([60, 60])
        })
      )
    )
  }

  it.effect("is written before the swap changes", () =>
    on((all) =>
      Effect.gen(function* () {
        const id = yield* all.accept()
        yield* all.start((checkpoint) => (checkpoint === "before origin_final" ? "kill" : undefined))
        yield* all.ended(id, 30_000)
        expect((yield* all.swapOf(id)).state).toBe("origin_sent")
        expect(yield* ledgerOf(all, id)).toEqual(["collect 60/1: 60"])
      })
    )
  )

  it.effect("does not hold up a swap whose costs cannot be read", () =>
    on((all) =>
      Effect.gen(function* () {
        all.origin.script.unpriced = true
        const id = yield* all.accept()
        yield* all.start()
        expect((yield* all.ended(id)).state).toBe("settled")
        expect(yield* ledgerOf(all, id)).toEqual(["deliver 60/1: 60"])
      })
    )
  )

  it.effect("does not hold up a swap if it cannot be written, and gets the costs later", () =>
    on((all) =>
      Effect.gen(function* () {
        const { accept, ended, origin, sql, start } = all
        yield* sql`ALTER TABLE spent_gas RENAME TO away`
        // The second swap is collected after the first one is settled.
        origin.script.fates.push(succeeds, { end: "succeeds", includedAfter: 20_000, finalAfter: 40_000 })
        const id = yield* accept({}, 1)
        yield* start()
        yield* TestClock.adjust(0)
        const next = yield* accept({}, 2)
        expect((yield* ended(id)).state).toBe("settled")
        expect(yield* sql`SELECT * FROM away`).toEqual([])
        yield* sql`ALTER TABLE away RENAME TO spent_gas`
        expect((yield* ended(next)).state).toBe("settled")
        for (const one of [id, next]) {
          expect(yield* ledgerOf(all, one)).toEqual(["collect 60/1: 60", "deliver 60/1: 60"])
        }
        expect([yield* spentOn(31_337, "collect"), yield* spentOn(31_338, "deliver")]).toEqual([120, 120])
      })
    )
  )
})
