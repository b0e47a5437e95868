import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { Outcome } from "../../src/chains/Outcome.js"
import { askQuorum, combineViews, type NodeView, quorumOf, reachedBy, sendToAll } from "../../src/chains/quorum.js"

const done = (block = 7n, hash = "0xa"): Outcome => ({ _tag: "Done", hash, block })
const dead = (why: "reverted" | "replaced"): Outcome => ({ _tag: "Dead", why, message: why })
const waiting: Outcome = { _tag: "Waiting" }
const view = (outcome: Outcome, height = 20n): NodeView => ({ height, outcome })

describe("the quorum", () => {
  it("is a majority of the nodes, unless it is configured", () => {
    const urls = ["a", "b", "c", "d"]
    expect([1, 2, 3, 4].map((count) => quorumOf({ rpcUrls: urls.slice(0, count) }))).toEqual([1, 2, 2, 3])
    expect(quorumOf({ rpcUrls: urls, quorum: 4 })).toBe(4)
  })

  it.effect("must answer a question", () =>
    Effect.gen(function* () {
      const chain = { id: 1, name: "one", rpcUrls: ["a", "b", "c"] }
      const nodes = chain.rpcUrls.map((host) => ({ host, access: { isAside: () => false } }))
      const answeredBy = (hosts: string) => (node: { readonly host: string }) =>
        hosts.includes(node.host)
          ? Effect.succeed(node.host)
          : Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
      expect(yield* askQuorum(chain, nodes, answeredBy("ac"))).toHaveLength(2)
      const { message } = yield* Effect.flip(askQuorum(chain, nodes, answeredBy("a")))
      expect(message).toMatch(/below its quorum/)
    })
  )

  it.effect("asks a node that refuses calls only if the others are not enough", () =>
    Effect.gen(function* () {
      const chain = { id: 1, name: "one", rpcUrls: ["a", "b", "c"] }
      const nodes = chain.rpcUrls.map((host) => ({ host, access: { isAside: () => host === "a" } }))
      const asked: Array<string> = []
      const ask = (down: string) =>
        askQuorum(chain, nodes, ({ host }) => {
          asked.push(host)
          return host === down
            ? Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
            : Effect.succeed(host)
        })
      expect((yield* ask("")).map(({ host }) => host)).toEqual(["b", "c"])
      expect(asked.splice(0)).toEqual(["b", "c"])
      expect((yield* ask("b")).map(({ host }) => host)).toEqual(["c", "a"])
      expect(asked).toEqual(["b", "c", "a"])
    })
  )

  it.effect("waits a second for the other nodes once enough have answered", () =>
    Effect.gen(function* () {
      const chain = { id: 1, name: "one", rpcUrls: ["a", "b", "c"] }
      const nodes = chain.rpcUrls.map((host) => ({ host, access: { isAside: () => false } }))
      const asking = yield* Effect.forkChild(
        askQuorum(chain, nodes, ({ host }) => (host === "b" ? Effect.never : Effect.succeed(host)))
      )
      yield* TestClock.adjust(999)
      expect(asking.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(asking)).map(({ host }) => host)).toEqual(["a", "c"])
    })
  )

  it.effect("sends to all nodes, even to those that accept it after the first one", () =>
    Effect.gen(function* () {
      const received: Array<string> = []
      const send = (host: string) =>
        Effect.sleep(host === "a" ? 0 : 5_000).pipe(
          Effect.andThen(Effect.sync(() => received.push(host))),
          Effect.as(host)
        )
      const sending = yield* Effect.forkChild(sendToAll(1, ["a", "b"], send))
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(sending)).toBe("a")
      yield* TestClock.adjust(5_000)
      expect(received).toEqual(["a", "b"])
    })
  )

  it("has reached a value if enough nodes have that value or a higher one", () => {
    expect(reachedBy(2, [5n, 9n, 7n])).toBe(7n)
    expect(reachedBy(3, [5n, 9n, 7n])).toBe(5n)
    expect(reachedBy(3, [5n, 9n])).toBeUndefined()
  })
})

describe("the nodes' views of a transaction", () => {
  it("agree if a quorum reports the same outcome, and the others are behind", () => {
    expect(combineViews([view(done()), view(done()), view(waiting, 19n)], 2)).toEqual({
      _tag: "Agreed",
      outcome: done()
    })
  })

  it("do not agree if fewer nodes report the outcome", () => {
    const behind = { _tag: "Behind", outcome: waiting }
    expect(combineViews([view(done()), view(waiting, 19n), view(waiting, 18n)], 2)).toEqual(behind)
    expect(combineViews([view(done(), 90n), view(waiting, 20n)], 2, 64n)).toEqual({
      _tag: "Contradiction",
      open: waiting
    })
  })

  it("contradict each other with another transaction, another block, or none at the same height", () => {
    for (const other of [done(7n, "0xb"), done(8n), dead("reverted"), waiting]) {
      expect(combineViews([view(done()), view(done()), view(other)], 2)._tag).toBe("Contradiction")
    }
  })

  it("agree on a revert only if a quorum reports it", () => {
    const agreedOn = (...whys: ReadonlyArray<"reverted" | "replaced">) =>
      combineViews(
        whys.map((why) => view(dead(why))),
        2
      )
    expect(agreedOn("reverted", "replaced")).toEqual({ _tag: "Agreed", outcome: dead("replaced") })
    expect(agreedOn("replaced", "reverted", "reverted")).toEqual({ _tag: "Agreed", outcome: dead("reverted") })
  })
})
