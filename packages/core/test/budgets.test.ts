/** Budgets that outlive the policy that sets them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Policy, type Signer, Store, SwapError } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { failing, forgetAll, passing, succeeding, makeFixture, type FixtureOptions } from "./fixture.js"
import { altered, lost, slowStep } from "./processes.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId, inputToken: token, amount } = evmRequest

/** Forgets what is open in a store, as a person may who knows how it ended. */
const forgetFlows = (store: Store.Store) => Effect.provideService(forgetAll, Store.Store, store)

/** A program that provides its own layers, like a request handler: they are rebuilt for every run. */
const rebuilt = (budget: Partial<Policy.Budget> = {}, options: FixtureOptions = {}) => {
  const service = ScriptedTransport.make()
  service.delegate(chainId, evmRequest.walletAddress)
  const store = Effect.runSync(Store.makeMemory)
  const budgets = [{ chainId, token, amount, ...budget }]
  const run = (other: FixtureOptions = {}) =>
    Effect.provide(
      Client.execute(evmRequest),
      makeFixture({ service, store, policy: { budgets }, ...options, ...other }).layer
    )
  return { service, store, run }
}

describe("a budget", () => {
  it.effect("is enforced across programs that rebuild their layers for every run", () => {
    const { service, run } = rebuilt()
    return Effect.gen(function* () {
      yield* succeeding(run())
      const error = yield* failing(run())
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "budgets")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is enforced for concurrent swaps", () => {
    const { service, run } = rebuilt({ amount: 3n * amount + 1n })
    return Effect.gen(function* () {
      yield* passing(
        Effect.all(
          Array.from({ length: 8 }, () => Effect.result(run())),
          { concurrency: "unbounded" }
        )
      )
      assert.lengthOf(service.swaps, 3)
    })
  })

  it.effect("is enforced across services", () => {
    const { run } = rebuilt()
    const other = ScriptedTransport.make()
    other.delegate(chainId, evmRequest.walletAddress)
    return Effect.gen(function* () {
      yield* succeeding(run())
      assert.strictEqual((yield* failing(run({ service: other })))._tag, "PolicyViolation")
      assert.lengthOf(other.swaps, 0)
    })
  })

  it.effect("is checked before the wallet is delegated, and is not used up by the check", () => {
    const { run } = rebuilt({ amount: 2n * amount })
    const inner = TestSigner.evm()
    const authorizations: Array<unknown> = []
    const evm: Signer.Evm = {
      ...inner,
      signAuthorization: (authorization) => {
        authorizations.push(authorization)
        return inner.signAuthorization?.(authorization) ?? Effect.die("The signer has no authorizations.")
      }
    }
    return Effect.gen(function* () {
      yield* succeeding(run())
      const undelegated = () => run({ service: ScriptedTransport.make(), signers: { evm } })
      yield* succeeding(undelegated())
      assert.lengthOf(authorizations, 1)
      const error = yield* failing(undelegated())
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "budgets")
      assert.lengthOf(authorizations, 1)
    })
  })

  it.effect("is not used up by a swap that another limit refuses before the wallet is delegated", () => {
    const { store, run } = rebuilt({ amount: 3n * amount })
    const budgets = [{ chainId, token, amount: 3n * amount }]
    return Effect.gen(function* () {
      yield* succeeding(run())
      const policy = { budgets, maxSwapsPerHour: 0 }
      const error = yield* failing(run({ service: ScriptedTransport.make(), policy }))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "maxSwapsPerHour")
      const limit = { window: "total", amount: 3n * amount } as const
      assert.strictEqual(yield* Store.left(store, evmRequest.walletAddress, { chainId, token }, limit), 2n * amount)
    })
  })

  it.effect("of an hour is available again after an hour", () => {
    const { service, run } = rebuilt({ window: "hour" })
    return Effect.gen(function* () {
      yield* succeeding(run())
      assert.strictEqual((yield* failing(run()))._tag, "PolicyViolation")
      yield* TestClock.adjust("1 hour")
      yield* succeeding(run())
      assert.lengthOf(service.swaps, 2)
    })
  })

  it.effect("of an hour starts with the last signature of a swap", () => {
    const { service, run } = rebuilt({ window: "hour" })
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(60))
    return Effect.gen(function* () {
      yield* succeeding(run())
      yield* TestClock.setTime(3_600_000 + 60_000)
      assert.strictEqual((yield* failing(run()))._tag, "PolicyViolation")
      yield* TestClock.setTime(3_600_000 + 125_000)
      yield* succeeding(run())
      assert.lengthOf(service.swaps, 2)
    })
  })

  it.effect("is not released if a second signature fails, because the first was sent", () => {
    const inner = TestSigner.evm()
    const calls = { count: 0 }
    const evm: Signer.Evm = {
      ...inner,
      signOperation: (operation) =>
        ++calls.count === 2
          ? Effect.fail(new SwapError.SignerError({ reason: "rejected", message: "No." }))
          : inner.signOperation(operation)
    }
    const { service, store, run } = rebuilt()
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run({ signers: { evm } })))._tag, "OutcomeUnknown")
      assert.strictEqual(calls.count, 2)
      yield* forgetFlows(store)
      assert.strictEqual((yield* failing(run()))._tag, "PolicyViolation")
    })
  })

  it.effect.each([
    ["refused", Fault.refuse(422, "INSUFFICIENT_BALANCE")],
    ["expired", Fault.refuse(410)],
    ["unauthorized", Fault.refuse(401)]
  ] as const)("is not released although the service says that the swap was %s", ([, fault]) => {
    const { service, store, run } = rebuilt()
    service.always("submit", fault)
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run()))._tag, "OutcomeUnknown")
      yield* forgetFlows(store)
      assert.strictEqual((yield* failing(run()))._tag, "PolicyViolation")
    })
  })

  it.effect("is released if the wallet declines, because nothing was sent", () => {
    const inner = TestSigner.evm()
    const evm: Signer.Evm = {
      ...inner,
      signOperation: () => Effect.fail(new SwapError.SignerError({ reason: "rejected", message: "No." }))
    }
    const { service, run } = rebuilt()
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run({ signers: { evm } })))._tag, "SignerError")
      yield* succeeding(run())
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is released by an abort while it is being reserved", () => {
    const { service, store, run } = rebuilt()
    const slow = slowStep(store, "signing", "2 seconds", "before")
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run({ store: slow.store }))
      while (!slow.seen.step) yield* TestClock.adjust(50)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.lengthOf(service.seen("submit"), 0)
      yield* succeeding(run())
    })
  })

  it.effect("stops the swap before anything is signed if the store fails", () => {
    const { service, store, run } = rebuilt()
    const failingStore = altered(store, (step, update) => (step === "signing" ? Effect.fail(lost) : update))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run({ store: failingStore })))._tag, "StoreError")
      assert.lengthOf(service.seen("submit"), 0)
    })
  })

  it.effect("refuses a token that is not listed before anything is sent", () => {
    const { service, run } = rebuilt({ token: `0x${"99".repeat(20)}` })
    return Effect.gen(function* () {
      const error = yield* failing(run())
      assert.strictEqual(error._tag, "PolicyViolation")
      assert.lengthOf(service.requests, 0)
    })
  })
})

