import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import type { Chain } from "../src/Chains.js"
import * as Metrics from "../src/Metrics.js"
import * as QuorumMonitor from "../src/QuorumMonitor.js"
import { plainChain } from "./plainChain.js"

/** Chains whose nodes a test can take away. */
const scene = () => {
  const agreeing = new Map([
    [1, 3],
    [2, 3]
  ])
  const chainOf = (id: number, name: string): Chain => ({
    ...plainChain({
      family: "solana",
      id,
      name,
      tokens: [],
      costOf: () => Effect.succeed(0n),
      balanceOf: () => Effect.succeed(0n)
    }),
    agreement: Effect.sync(() => ({ nodes: 3, agreeing: agreeing.get(id) ?? 0, quorum: 2 }))
  })
  const chains = new Map([
    [1, chainOf(1, "One")],
    [2, chainOf(2, "Two")]
  ])
  return { agreeing, chains }
}

const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(effect).pipe(
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.provideService(Metric.MetricRegistry, new Map())
  )

const below = (id: number, name: string, count: number) =>
  `Chain ${id} (${name}) is below its quorum: ${count} of 3 nodes agree, and 2 must.`

describe("the monitor of quorums", () => {
  it.effect("reports a chain below its quorum as degraded, and the service as ready while another chain has it", () =>
    quiet(
      Effect.gen(function* () {
        const { agreeing, chains } = scene()
        const { degraded, problems } = yield* QuorumMonitor.make(chains)
        expect([yield* degraded, yield* problems]).toEqual([[], []])
        yield* TestClock.adjust(1)
        agreeing.set(1, 2)
        yield* TestClock.adjust(10_000)
        expect([yield* degraded, yield* problems]).toEqual([[], []])
        agreeing.set(1, 1)
        yield* TestClock.adjust(10_000)
        expect(yield* degraded).toEqual([below(1, "One", 1)])
        yield* TestClock.adjust(600_000)
        expect([yield* degraded, yield* problems]).toEqual([[below(1, "One", 1)], []])
        agreeing.set(1, 3)
        yield* TestClock.adjust(10_000)
        expect([yield* degraded, yield* problems]).toEqual([[], []])
      })
    )
  )

  it.effect("reports the service as not ready once no chain has had its quorum for 30 seconds", () =>
    quiet(
      Effect.gen(function* () {
        const { agreeing, chains } = scene()
        const { degraded, problems } = yield* QuorumMonitor.make(chains)
        agreeing.set(1, 1)
        yield* TestClock.adjust(20_000)
        agreeing.set(2, 0)
        yield* TestClock.adjust(10_000)
        expect(yield* degraded).toEqual([below(1, "One", 1), below(2, "Two", 0)])
        yield* TestClock.adjust(20_000)
        expect(yield* problems).toEqual([])
        yield* TestClock.adjust(10_000)
        expect(yield* problems).toEqual(["No chain has had a quorum of nodes for 30 seconds."])
        agreeing.set(2, 2)
        yield* TestClock.adjust(10_000)
        expect([yield* degraded, yield* problems]).toEqual([[below(1, "One", 1)], []])
      })
    )
  )

  it.effect("shows nodes, nodes that agree and the quorum of each chain as metrics", () =>
    quiet(
      Effect.gen(function* () {
        const { agreeing, chains } = scene()
        yield* QuorumMonitor.make(chains)
        agreeing.set(2, 1)
        yield* TestClock.adjust(1)
        const text = yield* Metrics.text
        for (const line of [
          'geoswap_chain_nodes{chain="1"} 3',
          'geoswap_chain_nodes_agreeing{chain="1"} 3',
          'geoswap_chain_nodes_agreeing{chain="2"} 1',
          'geoswap_chain_quorum{chain="2"} 2'
        ]) {
          expect(text.split("\n")).toContain(line)
        }
      })
    )
  )
})
