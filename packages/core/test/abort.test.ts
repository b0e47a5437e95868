import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Store, type SwapEvent } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { succeeding, makeFixture } from "./fixture.js"
import { deadAt, slowStep } from "./processes.js"

const { evmRequest } = ScriptedTransport

describe("after an abort no further request is sent", () => {
  const steps = [
    { endpoint: "quote", nth: 1, flows: 0 },
    { endpoint: "build-geo-op", nth: 1, flows: 0 },
    { endpoint: "delegation", nth: 1, flows: 0 },
    { endpoint: "build-geo-op", nth: 2, flows: 0 },
    { endpoint: "submit", nth: 1, flows: 1 },
    { endpoint: "status", nth: 1, flows: 1 }
  ] as const

  it.effect.each(steps)("during $endpoint ($nth)", ({ endpoint, nth, flows }) => {
    const { service, layer } = makeFixture()
    service.next(endpoint, ...Array.from({ length: nth - 1 }, () => Fault.pass), Fault.delay(5_000))
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      while (service.seen(endpoint).length < nth) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const count = service.requests.length
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(service.requests.length, count)
      assert.lengthOf(yield* Client.pending, flows)
    }).pipe(Effect.provide(layer))
  })

  it.effect("during the delay before a repeated submit", () => {
    const { service, layer } = makeFixture()
    service.always("submit", Fault.unavailable())
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      while (service.seen("submit").length < 3) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(service.seen("submit"), 3)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("while the wallet signs, and the wallet is aborted", () => {
    let told = false
    const signer: Signer.Evm = {
      ...TestSigner.evm(),
      signOperation: () =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.sync(() => {
            told = true
          })
        )
    }
    const { service, layer } = makeFixture({ signers: { evm: signer } })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      assert.isTrue(told)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["signing", "signed 1"])("while the store hangs at %s, and the abort does not wait for it", (step) => {
    const { service, layer } = makeFixture({ store: deadAt(Effect.runSync(Store.makeMemory), step) })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["before", "after"] as const)(
    "%s the signature is stored and before the first submit, and the flow is removed",
    (order) => {
      const { seen, store } = slowStep(Effect.runSync(Store.makeMemory), "signed 1", "2 seconds", order)
      const { service, layer } = makeFixture({ store })
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
        while (!seen.step) yield* TestClock.adjust(50)
        const end = yield* Effect.forkChild(Fiber.interrupt(fiber))
        yield* TestClock.adjust("10 minutes")
        yield* Fiber.join(end)
        assert.lengthOf(service.seen("submit"), 0)
        assert.deepStrictEqual(yield* Client.pending, [])
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("at the moment of the submit, and the caller knows which flow to resume, even if the store is slow", () => {
    const { store } = slowStep(Effect.runSync(Store.makeMemory), "signed 1", "3 seconds", "before")
    const { service, layer } = makeFixture({ store })
    const flows: Array<string> = []
    const onProgress = (event: SwapEvent.SwapEvent) =>
      Effect.sync(() => {
        if (event.type === "signed") flows.push(event.flowId)
      })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest, { onProgress }))
      while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
      yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        (yield* Client.pending).map(({ id }) => id),
        flows
      )
      const swap = yield* succeeding(Client.resume(flows[0] ?? ""))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })
})
