/** One failed read of the journal: a resume overwrites a newer signature and calls its swap `failed`. */
import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, Journal, Ledger, SwapError, Transport } from "../../src/index.js"
import { Fault, ScriptedTransport } from "../../src/testing.js"
import { makeFixture } from "../fixture.js"

const { evmRequest } = ScriptedTransport

it.effect.each([undefined, "order"])(
  "keeps a newer signature if the journal cannot be read, key %s",
  (idempotencyKey) => {
    const service = ScriptedTransport.make()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    // The first process is refused, and the answer to its second signature hangs.
    service.next("submit", Fault.refuse(410), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    const journal = Effect.runSync(Journal.makeMemory)
    const ledger = Effect.runSync(Ledger.makeMemory)
    const process = (own = journal) => makeFixture({ service, journal: own, ledger, readers: service.readers }).layer
    const reads = { count: 0 }
    const flaky: Journal.Shape = {
      ...journal,
      get: (id) =>
        Effect.suspend(() =>
          ++reads.count === (idempotencyKey ? 2 : 3)
            ? Effect.fail(new SwapError.JournalError({ message: "Once." }))
            : journal.get(id)
        )
    }
    // The second process is told, late, that the first signature became a swap, which failed.
    const lying = Transport.make((request) =>
      request.endpoint === "submit" || request.endpoint === "status"
        ? Effect.as(Effect.sleep(request.endpoint === "submit" ? 20_000 : 1_000), {
            status: 200,
            headers: {},
            body: JSON.stringify({ swapId: "lie", status: request.endpoint === "submit" ? "pending" : "failed" })
          })
        : service.send(request)
    )
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(Client.execute(evmRequest, { idempotencyKey }), process()))
      yield* TestClock.adjust("50 seconds")
      const [flow] = yield* journal.list
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, lying)
      const other = yield* Effect.forkChild(Effect.exit(Effect.provide(resuming, process(flaky))))
      yield* TestClock.adjust("18 seconds")
      assert.strictEqual((yield* journal.list)[0]?.signatures, 2)
      yield* TestClock.adjust("8 seconds")
      yield* Fiber.interrupt(owner) // killed while its second signature is in flight
      for (let i = 0; i < 100 && other.pollUnsafe() === undefined; i++) yield* TestClock.adjust(1_000)
      const now = yield* Clock.currentTimeMillis
      const live =
        flow &&
        (yield* service.readers.evm!.operationState({
          chainId: 8453,
          wallet: evmRequest.walletAddress,
          ...flow.operation!,
          deadline: 60 + 90
        }))
      console.log(idempotencyKey, now, JSON.stringify(other.pollUnsafe()).slice(0, 300), "state of second:", live)
      console.log(
        JSON.stringify(
          (yield* journal.list).map(({ signatures, swapId, signed }) => ({
            signatures,
            swapId,
            signed: signed?.length
          }))
        ),
        yield* ledger.get("order")
      )
      assert.strictEqual((yield* journal.list)[0]?.signatures, 2)
    })
  }
)
