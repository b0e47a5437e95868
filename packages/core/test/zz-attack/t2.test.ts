/** A resume says `Expired` about a flow whose first signature is live. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, Journal, Ledger } from "../../src/index.js"
import { Fault, ScriptedTransport } from "../../src/testing.js"
import { makeFixture, failing } from "../fixture.js"

const { evmRequest } = ScriptedTransport

it.effect.each([undefined, "order"])("resume never calls a live flow expired, key %s", (idempotencyKey) => {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.next("submit", Fault.refuse(410))
  const journal = Effect.runSync(Journal.makeMemory)
  const ledger = Effect.runSync(Ledger.makeMemory)
  const process = (own = journal) => makeFixture({ service, journal: own, ledger }).layer
  const seen = { second: false, read: false }
  const writer: Journal.Shape = {
    ...journal,
    put: (flow) =>
      Effect.andThen(
        journal.put(flow),
        Effect.suspend(() => (flow.signatures === 2 ? ((seen.second = true), Effect.sleep(5_000)) : Effect.void))
      )
  }
  const reader: Journal.Shape = {
    ...journal,
    get: (id) => Effect.tap(journal.get(id), () => Effect.suspend(() => ((seen.read = true), Effect.sleep(10_000))))
  }
  return Effect.gen(function* () {
    const owner = yield* Effect.forkChild(
      Effect.provide(Client.execute(evmRequest, { idempotencyKey }), process(writer))
    )
    while (!seen.second) yield* TestClock.adjust(50)
    const [flow] = yield* journal.list
    assert.strictEqual(flow?.signatures, 2)
    const other = yield* Effect.forkChild(Effect.provide(Effect.flip(Client.resume(flow?.id ?? "")), process(reader)))
    while (!seen.read) yield* TestClock.adjust(50)
    yield* Effect.forkChild(Fiber.interrupt(owner))
    yield* TestClock.adjust("30 seconds")
    // The first signature was sent and has not expired: the journal still has it.
    assert.strictEqual((yield* journal.list)[0]?.signatures, 1)
    const error = yield* Fiber.join(other)
    console.log(error._tag, error.retry, error.message)
    assert.strictEqual(error.retry, "resume")
  })
})
