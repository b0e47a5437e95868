/** A flow is closed or taken over by one process while another process still writes it to the journal. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type ChainReader, Client, Transport } from "../src/index.js"
import type * as Journal from "./views/Journal.js"
import type * as Ledger from "./views/Ledger.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { failing, passing, succeeding } from "./fixture.js"
import { execute, lost, lyingSend, makeShared, slowSecondSignature, until } from "./processes.js"

const { evmRequest } = ScriptedTransport
const { originChain: chain } = evmRequest

/** A journal that reports a write of the second signature late: before or after the write takes effect. */
const slowSecondWrite = (journal: Journal.Journal, order: "before" | "after", delay: number) => {
  const seen = { writing: false }
  const slow: Journal.Journal = {
    ...journal,
    put: (flow) =>
      Effect.suspend(() => {
        if (flow.signatures !== 2 || flow.swapId !== undefined) return journal.put(flow)
        seen.writing = true
        return order === "before"
          ? Effect.delay(journal.put(flow), delay)
          : Effect.andThen(journal.put(flow), Effect.sleep(delay))
      })
  }
  return { slow, seen }
}

describe("a flow without an idempotency key", () => {
  it.effect.each(["finishes", "dies before it updates the journal"] as const)(
    "stays closed if a later signature is written after the process that closed the flow %s",
    (end) => {
      const { service, journal, process } = makeShared()
      const { readers } = service
      // The first signature is refused, and expires before the second one is made.
      service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(25))
      service.next("submit", Fault.refuse(410), Fault.refuse(410))
      const { slow, seen } = slowSecondWrite(journal, "before", 40_000)
      const closer: Journal.Journal = end === "finishes" ? journal : { ...journal, remove: () => Effect.never }
      return Effect.gen(function* () {
        const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers, journal: slow }))
        const owner = yield* Effect.forkChild(signing)
        yield* until(() => seen.writing)
        yield* TestClock.adjust("20 seconds")
        const [flow] = yield* journal.list
        const flowId = flow?.id ?? ""
        const closing = Effect.provide(Client.resume(flowId), process({ readers, journal: closer }))
        const other = yield* Effect.forkChild(Effect.exit(closing))
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.interrupt(other)
        assert.strictEqual((yield* succeeding(Fiber.join(owner)))._tag, "Expired")
        // The caller starts another swap, and a recovery job resumes everything that is in the journal.
        yield* Effect.provide(succeeding(execute(undefined)), process({ readers }))
        const resumed = yield* Effect.provide(passing(Client.resume(flowId)), process({ readers }))
        assert.strictEqual(resumed._tag, "Failure")
        assert.lengthOf(service.swaps, 1)
        assert.deepStrictEqual(yield* journal.list, [])
      })
    }
  )

  it.effect("can be resumed if a process that trusts the service closed it while a signature was live", () => {
    const { service, journal, process } = makeShared()
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    service.next("submit", Fault.refuse(410), Fault.refuse(410))
    const { evm, signed } = slowSecondSignature()
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ signers: { evm } }))
      const owner = yield* Effect.forkChild(signing)
      yield* until(() => signed.operations === 2)
      const [flow] = yield* journal.list
      const flowId = flow?.id ?? ""
      const trusting = process({ policy: { afterRefusal: "trust-service" } })
      assert.strictEqual((yield* Effect.provide(failing(Client.resume(flowId)), trusting))._tag, "Expired")
      assert.deepStrictEqual(yield* journal.list, [])
      const error = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([error._tag, error.retry], ["OutcomeUnknown", "resume"])
      const resumed = yield* Effect.provide(succeeding(Client.resume(flowId)), process())
      assert.strictEqual(resumed.status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("ends in an unknown outcome if the ledger fails once another process has sent its signature", () => {
    const { service, journal, ledger, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    const { slow, seen } = slowSecondWrite(journal, "after", 20_000)
    let isFailing = false
    const failingOnce: Ledger.Ledger = {
      ...ledger,
      get: (key) => Effect.suspend(() => (isFailing ? ((isFailing = false), Effect.fail(lost)) : ledger.get(key)))
    }
    const own = { journal: slow, ledger: failingOnce, policy: { afterRefusal: "trust-service" as const } }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(Effect.flip(execute(undefined)), process(own)))
      yield* until(() => seen.writing)
      const [flow] = yield* journal.list
      assert.strictEqual(flow?.signatures, 2)
      yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())
      isFailing = true
      const error = yield* succeeding(Fiber.join(owner))
      assert.isFalse(isFailing)
      assert.deepStrictEqual([error._tag, error.retry], ["OutcomeUnknown", "resume"])
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is not called failed while only an earlier signature is known to have expired", () => {
    const { service, journal, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(40))
    const { slow, seen } = slowSecondWrite(journal, "after", 20_000)
    // The service accepts the second signature and claims that its swap failed.
    const lying = lyingSend(service, { status: "failed" })
    return Effect.gen(function* () {
      // The signing process sees the honest response to its first signature, and lies after that.
      const transport = Transport.make((request) => (seen.writing ? lying(request) : service.send(request)))
      const signing = Effect.provideService(execute(undefined), Transport.Transport, transport)
      const owner = yield* Effect.forkChild(Effect.provide(signing, process({ readers, journal: slow })))
      yield* until(() => seen.writing)
      const [flow] = yield* journal.list
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, Transport.make(lying))
      const resumed = yield* Effect.provide(succeeding(resuming), process())
      assert.strictEqual(resumed.status, "failed")
      const swap = yield* succeeding(Fiber.join(owner))
      assert.strictEqual(swap.status, "failed")
      const query = { chainId: chain, wallet: evmRequest.walletAddress, ...flow?.operation }
      const state = yield* readers.evm?.operationState(query as ChainReader.OperationQuery) ?? Effect.die("no reader")
      assert.deepStrictEqual([flow?.signatures, state], [2, "expired"])
    })
  })
})