describe("a budget without an idempotency key", () => {
  /**
   * Aborts an `execute` between its write to the store and its submit. Another process resumes the flow, and pauses
   * after this step while the abort happens. Then a new `execute` follows.
   */
  const abortBesideResume = Effect.fnUntraced(function* (pausedAfter: string) {
    const { service, store, run } = rebuilt()
    const writer = slowStep(store, "signed 1", "1 minute")
    const reader = slowStep(store, pausedAfter, "1 minute")
    const owner = yield* Effect.forkChild(run({ store: writer.store }))
    while (!writer.seen.step) yield* TestClock.adjust(50)
    const [flow] = yield* store.flows
    const { layer } = makeFixture({ service, store: reader.store })
    const other = yield* Effect.forkChild(Effect.exit(Effect.provide(Client.resume(flow?.id ?? ""), layer)))
    while (!reader.seen.step) yield* TestClock.adjust(50)
    yield* Effect.forkChild(Fiber.interrupt(owner))
    yield* TestClock.adjust("5 minutes")
    const resumed = yield* Fiber.join(other)
    const next = yield* passing(run())
    return { resumed: resumed._tag, next: next._tag, swaps: service.swaps.length }
  })

  it.effect("is returned if a flow is aborted before another process may submit it", () =>
    Effect.gen(function* () {
      const result = yield* abortBesideResume("read")
      assert.deepStrictEqual(result, { resumed: "Failure", next: "Success", swaps: 1 })
    })
  )

  it.effect("stays spent if another process may submit the aborted flow", () =>
    Effect.gen(function* () {
      const result = yield* abortBesideResume("resumed 1")
      assert.deepStrictEqual(result, { resumed: "Success", next: "Failure", swaps: 1 })
    })
  )
})
