/** Budgets that outlive the policy that sets them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Policy, type Signer, SwapError } from "../src/index.js"
import { Views } from "../src/programs/journal.js"
import * as Journal from "./views/Journal.js"
import * as Ledger from "./views/Ledger.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { failing, passing, succeeding, makeFixture, type FixtureOptions } from "./fixture.js"

const { evmRequest } = ScriptedTransport
const { originChain: chain, inputToken: token, amount } = evmRequest

/** A program that provides its own layers, like a request handler: they are rebuilt for every run. */
const rebuilt = (budget: Partial<Policy.Budget> = {}, options: FixtureOptions = {}) => {
  const service = ScriptedTransport.make()
  service.delegate(chain, evmRequest.walletAddress)
  const ledger = Effect.runSync(Ledger.makeMemory)
  const budgets = [{ chain, token, amount, ...budget }]
  const run = (other: FixtureOptions = {}) =>
    Effect.provide(
      Client.execute(evmRequest),
      makeFixture({ service, ledger, policy: { budgets }, ...options, ...other }).layer
    )
  return { service, ledger, run }
}

describe("a budget in a ledger", () => {
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
    other.delegate(chain, evmRequest.walletAddress)
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
    const { ledger, run } = rebuilt({ amount: 3n * amount })
    const budgets = [{ chain, token, amount: 3n * amount }]
    return Effect.gen(function* () {
      yield* succeeding(run())
      const policy = { budgets, maxSwapsPerHour: 0 }
      const error = yield* failing(run({ service: ScriptedTransport.make(), policy }))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "maxSwapsPerHour")
      const wallet = { wallet: evmRequest.walletAddress, chain, token }
      assert.deepStrictEqual(
        yield* ledger.reserve({
          ...wallet,
          id: "rest",
          amount: 2n * amount,
          limits: [{ window: "total", amount: 3n * amount }]
        }),
        undefined
      )
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
    const { service, run } = rebuilt()
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run({ signers: { evm } })))._tag, "OutcomeUnknown")
      assert.strictEqual(calls.count, 2)
      assert.strictEqual((yield* failing(run()))._tag, "PolicyViolation")
    })
  })

  it.effect.each([
    ["refused", Fault.refuse(422, "INSUFFICIENT_BALANCE")],
    ["expired", Fault.refuse(410)],
    ["unauthorized", Fault.refuse(401)]
  ] as const)("is not released although the service says that the swap was %s", ([, fault]) => {
    const { service, run } = rebuilt()
    service.always("submit", fault)
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run()))._tag, "OutcomeUnknown")
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

  it.effect("is released by an abort while the ledger is being written", () => {
    const { service, ledger, run } = rebuilt()
    const slow: Ledger.Ledger = {
      ...ledger,
      reserve: (reservation) => Effect.delay(ledger.reserve(reservation), "2 seconds")
    }
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run({ ledger: slow }))
      while (service.seen("build-geo-op").length < 1) yield* TestClock.adjust(50)
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.lengthOf(service.seen("submit"), 0)
      yield* succeeding(run())
    })
  })

  it.effect("stops the swap before anything is signed if the ledger fails", () => {
    const ledger = Ledger.failing
    const { service, run } = rebuilt({}, { ledger })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(run()))._tag, "StoreError")
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
   * Aborts an `execute` between its write to the journal and its submit. Another process resumes the flow, and pauses
   * after this read of the journal while the abort happens. Then a new `execute` follows.
   */
  const abortBesideResume = (pausedRead: number, ledger: Ledger.Ledger | undefined) => {
    const service = ScriptedTransport.make()
    service.delegate(chain, evmRequest.walletAddress)
    const journal = Effect.runSync(Journal.makeMemory)
    const { layer } = makeFixture({
      service,
      policy: { budgets: [{ chain, token, amount }] },
      ...(ledger && { ledger })
    })
    const done = { writes: 0, reads: 0 }
    const slowWriter: Journal.Journal = {
      ...journal,
      put: (flow) => Effect.tap(journal.put(flow), () => Effect.suspend(() => (done.writes++, Effect.sleep(60_000))))
    }
    const slowReader: Journal.Journal = {
      ...journal,
      get: (id) =>
        Effect.tap(journal.get(id), () =>
          Effect.suspend(() => (++done.reads === pausedRead ? Effect.sleep(60_000) : Effect.void))
        )
    }
    return Effect.gen(function* () {
      const execute = Client.execute(evmRequest)
      const owner = yield* Effect.forkChild(Effect.provideService(execute, Views, { journal: slowWriter, ledger }))
      while (done.writes < 1) yield* TestClock.adjust(50)
      const [flow] = yield* journal.list
      const resume = Effect.exit(Client.resume(flow?.id ?? ""))
      const other = yield* Effect.forkChild(Effect.provideService(resume, Views, { journal: slowReader, ledger }))
      while (done.reads < pausedRead) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(owner)
      yield* TestClock.adjust("5 minutes")
      const resumed = yield* Fiber.join(other)
      const next = yield* passing(Effect.provideService(execute, Views, { journal, ledger }))
      return { resumed: resumed._tag, next: next._tag, swaps: service.swaps.length }
    }).pipe(Effect.provide(layer))
  }

  for (const where of ["ledger", "policy"] as const) {
    const ledgerOf = () => (where === "ledger" ? Effect.runSync(Ledger.makeMemory) : undefined)

    it.effect(`is returned to the ${where} if a flow is aborted before another process may submit it`, () =>
      Effect.gen(function* () {
        const result = yield* abortBesideResume(1, ledgerOf())
        assert.deepStrictEqual(result, { resumed: "Failure", next: "Success", swaps: 1 })
      })
    )

    it.effect(`stays spent in the ${where} if another process may submit the aborted flow`, () =>
      Effect.gen(function* () {
        const result = yield* abortBesideResume(where === "ledger" ? 2 : 3, ledgerOf())
        assert.deepStrictEqual(result, { resumed: "Success", next: "Failure", swaps: 1 })
      })
    )
  }
})
