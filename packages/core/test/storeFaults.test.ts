/** Stores that fail, hang or are slow, at the moments at which a swap, a budget or a key could be lost. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Store, Transport } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { failing, passing, succeeding } from "./fixture.js"
import {
  altered,
  deadAt,
  execute,
  flowIn,
  lateStep,
  lost,
  lyingSend,
  makeShared,
  slowStep,
  until
} from "./processes.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const { originChain: chainId, inputToken: token, amount } = evmRequest

const order = (options: Client.RunOptions = {}) =>
  Client.execute(solanaRequest, { idempotencyKey: "order", ...options })

/** The service is slow to answer the first submit request, and refuses it once the transaction has expired. */
const firstExpires = (service: ScriptedTransport.ScriptedTransport) =>
  service.next("submit-solana", Fault.rateLimited(60), Fault.rateLimited(40))

/** A value as JSON, with bigints as strings. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))

describe("a key whose second signature is withdrawn after the first has expired", () => {
  it.effect("is not blocked if the store fails once while it stores the second signature", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    let failures = 0
    const flaky = altered(store, (step, update) =>
      Effect.suspend(() => (step === "signed 2" && failures++ === 0 ? Effect.fail(lost) : update))
    )
    return Effect.gen(function* () {
      const layer = process({ readers, store: flaky })
      const first = yield* Effect.provide(failing(order()), layer)
      assert.deepStrictEqual([failures, first._tag, first.retry], [1, "StoreError", "now"])
      assert.lengthOf(service.swaps, 0)
      yield* TestClock.adjust("10 minutes")
      const second = yield* Effect.provide(passing(order()), layer)
      assert.strictEqual(second._tag, "Success", `blocked: ${textOf({ second, flow: yield* flowIn(store) })}`)
    })
  })

  it.effect("is not blocked if the caller aborts before the second signature is sent, and the process exits", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    const seen = { stored: false, dead: false }
    const own = altered(store, (step, update) =>
      Effect.suspend(() => {
        if (seen.dead) return Effect.never
        if (step !== "signed 2") return Effect.delay(update, 50)
        return Effect.tap(update, () => Effect.suspend(() => ((seen.stored = true), Effect.sleep("1 second"))))
      })
    )
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process({ readers, store: own })))
      yield* until(() => seen.stored)
      // The process exits as soon as the aborted call has returned.
      yield* Effect.forkChild(Fiber.interrupt(first))
      yield* TestClock.adjust(500)
      seen.dead = true
      yield* TestClock.adjust("10 minutes")
      const results = []
      for (let attempt = 0; attempt < 3; attempt++) {
        results.push((yield* Effect.provide(passing(order()), process({ readers })))._tag)
        yield* TestClock.adjust("10 minutes")
      }
      assert.include(results, "Success", `blocked: ${textOf({ results, flow: yield* flowIn(store) })}`)
      assert.lengthOf(service.swaps, 1)
    })
  })
})

describe("a key whose first signature a lying service accepts while the second one is being made", () => {
  it.effect("is not blocked once everything has expired", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    const inner = TestSigner.solana()
    const signed = { transactions: 0 }
    const solana: Signer.Solana = {
      ...inner,
      signTransaction: (transaction) =>
        Effect.delay(inner.signTransaction(transaction), ++signed.transactions === 2 ? "20 seconds" : 0)
    }
    const lying = Transport.make(lyingSend(service, { status: "pending" }))
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(
        Effect.provide(Effect.exit(order()), process({ readers, signers: { solana } }))
      )
      yield* until(() => signed.transactions === 2)
      const [flow] = yield* store.flows
      const resuming = Effect.provideService(
        Client.resume(flow?.id ?? "", { timeout: "10 seconds" }),
        Transport.Transport,
        lying
      )
      // The other process gets "lie" for the first signature, and dies while it follows that swap.
      const other = yield* Effect.forkChild(Effect.provide(Effect.exit(resuming), process({ readers })))
      yield* TestClock.adjust(500)
      yield* Fiber.interrupt(other)
      yield* TestClock.adjust("30 minutes")
      yield* Fiber.interrupt(first)
      // From now on, everything is honest and reliable.
      yield* TestClock.adjust("10 minutes")
      const results = []
      for (let attempt = 0; attempt < 3; attempt++) {
        results.push((yield* Effect.provide(passing(order()), process({ readers })))._tag)
        results.push((yield* Effect.provide(passing(Client.resume(flow?.id ?? "")), process({ readers })))._tag)
        yield* TestClock.adjust("10 minutes")
      }
      assert.include(results, "Success", `blocked: ${textOf(yield* flowIn(store))}`)
    })
  })
})

describe("a swap that a lying service reports as failed", () => {
  it.effect("is signed once if the store fails in the process that heard the lie", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410), Fault.hang(), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    let isCut = false
    // The connection is lost after the flow was taken.
    const cut = altered(store, (step, update) =>
      Effect.suspend(() => {
        if (isCut) return Effect.fail(lost)
        isCut = step === "resumed 1"
        return update
      })
    )
    const lying = Transport.make(lyingSend(service, { status: "failed" }))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute("order"), process({ readers })))
      yield* TestClock.adjust("30 seconds")
      const other = yield* Effect.forkChild(
        Effect.provideService(Effect.result(execute("order")), Transport.Transport, lying).pipe(
          Effect.provide(process({ readers, store: cut }))
        )
      )
      const result = yield* succeeding(Fiber.join(other))
      assert.isTrue(isCut)
      const [flow] = yield* store.flows
      const swap = result._tag === "Success" ? result.success.status : result.failure._tag
      assert.strictEqual(flow?.signatures, 1)
      const paid = yield* succeeding(Effect.exit(Fiber.join(owner)))
      assert.lengthOf(
        service.swaps.filter(({ status }) => status !== "failed"),
        paid._tag === "Success" && paid.value.status === "settled" ? 1 : 0
      )
      assert.isTrue(
        swap !== "failed" || service.swaps.length === 0,
        "one process reports `failed`, and the swap is paid"
      )
    })
  })
})

describe("a withdrawn flow whose key is free", () => {
  it.effect("is not paid after an error that says never to retry", () => {
    const { service, store, process } = makeShared()
    const late = lateStep(store, "signed 1", "10 seconds")
    return Effect.gen(function* () {
      const first = yield* Effect.provide(failing(execute("order")), process({ store: late }))
      assert.strictEqual(first.retry, "now")
      service.next("quote", Fault.refuse(422, "NO_ROUTE"))
      const second = yield* Effect.provide(failing(execute("order")), process({ store: late }))
      assert.strictEqual(second.retry, "never")
      yield* TestClock.adjust("15 seconds")
      // A recovery job resumes everything that is in the store.
      for (const { id } of yield* store.flows) yield* Effect.provide(passing(Client.resume(id)), process())
      assert.lengthOf(service.swaps, 0)
    })
  })

  it.effect("does not exceed the budget if a recovery job without budgets resumes what is left", () => {
    const { service, store, process } = makeShared()
    const late = lateStep(store, "signed 1", "10 seconds")
    const policy = { budgets: [{ chainId, token, amount }] }
    return Effect.gen(function* () {
      yield* Effect.provide(failing(execute("order")), process({ policy, store: late }))
      service.next("quote", Fault.refuse(422, "NO_ROUTE"))
      yield* Effect.provide(failing(execute("order")), process({ policy, store: late }))
      yield* TestClock.adjust("15 seconds")
      for (const { id } of yield* store.flows) yield* Effect.provide(passing(Client.resume(id)), process())
      yield* Effect.provide(passing(execute("another")), process({ policy }))
      assert.isAtMost(service.swaps.length, 1)
    })
  })

  it.effect("is not paid without a record in the store", () => {
    const { service, store, process } = makeShared()
    const slow = slowStep(slowStep(store, "signed 1", "62 seconds", "before").store, "remove", "15 seconds", "before")
    const declining = Client.execute(evmRequest, {
      idempotencyKey: "order",
      acceptQuote: () => Effect.delay(Effect.succeed(false), "10 seconds")
    })
    return Effect.gen(function* () {
      // The first process's store is slow, so its lease ends. The second process takes over, and its user declines after
      // 10 s. Then a recovery job resumes what it finds, and everybody tries again.
      const first = yield* Effect.forkChild(
        Effect.exit(Effect.provide(execute("order"), process({ store: slow.store })))
      )
      yield* TestClock.adjust("500 millis")
      const second = yield* Effect.forkChild(Effect.exit(Effect.provide(declining, process())))
      yield* until(() => second.pollUnsafe() !== undefined)
      service.next("submit", Fault.hang({ after: true }))
      yield* TestClock.adjust("15 seconds")
      const flow = yield* flowIn(store)
      const third = yield* Effect.forkChild(Effect.exit(Effect.provide(Client.resume(flow?.id ?? ""), process())))
      yield* TestClock.adjust("15 seconds")
      yield* Effect.forkChild(Fiber.interrupt(third))
      yield* TestClock.adjust("5 minutes")
      yield* Effect.forkChild(Fiber.interrupt(first))
      yield* TestClock.adjust("2 minutes")
      const again = yield* Effect.provide(passing(execute("order")), process())
      const state = { paid: service.swaps.length, flow: yield* flowIn(store), again }
      assert.isTrue(state.paid === 1 && again._tag === "Success", textOf(state))
    })
  })
})

describe("a flow that was discarded because a refusal was trusted", () => {
  it.effect.each(["the store cannot remove the flow", "the store hangs"] as const)(
    "is not paid twice if %s",
    (accident) => {
      const { service, store, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
      // The price moves for a moment.
      service.next("submit", Fault.refuse(422, "SLIPPAGE"))
      service.next("quote", Fault.pass, Fault.unavailable(), Fault.unavailable(), Fault.unavailable())
      const stuck = altered(store, (step, update) =>
        step === "remove" ? (accident === "the store hangs" ? Effect.never : Effect.fail(lost)) : update
      )
      return Effect.gen(function* () {
        const error = yield* Effect.provide(failing(execute(undefined)), process({ store: stuck }))
        assert.strictEqual(error.retry, "later")
        // The caller follows the hint. Its refused signature is still stored, so nothing else is signed.
        const again = yield* Effect.provide(failing(execute(undefined)), process())
        assert.strictEqual(again._tag, "UnfinishedSwap")
        for (const { id } of yield* store.flows) yield* Effect.provide(passing(Client.resume(id)), process())
        assert.lengthOf(service.swaps, 1)
        assert.deepStrictEqual(yield* store.flows, [])
      })
    }
  )
})

describe("a budget, after the clock was days ahead once", () => {
  it.effect("still applies in the store", () =>
    Effect.gen(function* () {
      const store = yield* Store.makeMemory
      const limits = [{ window: "hour" as const, amount: 100n }]
      const reserve = (id: string, spent: bigint) =>
        Store.reserve(store, evmRequest.walletAddress, { id, amount: spent, limits, chainId, token })
      const start = 1_800_000_000_000
      yield* TestClock.setTime(start + 3 * 86_400_000)
      yield* reserve("ahead", 1n)
      yield* TestClock.setTime(start)
      let spent = 1n
      for (let n = 0; n < 10; n++) if ((yield* reserve(`swap-${n}`, 49n)) === undefined) spent += 49n
      assert.isTrue(spent <= 100n, `spent ${spent} of 100 within an hour`)
    })
  )

  it.effect("still applies in a client", () => {
    const budgets = [{ chainId, token, amount: 3n * amount, window: "hour" as const }]
    const { service, process } = makeShared({ policy: { budgets } })
    const start = 1_800_000_000_000
    return Effect.gen(function* () {
      yield* TestClock.setTime(start + 2 * 86_400_000)
      yield* Effect.provide(succeeding(execute("ahead")), process())
      yield* TestClock.setTime(start)
      for (let n = 0; n < 6; n++) yield* Effect.provide(passing(execute(`order-${n}`)), process())
      assert.isAtMost(service.swaps.length, 3)
    })
  })
})

describe("a key that one process gives up while another process resumes its flow and dies", () => {
  it.effect("is not blocked once everything has expired", () => {
    const { service, store, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    const slow = slowStep(store, "remove", "5 seconds", "before")
    return Effect.gen(function* () {
      // The first signature expires, and there is no other quote, so the first process gives up.
      const first = yield* Effect.forkChild(
        Effect.exit(Effect.provide(order({ maxRequotes: 0 }), process({ readers, store: slow.store })))
      )
      yield* until(() => slow.seen.step)
      const [flow] = yield* store.flows
      service.next("submit-solana", Fault.hang())
      const other = yield* Effect.forkChild(
        Effect.exit(Effect.provide(Client.resume(flow?.id ?? ""), process({ readers })))
      )
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(other)
      const given = yield* Fiber.join(first)
      yield* TestClock.adjust("10 minutes")
      const results = []
      for (let attempt = 0; attempt < 3; attempt++) {
        results.push((yield* Effect.provide(passing(order()), process({ readers })))._tag)
        yield* TestClock.adjust("10 minutes")
      }
      assert.include(results, "Success", `blocked: ${textOf({ given, results, flow: yield* flowIn(store) })}`)
    })
  })
})

describe("a flow without a key that another process resumed and removed", () => {
  it.effect("is found by the process that signed it", () => {
    const { service, store, process } = makeShared()
    const slow = slowStep(store, "signed 1", "20 seconds")
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(
        Effect.provide(Effect.result(execute(undefined)), process({ store: slow.store }))
      )
      yield* until(() => slow.seen.step)
      const [flow] = yield* store.flows
      const resumed = yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())
      const result = yield* succeeding(Fiber.join(owner))
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(result._tag === "Success" ? result.success.swapId : result.failure, resumed.swapId)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })
})

describe("an abort", () => {
  it.effect("does not wait for a store that hangs", () => {
    const { store, process } = makeShared({ policy: { budgets: [{ chainId, token, amount }] } })
    const seen = { reserving: false }
    const hung = altered(deadAt(store, "reserve"), (step, update) => ((seen.reserving ||= step === "reserve"), update))
    return Effect.gen(function* () {
      const swapping = yield* Effect.forkDetach(Effect.provide(execute("order"), process({ store: hung })))
      yield* until(() => seen.reserving)
      const abort = yield* Effect.forkDetach(Fiber.interrupt(swapping))
      yield* TestClock.adjust("10 minutes")
      assert.isDefined(abort.pollUnsafe(), "the abort still waits after ten minutes")
    })
  })
})
