import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import { TestClock } from "effect/testing"
import type { Chain } from "../../src/chains/Chains.js"
import * as QuorumMonitor from "../../src/chains/QuorumMonitor.js"
import * as Metrics from "../../src/monitoring/Metrics.js"
import { plainChain } from "../../src/testing/plainChain.js"

/** Chains whose nodes a test can take down. */
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
  `Chain ${id} (${name}) is below its quorum: ${count} of 3 nodes agree, but 2 must.`

describe("QuorumMonitor", () => {
  it.effect("reports a chain below its quorum as degraded, and the service as ready while another chain has it", () =>
    quiet(
      Effect.gen(function* () {
        const { agreeing, chains } = scene()
        const { degraded, problems } = yield* QuorumMonitor.make(chains)
        expect([yield* degraded, yield* problems]).toEqual([[], []])
        yield* TestClock.adjust(1)
        agreeing.set(1, 2)
        yield* TestClock.adjust(90_000)
        expect([yield* degraded, yield* problems]).toEqual([[], []])
        agreeing.set(1, 1)
        yield* TestClock.adjust(90_000)
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
        yield* TestClock.adjust(70_000)
        expect(yield* degraded).toEqual([below(1, "One", 1), below(2, "Two", 0)])
        yield* TestClock.adjust(20_000)
        expect(yield* problems).toEqual([])
        yield* TestClock.adjust(10_000)
        expect(yield* problems).toEqual(["For the last 30 seconds, no chain has had a quorum of nodes."])
        agreeing.set(2, 2)
        yield* TestClock.adjust(10_000)
        expect([yield* degraded, yield* problems]).toEqual([[below(1, "One", 1)], []])
      })
    )
  )

  it.effect("exports the nodes, the agreeing nodes and the quorum of each chain as metrics", () =>
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

describe("QuorumMonitor.weaknesses", () => {
  const weaknesses = (hosts: ReadonlyArray<string>, quorum?: number) =>
    QuorumMonitor.weaknesses({
      id: 1,
      name: "One",
      rpcUrls: hosts.map((host, index) => `https://${host}/secret-${index}`),
      ...(quorum !== undefined && { quorum })
    })

  it.each([
    ["three operators", ["a.example", "b.example", "c.example"], undefined],
    ["two of three on one host that cannot decide alone", ["a.example", "b.example", "b.example"], 3],
    ["a node on this machine", ["localhost"], undefined],
    ["nodes on this machine", ["127.0.0.1:1", "127.0.0.1:2", "[::1]:3"], undefined]
  ])("finds none: %s", (_, hosts, quorum) => {
    expect(weaknesses(hosts, quorum)).toEqual([])
  })

  it.each([
    ["a single node", ["a.example"], undefined, "the service relies on a single node, a.example."],
    ["any one of three", ["a.example", "b.example", "c.example"], 1, "a quorum of 1 is not a majority of its 3 nodes"],
    ["two of four", ["a.example", "b.example", "c.example", "d.example"], 2, "a quorum of 2 is not a majority"],
    ["one host twice", ["a.example", "b.example", "b.example"], undefined, "the nodes at b.example alone reach"],
    ["one host on two ports", ["a.example:1", "a.example:2"], undefined, "the nodes at a.example alone reach"]
  ])("names hosts without their URLs: %s", (_, hosts, quorum, words) => {
    const found = weaknesses(hosts, quorum)
    expect(found).toEqual([expect.stringContaining(`Chain 1 (One): ${words}`)])
    expect(found.join()).not.toContain("secret")
  })
})
