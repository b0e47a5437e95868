/** An abort removes the flow that another process has already submitted. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, Journal, Ledger } from "../../src/index.js"
import { Fault, ScriptedTransport } from "../../src/testing.js"
import { makeFixture, passing } from "../fixture.js"

const { evmRequest } = ScriptedTransport

it.effect.each([undefined, "order"])("keeps a flow that was submitted by a resume, key %s", (idempotencyKey) => {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.next("submit", Fault.hang({ after: true }))
  const journal = Effect.runSync(Journal.makeMemory)
  const ledger = Effect.runSync(Ledger.makeMemory)
  const process = (own = journal) => makeFixture({ service, journal: own, ledger, readers: service.readers }).layer
  const slow: Journal.Shape = { ...journal, put: (flow) => Effect.andThen(journal.put(flow), Effect.sleep(5_000)) }
  const order = Client.execute(evmRequest, { idempotencyKey })
  return Effect.gen(function* () {
    const owner = yield* Effect.forkChild(Effect.provide(order, process(slow)))
    while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
    const [flow] = yield* journal.list
    const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
    while (service.seen("submit").length === 0) yield* TestClock.adjust(50)
    yield* Effect.forkChild(Fiber.interrupt(owner))
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(service.seen("submit").length, 1)
    yield* Fiber.interrupt(other) // the resuming process dies: its request took effect
    assert.lengthOf(service.swaps, 1)
    console.log(idempotencyKey, "pending", (yield* journal.list).length, "entry", yield* ledger.get("order"))
    const again = yield* passing(Effect.provide(idempotencyKey ? order : Client.resume(flow?.id ?? ""), process()))
    console.log(JSON.stringify(again).slice(0, 400))
    assert.strictEqual(again._tag, "Success")
  })
})
