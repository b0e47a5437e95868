/** A flow is closed or taken over by one process while another process still signs for it or writes it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type ChainReader, Client, type Store, Transport } from "../src/index.js"
import { discard } from "../src/store/wallet.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { failing, passing, succeeding } from "./fixture.js"
import {
  altered,
  deadAt,
  execute,
  flowIn,
  lost,
  lyingSend,
  makeShared,
  slowSecondSignature,
  slowStep,
  until
} from "./processes.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId } = evmRequest

describe("a flow without an idempotency key", () => {
  it.effect.each([
    ["finishes", (store: Parameters<typeof deadAt>[0]) => store],
    ["dies before it removes the flow", (store: Parameters<typeof deadAt>[0]) => deadAt(store, "remove")]
  ] as const)(
    "stays closed if a later signature is written after the process that closed the flow %s",
    ([, closer]) => {
      const { service, store, process } = makeShared()
      const { readers } = service
      // The first signature is refused, and expires before the second one is made.
      service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(25))
      service.next("submit", Fault.refuse(410), Fault.refuse(410))
      const slow = slowStep(store, "signed 2", "40 seconds", "before")
      return Effect.gen(function* () {
        const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers, store: slow.store }))
        const owner = yield* Effect.forkChild(signing)
        yield* until(() => slow.seen.step)
        yield* TestClock.adjust("20 seconds")
        const [flow] = yield* store.flows
        const flowId = flow?.id ?? ""
        const closing = Effect.provide(Client.resume(flowId), process({ readers, store: closer(store) }))
        const other = yield* Effect.forkChild(Effect.exit(closing))
        yield* TestClock.adjust("5 seconds")
        yield* Effect.forkChild(Fiber.interrupt(other))
        const error = yield* succeeding(Fiber.join(owner))
        assert.include(["Expired", "OutcomeUnknown"], error._tag)
        // A recovery job resumes everything that is in the store, and the caller starts another swap.
        const resumed = yield* Effect.provide(passing(Client.resume(flowId)), process({ readers }))
        assert.strictEqual(resumed._tag, "Failure")
        assert.lengthOf(service.swaps, 0)
        yield* Effect.provide(succeeding(execute(undefined)), process({ readers }))
        assert.lengthOf(service.swaps, 1)
        assert.deepStrictEqual(yield* store.flows, [])
      })
    }
  )

  it.effect("can be resumed if a process that trusts the service closed it while a signature was live", () => {
    const { service, store, process } = makeShared()
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    service.next("submit", Fault.refuse(410), Fault.refuse(410), Fault.refuse(410))
    const { evm, signed } = slowSecondSignature()
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ signers: { evm } }))
      const owner = yield* Effect.forkChild(signing)
      yield* until(() => signed.operations === 2)
      const [flow] = yield* store.flows
      const flowId = flow?.id ?? ""
      const trusting = process({ policy: { afterRefusal: "trust-service" } })
      assert.strictEqual((yield* Effect.provide(failing(Client.resume(flowId)), trusting))._tag, "Expired")
      assert.deepStrictEqual(yield* store.flows, [])
      // The signing process asks the service once more, is refused, and keeps the signature.
      const error = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([error._tag, error.retry], ["OutcomeUnknown", "resume"])
      const resumed = yield* Effect.provide(succeeding(Client.resume(flowId)), process())
      assert.strictEqual(resumed.status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("ends in an unknown outcome if the store fails once another process has sent its signature", () => {
    const { service, store, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    service.ends("settled", 60_000)
    const slow = slowStep(store, "signed 2", "20 seconds")
    let isFailing = false
    const failingOnce = altered(slow.store, (_, update) =>
      Effect.suspend(() => (isFailing ? Effect.fail(lost) : update))
    )
    const own = { store: failingOnce, policy: { afterRefusal: "trust-service" as const } }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(Effect.flip(execute(undefined)), process(own)))
      yield* until(() => slow.seen.step)
      const [flow] = yield* store.flows
      assert.strictEqual(flow?.signatures, 2)
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* TestClock.adjust("5 seconds")
      isFailing = true
      // Its caller aborts, and the signature cannot be withdrawn.
      yield* Effect.forkChild(Fiber.interrupt(owner))
      const swap = yield* succeeding(Fiber.join(other))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is not called failed while only an earlier signature is known to have expired", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(40))
    const slow = slowStep(store, "signed 2", "20 seconds")
    // The service accepts the second signature and claims that its swap failed.
    const lying = lyingSend(service, { status: "failed" })
    return Effect.gen(function* () {
      // The signing process sees the honest response to its first signature, and lies after that.
      const transport = Transport.make((request) => (slow.seen.step ? lying(request) : service.send(request)))
      const signing = Effect.provideService(execute(undefined), Transport.Transport, transport)
      const owner = yield* Effect.forkChild(Effect.provide(signing, process({ readers, store: slow.store })))
      yield* until(() => slow.seen.step)
      const [flow] = yield* store.flows
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, Transport.make(lying))
      const resumed = yield* Effect.provide(succeeding(resuming), process())
      assert.strictEqual(resumed.status, "failed")
      const swap = yield* succeeding(Fiber.join(owner))
      assert.strictEqual(swap.status, "failed")
      const query = { chainId, wallet: evmRequest.walletAddress, ...flow?.operation }
      const state = yield* readers.evm?.operationState(query as ChainReader.OperationQuery) ?? Effect.die("no reader")
      assert.deepStrictEqual([flow?.signatures, state], [2, "expired"])
    })
  })
})

describe.each([undefined, "order"])("a flow with the idempotency key %s", (idempotencyKey) => {
  it.effect.each([
    ["the second signature", 1],
    ["the swap", 2]
  ] as const)("is not submitted again by a process that read it before %s", ([, signatures]) => {
    const { service, store, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    if (signatures === 1) service.next("quote", Fault.pass, Fault.delay(3_000))
    service.ends("failed", 2_000)
    const writer = slowStep(store, `signed ${signatures}`, 0)
    const reader = slowStep(store, "read", "30 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ store: writer.store })))
      yield* until(() => writer.seen.step)
      const [flow] = yield* store.flows
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ store: reader.store }))
      const other = yield* Effect.forkChild(Effect.exit(resuming))
      const swap = yield* succeeding(Fiber.join(owner))
      assert.strictEqual(swap.status, "failed")
      const resumed = yield* succeeding(Fiber.join(other))
      // Submitting a signature again would start another swap, because the first one has failed.
      assert.lengthOf(service.swaps, 1)
      if (resumed._tag === "Success") assert.strictEqual(resumed.value.swapId, swap.swapId)
    })
  })
})

describe("a flow with an idempotency key", () => {
  it.effect("is not signed once another process took over and gave up", () => {
    const { service, store, process } = makeShared()
    const slow = slowStep(store, "signed 1", "70 seconds", "before")
    const declining = Client.execute(evmRequest, { idempotencyKey: "order", acceptQuote: () => Effect.succeed(false) })
    return Effect.gen(function* () {
      // The first process's lease ends while its store is slow. The second process takes over, and its user declines.
      const owner = yield* Effect.forkChild(
        Effect.exit(Effect.provide(execute("order"), process({ store: slow.store })))
      )
      yield* until(() => slow.seen.step)
      assert.strictEqual((yield* Effect.provide(failing(declining), process()))._tag, "Declined")
      assert.isUndefined(yield* flowIn(store))
      service.next("quote", Fault.hang())
      yield* TestClock.adjust("20 seconds")
      // The first process has lost its flow, and starts over under a new id.
      assert.lengthOf(service.seen("submit"), 0)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(yield* flowIn(store))
    })
  })
})

describe("what is released with a flow", () => {
  it("is the flow's own, whatever other ids begin with", () => {
    const spent = (ids: ReadonlyArray<string>) => [
      { chainId, token: "0x1", total: BigInt(ids.length), recent: ids.map((id) => ({ id, amount: 1n, at: 0 })) }
    ]
    const document = { address: "0x2", flows: [], spent: spent(["1-2", "1-2.0", "1-23", "1-2-3", "11-2"]) }
    assert.deepStrictEqual(discard(document, "1-2").spent, spent(["1-23", "1-2-3", "11-2"]))
  })
})

describe("a swap that another process leaves unfinished", () => {
  it.effect("while this process verifies its own blocks it in the update that would store its signature", () => {
    const { service, store, process } = makeShared()
    const other: Store.Flow = {
      id: "other",
      state: "signed",
      createdAt: 0,
      signedAt: 0,
      request: evmRequest,
      output: 1n,
      submission: { family: "evm", geoOpToken: "go1", signature: "0x01" },
      operation: { delegate: "0x01", nonce: 99n, deadline: 2_000_000_000 }
    }
    const onProgress = ({ type }: { readonly type: string }) =>
      type === "verified"
        ? Effect.orDie(
            store.update(evmRequest.walletAddress, (wallet) => [
              { ...wallet, flows: [...wallet.flows, other] },
              undefined
            ])
          )
        : Effect.void
    return Effect.gen(function* () {
      const error = yield* Effect.provide(failing(Client.execute(evmRequest, { onProgress })), process())
      assert.deepInclude(error, { _tag: "UnfinishedSwap", flowId: "other" })
      assert.lengthOf(service.seen("submit"), 0)
      assert.deepStrictEqual(
        (yield* store.flows).map(({ id }) => id),
        ["other"]
      )
    })
  })
})
