/** How many of the caller's nodes must respond and agree. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { Combine } from "../src/adapters/quorum.js"
import { connectNodes, type NodeOptions, quorumAmount, quorumState, unanimous } from "../src/adapters.js"

const chainId = 8453

/** A node that has failed, and a node that never responds. */
const dead = "dead"
const silent = "silent"

/** Reads from nodes with these results. */
const readAll = <A>(results: ReadonlyArray<unknown>, combine: Combine<A>, quorum?: number) => {
  const urls = results.map((_, index) => `https://node.example/${index}`)
  const fetch: NonNullable<NodeOptions["fetch"]> = (url) => {
    const result = results[urls.indexOf(url)]
    if (result === silent) return new Promise(() => undefined)
    return result === dead
      ? Promise.reject(new TypeError("fetch failed"))
      : Promise.resolve(Response.json({ id: 1, result }))
  }
  const options: NodeOptions = { rpcUrls: { [chainId]: urls }, fetch, quorum }
  const readNodes = connectNodes(options, {
    check: () => Effect.void,
    exampleChainId: chainId,
    defaultFetch: () => Promise.reject(new Error("not used"))
  })
  return readNodes(chainId, (call) => Effect.map(call("read", []), (answer) => answer as A), combine, String)
}

const stateOf = (results: ReadonlyArray<unknown>, quorum?: number) => readAll(results, quorumState, quorum)
const amountOf = (results: ReadonlyArray<unknown>, quorum?: number) =>
  readAll<bigint>(results, (found, needed) => quorumAmount(found.map(BigInt), needed), quorum)

describe("a state", () => {
  it.effect.each<readonly [ReadonlyArray<unknown>, number | undefined, string]>([
    [["used"], undefined, "used"],
    [["expired"], undefined, "expired"],
    [["expired", "expired"], undefined, "expired"],
    [["expired", "open"], undefined, "open"],
    [["used", "used", "open"], undefined, "used"],
    [["expired", "expired", "open"], undefined, "expired"],
    [["expired", "open", "open"], undefined, "open"],
    [["expired", "expired", dead], undefined, "expired"],
    [["expired", "open", dead], undefined, "open"],
    [["expired", "expired", "open"], 3, "open"],
    [["expired", dead], 1, "expired"]
  ])("of nodes that report %s, with quorum %s, is %s", ([results, quorum, expected]) =>
    Effect.gen(function* () {
      expect(yield* stateOf(results, quorum)).toBe(expected)
    })
  )

  it.effect("is never decided by a single node of several", () =>
    Effect.gen(function* () {
      for (const results of [
        ["expired", dead],
        ["expired", dead, dead],
        [dead, "used", dead]
      ]) {
        const error = yield* Effect.flip(stateOf(results))
        expect(error.message).toContain(`2 of ${results.length} nodes must respond.`)
      }
    })
  )

  it.effect("is contradictory if one node reports used and another expired, no matter how many", () =>
    Effect.gen(function* () {
      for (const quorum of [undefined, 1, 3]) {
        const error = yield* Effect.flip(stateOf(["expired", "used", "expired"], quorum))
        expect(error.message).toContain("contradict each other: node 1 reports expired; node 2 reports used")
      }
    })
  )

  it.effect("does not need a silent node, once that node has timed out", () =>
    Effect.gen(function* () {
      const reading = yield* Effect.forkChild(stateOf(["expired", silent, "expired"]))
      yield* TestClock.adjust(10_000)
      expect(yield* Fiber.join(reading)).toBe("expired")
      const alone = yield* Effect.forkChild(Effect.flip(stateOf([silent, "expired"])))
      yield* TestClock.adjust(10_000)
      expect((yield* Fiber.join(alone)).message).toContain("node 1 did not respond within 10 s")
    })
  )
})

describe("an amount", () => {
  it.effect.each<readonly [ReadonlyArray<unknown>, number | undefined, bigint]>([
    [["7"], undefined, 7n],
    [["7", "5"], undefined, 5n],
    [["7", "0"], undefined, 0n],
    [["7", "5", "6"], undefined, 6n],
    [["7", "0", "7"], undefined, 7n],
    [["7", "0", "0"], undefined, 0n],
    [["10", "9", dead], undefined, 9n],
    [["7", "5", "6"], 3, 5n],
    [["7", "5", "6"], 1, 7n]
  ])("of nodes that report %s, with quorum %s, is %s", ([results, quorum, expected]) =>
    Effect.gen(function* () {
      expect(yield* amountOf(results, quorum)).toBe(expected)
    })
  )

  it.effect("is unknown if too few nodes respond", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(amountOf(["7", dead]))).toMatchObject({ _tag: "ReaderError" })
      expect(yield* Effect.flip(amountOf(["7", "7", dead], 3))).toMatchObject({ _tag: "ReaderError" })
    })
  )
})

describe("a fact", () => {
  it.effect("is the same at all nodes that respond", () =>
    Effect.gen(function* () {
      const same = unanimous<string>(String)
      expect(yield* readAll(["6", "6", dead], same)).toBe("6")
      expect((yield* Effect.flip(readAll(["6", "6", "9"], same))).message).toContain("contradict")
      expect((yield* Effect.flip(readAll(["6", dead], same))).message).toContain("2 of 2 nodes must respond")
    })
  )
})

describe("the quorum", () => {
  it.each([0, -1, 1.5, Number.NaN, "2", null])("cannot be %s", (quorum) => {
    expect(() => readAll(["6", "6"], unanimous(String), quorum as number)).toThrow(/quorum/)
  })

  it("cannot be larger than the number of a chain's nodes", () => {
    expect(() => readAll(["6", "6"], unanimous(String), 3)).toThrow(
      "rpcUrls[8453]: expected at least 3 URLs, because quorum is 3."
    )
  })
})
