/** A process resumes a flow while the process that signed it still runs, aborts, or has an unreliable store. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type ChainReader, Client, type Signer, SwapError, Transport } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, passing, succeeding } from "./fixture.js"
import {
  altered,
  deadAt,
  deafTo,
  execute,
  flowIn,
  lateStep,
  lost,
  lyingSend,
  makeShared,
  slowSecondSignature,
  slowStep,
  submissionOf,
  until
} from "./processes.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId, inputToken: token, amount } = evmRequest
const policy = { budgets: [{ chainId, token, amount }] }

describe.each([undefined, "order"])("a flow with the idempotency key %s", (idempotencyKey) => {
  const again = (flowId: string) => (idempotencyKey === undefined ? Client.resume(flowId) : execute(idempotencyKey))

  it.effect("is not called expired if only its last signature was taken back", () => {
    const { service, store, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    const writer = slowStep(store, "signed 2", "5 seconds")
    const reader = slowStep(store, "read", "10 seconds")
    return Effect.gen(function* () {
      const signing = Effect.provide(execute(idempotencyKey), process({ store: writer.store }))
      const owner = yield* Effect.forkChild(signing)
      yield* until(() => writer.seen.step)
      const [flow] = yield* store.flows
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ store: reader.store }))
      const other = yield* Effect.forkChild(resuming)
      yield* until(() => reader.seen.step)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      // The first signature was sent and has not expired.
      const swap = yield* succeeding(Fiber.join(other))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.lengthOf(service.seen("submit"), 2)
      assert.deepStrictEqual(submissionOf(service, 1), submissionOf(service, 0))
    })
  })

  it.effect.each([
    ["the same budgets", {}],
    ["no budgets", { policy: {} }]
  ] as const)("does not exceed a budget if a failed write happens later and is resumed with %s", ([, resumer]) => {
    const { service, store, process } = makeShared({ policy })
    return Effect.gen(function* () {
      const late = process({ store: lateStep(store, "signed 1", "1 second") })
      const first = yield* passing(Effect.provide(execute(idempotencyKey), late))
      assert.strictEqual(first._tag, "Failure")
      yield* TestClock.adjust("5 seconds")
      // The write came too late: the signature had been withdrawn.
      assert.isUndefined(yield* flowIn(store))
      yield* succeeding(Effect.provide(execute(undefined), process()))
      for (const { id } of yield* store.flows) yield* passing(Effect.provide(Client.resume(id), process(resumer)))
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("keeps the flow that a resume has submitted if the process that signed it aborts", () => {
    const { service, store, process } = makeShared({ policy })
    service.next("submit", Fault.hang({ after: true }))
    const slow = slowStep(store, "signed 1", "5 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ store: slow.store })))
      yield* until(() => slow.seen.step)
      const [flow] = yield* store.flows
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length > 0)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("10 seconds")
      // The other process is killed. Its request took effect.
      yield* Fiber.interrupt(other)
      assert.strictEqual((yield* passing(Effect.provide(again(flow?.id ?? ""), process())))._tag, "Success")
      assert.lengthOf(service.swaps, 1)
      // The aborted process has not released the budget.
      assert.strictEqual((yield* Effect.provide(failing(execute("another")), process()))._tag, "PolicyViolation")
    })
  })

  it.effect("is signed only once if another process takes it after a refusal and gets a lying acceptance", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    const slow = slowStep(store, "accepted 1", "15 seconds", "before")
    const lying = Transport.make(lyingSend(service, { status: "pending" }))
    const { signer: evm, signed } = countingSigner()
    return Effect.gen(function* () {
      const layer = process({ readers, signers: { evm } })
      yield* Effect.forkChild(Effect.exit(Effect.provide(execute(idempotencyKey), layer)))
      yield* TestClock.adjust("55 seconds")
      const [flow] = yield* store.flows
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, lying)
      yield* Effect.forkChild(Effect.exit(Effect.provide(resuming, process({ readers, store: slow.store }))))
      yield* until(() => slow.seen.step)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(signed.operations, 1)
      assert.strictEqual((yield* store.flows)[0]?.signatures, 1)
    })
  })

  it.effect.each([
    ["the store's response is lost", 1, deafTo],
    ["the process dies", 2, deadAt]
  ] as const)("can be resumed if %s while its second signature is withdrawn", ([, left, accident]) => {
    const { service, store, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    const slow = slowStep(accident(store, "withdraw"), "signed 2", "3 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ store: slow.store })))
      yield* until(() => slow.seen.step)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("1 minute")
      const [flow] = yield* store.flows
      assert.strictEqual(flow?.signatures, left)
      const swap = yield* Effect.provide(succeeding(again(flow?.id ?? "")), process())
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })

  it.effect.each([
    ["the store's response is lost", deafTo],
    ["the process dies", deadAt]
  ] as const)("does not block its budget for ever if %s while its only signature is withdrawn", ([, accident]) => {
    const { service, store, process } = makeShared({ policy })
    const slow = slowStep(accident(store, "remove"), "signed 1", "3 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ store: slow.store })))
      yield* until(() => slow.seen.step)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("1 minute")
      const [flow] = yield* store.flows
      assert.strictEqual(flow !== undefined, accident === deadAt)
      // What is still stored is signed and within the budget, so it is resumed.
      const swap = yield* Effect.provide(
        succeeding(flow === undefined ? execute(idempotencyKey) : again(flow.id)),
        process()
      )
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual((yield* Effect.provide(failing(execute("another")), process()))._tag, "PolicyViolation")
    })
  })

  it.effect.each(["the process dies in its wallet's prompt", "the store hangs", "the store fails once"] as const)(
    "can be resumed if %s before a second signature",
    (accident) => {
      const { service, store, process } = makeShared({ policy })
      service.next("submit", Fault.refuse(410))
      const inner = TestSigner.evm()
      const seen = { signatures: 0, reserving: false }
      const declined = new SwapError.SignerError({ reason: "rejected", message: "Declined." })
      const evm: Signer.Evm = {
        ...inner,
        signOperation: (operation) => {
          if (++seen.signatures < 2) return inner.signOperation(operation)
          return accident === "the store fails once" ? Effect.fail(declined) : Effect.never
        }
      }
      const own = altered(store, (step, update) => {
        if (step !== "reserve" || seen.signatures === 0) return update
        if (accident === "the store hangs") return ((seen.reserving = true), Effect.never)
        return accident === "the store fails once" ? Effect.andThen(update, Effect.fail(lost)) : update
      })
      return Effect.gen(function* () {
        // Time passes between the signatures, so the second one renews the reservation.
        service.next("quote", Fault.pass, Fault.delay(1_000))
        const layer = process({ store: own, signers: { evm } })
        const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(idempotencyKey), layer)))
        yield* until(() => seen.reserving || seen.signatures === 2 || owner.pollUnsafe() !== undefined)
        if (seen.reserving) yield* Effect.forkChild(Fiber.interrupt(owner))
        yield* TestClock.adjust("1 minute")
        const [flow] = yield* store.flows
        assert.strictEqual(flow?.signatures, 1)
        const swap = yield* Effect.provide(succeeding(again(flow?.id ?? "")), process())
        assert.strictEqual(swap.status, "settled")
        assert.deepStrictEqual(yield* store.flows, [])
      })
    }
  )

  it.effect("is not submitted if a failed write happens after the caller has tried again", () => {
    const { service, store, process } = makeShared()
    return Effect.gen(function* () {
      const late = process({ store: lateStep(store, "signed 1", "1 second") })
      const first = yield* Effect.provide(failing(execute(idempotencyKey)), late)
      assert.strictEqual(first.retry, "now")
      yield* Effect.provide(succeeding(execute(idempotencyKey)), late)
      yield* TestClock.adjust("2 minutes")
      assert.isUndefined(yield* flowIn(store))
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("does not keep its budget if another process finds it gone", () => {
    const { store, process } = makeShared({ policy })
    const own = slowStep(store, "signed 1", "5 seconds")
    const reader = slowStep(store, "read", "6 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(
        Effect.exit(Effect.provide(execute(idempotencyKey), process({ store: own.store })))
      )
      yield* until(() => own.seen.step)
      const [flow] = yield* store.flows
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ store: reader.store }))
      const other = yield* Effect.forkChild(Effect.exit(resuming))
      yield* until(() => reader.seen.step)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(other))._tag, "Failure")
      assert.strictEqual((yield* Effect.provide(succeeding(execute(idempotencyKey)), process())).status, "settled")
    })
  })

  it.effect("ends in an unknown outcome if its write seemed to fail and another process has resumed it", () => {
    const { service, store, process } = makeShared()
    const own = altered(store, (step, update) =>
      step === "signed 1" ? Effect.andThen(update, Effect.delay(Effect.fail(lost), "3 seconds")) : update
    )
    service.ends("settled", 10_000)
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(idempotencyKey)), process({ store: own }))
      const owner = yield* Effect.forkChild(signing)
      for (let flows = 0; flows === 0; flows = (yield* store.flows).length) yield* TestClock.adjust(50)
      const [flow] = yield* store.flows
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      const error = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([error._tag, error.retry], ["OutcomeUnknown", "resume"])
      assert.strictEqual((yield* succeeding(Fiber.join(other))).status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })
})

describe("an idempotency key", () => {
  it.effect("stays with the second process if the first one lost its lease and gives up late", () => {
    const { service, store, process } = makeShared()
    const slow = slowStep(store, "read the key", "29 seconds")
    const order = (accept: Effect.Effect<boolean>, own = store) =>
      Client.execute(evmRequest, { idempotencyKey: "order", acceptQuote: () => accept }).pipe(
        Effect.provide(process({ store: own })),
        Effect.exit,
        Effect.forkChild
      )
    let asked = 0
    const slowUser = Effect.suspend(() => Effect.delay(Effect.succeed(true), ++asked === 1 ? "65 seconds" : 0))
    return Effect.gen(function* () {
      // The first user takes longer than the lease. The second process takes over, and its user declines.
      yield* order(slowUser, slow.store)
      yield* TestClock.adjust("62 seconds")
      yield* order(Effect.delay(Effect.succeed(false), "10 seconds"))
      yield* TestClock.adjust("27 seconds")
      service.next("submit", Fault.delay(20_000))
      yield* TestClock.adjust("10 seconds")
      yield* order(Effect.succeed(true))
      yield* TestClock.adjust("2 minutes")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("makes no second swap under a policy that trusts the service", () => {
    const { service, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
    // The price moves for a moment: the first submit is refused. The same bytes are accepted afterwards.
    service.next("submit", Fault.refuse(422, "SLIPPAGE"), Fault.delay(10_000))
    service.next("quote", Fault.pass, Fault.delay(5_000))
    return Effect.gen(function* () {
      for (let processes = 0; processes < 2; processes++) {
        yield* Effect.forkChild(Effect.exit(Effect.provide(execute("order"), process())))
        yield* TestClock.adjust("1 second")
      }
      for (let second = 0; second < 60; second++) yield* TestClock.adjust("1 second")
      assert.lengthOf(service.swaps, 1)
    })
  })
})

describe("a flow without an idempotency key", () => {
  it.effect("is removed with the end of its swap", () => {
    const { service, store, process } = makeShared()
    service.ends("settled", 30_000)
    return Effect.gen(function* () {
      const swapping = yield* Effect.forkChild(Effect.provide(execute(undefined), process()))
      yield* TestClock.adjust("5 seconds")
      assert.deepInclude(yield* flowIn(store), { state: "accepted", signatures: 1 })
      yield* succeeding(Fiber.join(swapping))
      assert.isUndefined(yield* flowIn(store))
    })
  })

  it.effect("does not outlive an abort before anything is sent", () => {
    const { store, process } = makeShared()
    const evm: Signer.Evm = { ...TestSigner.evm(), signOperation: () => Effect.never }
    return Effect.gen(function* () {
      const swapping = yield* Effect.forkChild(Effect.provide(execute(undefined), process({ signers: { evm } })))
      for (let flow; flow === undefined; flow = yield* flowIn(store)) yield* TestClock.adjust(50)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(swapping)
      assert.isUndefined(yield* flowIn(store))
    })
  })

  it.effect("is one swap if two processes resume it at once with slow stores", () => {
    const { service, store, process } = makeShared()
    service.next("submit", Fault.hang({ after: true }))
    const slow = altered(store, (_, update) =>
      Effect.tap(Effect.delay(update, "1 second"), () => Effect.sleep("5 seconds"))
    )
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(undefined), process()))
      yield* until(() => service.seen("submit").length > 0)
      yield* Fiber.interrupt(owner)
      const [flow] = yield* store.flows
      const resume = Effect.provide(Client.resume(flow?.id ?? ""), process({ store: slow }))
      const killed = yield* Effect.forkChild(resume)
      yield* TestClock.adjust("3 seconds")
      yield* Effect.forkChild(Fiber.interrupt(killed))
      const both = yield* Effect.forkChild(Effect.all([resume, resume], { concurrency: 2 }))
      const [first, second] = yield* succeeding(Fiber.join(both))
      assert.strictEqual(first.swapId, second.swapId)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is not signed again once another process has resumed a discarded signature", () => {
    const { service, store, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
    service.next("submit", Fault.refuse(422, "SLIPPAGE"), Fault.hang({ after: true }))
    service.next("quote", Fault.pass, Fault.delay(5_000))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(Effect.flip(execute(undefined)), process()))
      yield* until(() => service.seen("submit").length === 1)
      const [flow] = yield* store.flows
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length === 2)
      assert.strictEqual((yield* succeeding(Fiber.join(owner))).retry, "resume")
      yield* Fiber.interrupt(other)
      const resumed = yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())
      assert.strictEqual(resumed.status, "settled")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("lets the signing process find a swap that another process obtained and saw end", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(undefined), process({ readers })))
      yield* TestClock.adjust("30 seconds")
      const [flow] = yield* store.flows
      const resumed = yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process({ readers }))
      assert.deepStrictEqual(yield* store.flows, [])
      // The flow has left the store. Nothing else is signed.
      const swap = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([swap.swapId, swap.status], [resumed.swapId, "settled"])
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })

  it.effect("is kept if another process resubmits it, even if the refusal is trusted", () => {
    const { service, store, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
    // The first submit is refused, and so is the next quote. The other process's submit takes effect.
    service.next("submit", Fault.refuse(422, "SLIPPAGE"), Fault.hang({ after: true }))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.refuse(422, "UNSUPPORTED"))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(undefined), process())))
      yield* TestClock.adjust("58 seconds")
      const [flow] = yield* store.flows
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length > 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(owner))._tag, "Failure")
      yield* Fiber.interrupt(other)
      const resumed = yield* passing(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      assert.strictEqual(resumed._tag, "Success")
      assert.lengthOf(service.swaps, 1)
    })
  })
})

describe.each([false, true])("a flow in a store with flows only (%s)", (flowsOnly) => {
  it.effect("fences a signature that the wallet makes while another process closes the flow", () => {
    const { service, store, process } = makeShared({ flowsOnly })
    const { readers } = service
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(25))
    service.next("submit", Fault.refuse(410), Fault.refuse(410))
    const { evm, signed } = slowSecondSignature()
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers, signers: { evm } }))
      const owner = yield* Effect.forkChild(signing)
      yield* TestClock.adjust("95 seconds")
      assert.strictEqual(signed.operations, 2)
      const [flow] = yield* store.flows
      const error = yield* Effect.provide(failing(Client.resume(flow?.id ?? "")), process({ readers }))
      assert.strictEqual(error._tag, "Expired")
      assert.strictEqual((yield* succeeding(Fiber.join(owner)))._tag, "Expired")
      assert.deepStrictEqual(yield* store.flows, [])
      assert.lengthOf(service.swaps, 0)
    })
  })

  it.effect("keeps a live signature, or waits until it has expired, if another process closes the flow late", () => {
    const { service, store, process } = makeShared({ flowsOnly })
    const { readers } = service
    const slow = slowStep(store, "remove", "6 seconds", "before")
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(35), Fault.pass, Fault.delay(4_000))
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers }))
      const owner = yield* Effect.forkChild(signing)
      // The first signature has expired unused.
      yield* TestClock.adjust("92 seconds")
      const [flow] = yield* store.flows
      const resuming = Effect.flip(Client.resume(flow?.id ?? ""))
      const other = yield* Effect.forkChild(Effect.provide(resuming, process({ readers, store: slow.store })))
      yield* TestClock.adjust("9 seconds")
      yield* succeeding(Fiber.join(other))
      const error = yield* succeeding(Fiber.join(owner))
      const [left] = yield* store.flows
      const query = { chainId, wallet: evmRequest.walletAddress, ...(left ?? flow)?.operation }
      const state = yield* readers.evm?.operationState(query as ChainReader.OperationQuery) ?? Effect.die("no reader")
      assert.notStrictEqual(`${error._tag} ${state}`, "Expired open")
      assert.include(["OutcomeUnknown", "Expired"], error._tag)
    })
  })
})