describe.each([undefined, "order"])("a flow with the idempotency key %s", (idempotencyKey) => {
  it.effect.each(["the second signature", "the swap"] as const)(
    "is not submitted again by a process that read it before %s",
    (event) => {
      const { service, journal, process } = makeShared()
      service.next("submit", Fault.refuse(410))
      if (event === "the second signature") service.next("quote", Fault.pass, Fault.delay(3_000))
      service.ends("failed", 2_000)
      const signatures = event === "the second signature" ? 1 : 2
      const seen = { written: false, read: false }
      const writer: Journal.Journal = {
        ...journal,
        put: (flow) =>
          Effect.andThen(
            journal.put(flow),
            Effect.sync(() => (seen.written ||= flow.signatures === signatures))
          )
      }
      const reader: Journal.Journal = {
        ...journal,
        get: (id) =>
          Effect.tap(journal.get(id), () =>
            Effect.suspend(() => (seen.read ? Effect.void : ((seen.read = true), Effect.sleep(30_000))))
          )
      }
      return Effect.gen(function* () {
        const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ journal: writer })))
        yield* until(() => seen.written)
        const [flow] = yield* journal.list
        const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ journal: reader }))
        const other = yield* Effect.forkChild(Effect.exit(resuming))
        const swap = yield* succeeding(Fiber.join(owner))
        assert.strictEqual(swap.status, "failed")
        const resumed = yield* succeeding(Fiber.join(other))
        // Submitting a signature again would start another swap, because the first one has failed.
        assert.lengthOf(service.swaps, 1)
        if (resumed._tag === "Success") assert.strictEqual(resumed.value.swapId, swap.swapId)
      })
    }
  )
})

describe("a flow with an idempotency key", () => {
  it.effect("is not submitted once its process has withdrawn it after another process took over and gave up", () => {
    const { service, journal, ledger, process } = makeShared()
    const seen = { written: false, claiming: false }
    const slow: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.andThen(
          journal.put(flow),
          Effect.suspend(() => ((seen.written = true), Effect.sleep(5_000)))
        )
    }
    const slowClaim: Ledger.Ledger = {
      ...ledger,
      claim: (claim) => Effect.suspend(() => ((seen.claiming = true), Effect.delay(ledger.claim(claim), 10_000)))
    }
    const declining = Client.execute(evmRequest, { idempotencyKey: "order", acceptQuote: () => Effect.succeed(false) })
    return Effect.gen(function* () {
      // The first process's claim expires while its journal is slow. The second process takes over, and its user
      // declines.
      const owner = yield* Effect.forkChild(Effect.provide(execute("order"), process({ journal: slow })))
      yield* until(() => seen.written)
      const [flow] = yield* journal.list
      yield* ledger.advance("order", { state: "signing" }, { until: 0 })
      const taker: Journal.Journal = { ...journal, get: () => Effect.succeed(undefined) }
      yield* Effect.provide(failing(declining), process({ journal: taker }))
      const released = { state: "claimed" as const, until: 0, flowId: flow?.id ?? "" }
      assert.deepInclude(yield* ledger.get("order"), released)
      // A third process resumes the flow while the first process withdraws it.
      service.next("submit", Fault.hang({ after: true }))
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ ledger: slowClaim }))
      const other = yield* Effect.forkChild(Effect.exit(resuming))
      yield* until(() => seen.claiming)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.interrupt(other)
      // A swap without a record in the journal would be lost.
      assert.deepStrictEqual([service.swaps.length, (yield* journal.list).length], [0, 0])
      assert.deepInclude(yield* ledger.get("order"), released)
    })
  })
})
