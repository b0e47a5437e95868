import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Swap } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { failing, succeeding, makeFixture } from "./fixture.js"

const { solanaRequest } = ScriptedTransport

/** A submitted swap. */
const submitted = Effect.gen(function* () {
  const quote = yield* Client.quote(solanaRequest)
  const built = yield* Client.build({ originChain: solanaRequest.originChain, geoQuoteToken: quote.geoQuoteToken })
  if (built.family !== "solana") return assert.fail("a Solana origin builds a transaction")
  const { geoOpToken, unsignedTransaction } = built
  const signedTransaction = yield* TestSigner.solana().signTransaction({
    request: solanaRequest,
    quote,
    unsignedTransaction
  })
  return (yield* Client.submit({ family: "solana", geoOpToken, signedTransaction })).swapId
})

const gapsOf = (service: ScriptedTransport.ScriptedTransport): ReadonlyArray<number> => {
  const times = service.seen("status").map(({ at }) => at)
  return times.slice(1).map((at, index) => at - (times[index] ?? 0))
}

const pendingAtOnce = (swapId: string) => Fault.garbage(JSON.stringify({ swapId, status: "pending" }))

describe("wait", () => {
  it.effect.each(["settled", "failed", "refunded"] as const)("ends at %s", (status) => {
    const { service, layer } = makeFixture()
    service.ends(status)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.strictEqual(swap.status, status)
    }).pipe(Effect.provide(layer))
  })

  it.effect("polls again right after a request that was held for 15 seconds", () => {
    const { service, layer } = makeFixture()
    service.ends("settled", 40_000)
    return Effect.gen(function* () {
      yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.deepStrictEqual(gapsOf(service), [15_000, 15_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("never polls twice within a second if the response comes early", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const swapId = yield* submitted
      service.next("status", ...Array.from({ length: 5 }, () => pendingAtOnce(swapId)))
      yield* succeeding(Client.wait(swapId))
      assert.deepStrictEqual(gapsOf(service), [1_000, 1_000, 1_000, 1_000, 1_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits 25 seconds for a response before it polls again", () => {
    const { service, layer } = makeFixture()
    service.next("status", Fault.hang())
    return Effect.gen(function* () {
      yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      const [gap] = gapsOf(service)
      assert.isAtLeast(gap ?? 0, 25_000)
      assert.isAtMost(gap ?? 0, 27_000)
    }).pipe(Effect.provide(layer))
  })

  it.effect("treats an unknown status as pending", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const swapId = yield* submitted
      service.next("status", Fault.garbage(JSON.stringify({ swapId, status: "bridging" })))
      const swap = yield* succeeding(Client.wait(swapId))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("status"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("continues if the service is rate-limited, unavailable or invalid for a while", () => {
    const { service, layer } = makeFixture()
    service.ends("settled", 60_000)
    service.next(
      "status",
      ...Array.from({ length: 12 }, () => Fault.unavailable()),
      Fault.rateLimited(9),
      Fault.garbage(),
      Fault.disconnect()
    )
    return Effect.gen(function* () {
      const swap = yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.strictEqual(swap.status, "settled")
      for (const gap of gapsOf(service)) assert.isAtLeast(gap, 1_000)
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits for the Retry-After of a 429", () => {
    const { service, layer } = makeFixture()
    service.next("status", Fault.rateLimited(9))
    return Effect.gen(function* () {
      yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.deepStrictEqual(gapsOf(service), [9_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits at most one minute at a time, even with a longer Retry-After", () => {
    const { service, layer } = makeFixture()
    service.next("status", Fault.rateLimited(600))
    return Effect.gen(function* () {
      yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.deepStrictEqual(gapsOf(service), [60_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("tolerates invalid responses if there is a valid one in between", () => {
    const { service, layer } = makeFixture()
    service.ends("settled", 200_000)
    const garbage = Array.from({ length: 4 }, () => Fault.garbage())
    service.next("status", ...garbage, Fault.pass, ...garbage)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.strictEqual(swap.status, "settled")
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails if the service returns only invalid responses", () => {
    const { service, layer } = makeFixture()
    service.always("status", Fault.garbage())
    return Effect.gen(function* () {
      const error = yield* failing(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.strictEqual(error._tag, "ProtocolError")
      assert.lengthOf(service.seen("status"), 5)
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails at once for a swap that does not exist", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const error = yield* failing(Client.wait("no-such-swap"))
      assert.strictEqual(error.code, "SWAP_NOT_FOUND")
      assert.lengthOf(service.seen("status"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("survives a response that is nested too deep", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const swapId = yield* submitted
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
      const answer = Fault.garbage(`{"swapId":"${swapId}","status":"pending","extra":${deep}}`)
      service.next("status", answer, answer)
      assert.strictEqual((yield* succeeding(Client.wait(swapId))).status, "settled")
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends with WaitTimeout, with the swap id and the last status", () => {
    const { service, layer } = makeFixture()
    service.ends("never")
    return Effect.gen(function* () {
      const swapId = yield* submitted
      const error = yield* failing(Client.wait(swapId, { timeout: "1 minute" }))
      if (error._tag !== "WaitTimeout") return assert.fail(error._tag)
      assert.deepStrictEqual([error.swapId, error.status], [swapId, "pending"])
      assert.lengthOf(service.seen("status"), 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("times out after 15 minutes by default", () => {
    const { service, layer } = makeFixture()
    service.ends("never")
    return Effect.gen(function* () {
      const error = yield* failing(Effect.flatMap(submitted, (swapId) => Client.wait(swapId)))
      assert.strictEqual(error._tag, "WaitTimeout")
      assert.lengthOf(service.seen("status"), 60)
    }).pipe(Effect.provide(layer))
  })
})

describe("watch", () => {
  it.effect("emits each change once and ends with the terminal status", () => {
    const { service, layer } = makeFixture()
    service.ends("settled", 70_000)
    return Effect.gen(function* () {
      const swapId = yield* submitted
      const origin = Fault.garbage(JSON.stringify({ swapId, status: "pending", originTxHash: "0x01" }))
      service.next("status", Fault.pass, Fault.pass, origin, origin)
      const seen = yield* succeeding(Stream.runCollect(Client.watch(swapId)))
      assert.deepStrictEqual(
        seen.map(({ status, originTxHash }) => [status, originTxHash === undefined]),
        [
          ["pending", true],
          ["pending", false],
          ["pending", true],
          ["settled", false]
        ]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("stops polling when it is closed", () => {
    const { service, layer } = makeFixture()
    service.ends("never")
    return Effect.gen(function* () {
      const swapId = yield* submitted
      const seen: Array<Swap.Swap> = []
      const fiber = yield* Effect.forkChild(
        Stream.runForEach(Client.watch(swapId), (swap) => Effect.sync(() => void seen.push(swap)))
      )
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.interrupt(fiber)
      const count = service.requests.length
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(service.requests.length, count)
      assert.lengthOf(seen, 1)
    }).pipe(Effect.provide(layer))
  })
})
