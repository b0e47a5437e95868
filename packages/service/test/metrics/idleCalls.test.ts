import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import type { Chain } from "../../src/chains/Chains.js"
import * as QuorumMonitor from "../../src/chains/QuorumMonitor.js"
import * as Metrics from "../../src/monitoring/Metrics.js"
import type { Store } from "../../src/store/Store.js"
import { EvmFixture, layer as fixtureLayer } from "../chains/evm/fixture.js"

const store: Pick<Store, "underway" | "reserved" | "nextNonce"> & { readonly lanes: Pick<Store["lanes"], "all"> } = {
  lanes: { all: Effect.succeed([]) },
  underway: Effect.succeed([]),
  reserved: Effect.succeed([]),
  nextNonce: () => Effect.succeed(0)
}

describe("an idle server with metrics", () => {
  layer(fixtureLayer, { timeout: 120_000 })((it) => {
    it.effect("sends at most 10,000 calls a day to an EVM chain with two nodes", () =>
      Effect.gen(function* () {
        const { doubled, node } = yield* EvmFixture
        yield* node.mine(3)
        const { chain, one, two } = yield* doubled({ pollMillis: 1_000 })
        const calls = Effect.map(Effect.all([one.calls(), two.calls()]), ([first, second]) => first + second)
        const answered = Effect.map(Effect.all([one.forwarded(), two.forwarded()]), ([first, second]) => first + second)
        /** Waits in real time until every call has been answered and no other one follows. */
        const settled = Effect.gen(function* () {
          for (let quiet = 0, before = -1; quiet < 5;) {
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
            const now = yield* calls
            quiet = now === before && now === (yield* answered) ? quiet + 1 : 0
            before = now
          }
        })
        const directory = { chains: new Map<number, Chain>([[chain.id, chain]]), natives: new Map<number, string>() }
        yield* QuorumMonitor.make(directory.chains)
        yield* Metrics.watch({
          sampleMillis: 120_000,
          directory,
          store: store as Store,
          signals: { waiting: Effect.succeed(0) },
          executor: { working: Effect.succeed(0) }
        })
        yield* settled
        const before = yield* calls
        for (let minute = 0; minute < 30; minute++) {
          yield* node.mine()
          yield* TestClock.adjust("1 minute")
          yield* settled
        }
        const text = yield* Metrics.text
        expect(text).toContain(`geoswap_chain_nodes_agreeing{chain="${chain.id}"} 2`)
        expect(text).toMatch(/geoswap_relayer_balance\{.*\} [1-9]/)
        const halfHourly = (yield* calls) - before
        expect(halfHourly).toBeGreaterThan(50)
        expect(halfHourly * 48).toBeLessThanOrEqual(10_000)
      }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
    )
  })
})
