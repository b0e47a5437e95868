/** Stores that fail, hang or are slow, at the moments at which a swap, a budget or a key could be lost. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Signer, Transport } from "../src/index.js"
import type * as Journal from "./views/Journal.js"
import * as Ledger from "./views/Ledger.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { failing, passing, succeeding } from "./fixture.js"
import { execute, lost, lyingSend, makeShared, until } from "./processes.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const { originChain: chain, inputToken: token, amount } = evmRequest

const order = (options: Client.RunOptions = {}) =>
  Client.execute(solanaRequest, { idempotencyKey: "order", ...options })

/** The service is slow to answer the first submit request, and refuses it once the transaction has expired. */
const firstExpires = (service: ScriptedTransport.ScriptedTransport) =>
  service.next("submit-solana", Fault.rateLimited(60), Fault.rateLimited(40))

/** A value as JSON, with bigints as strings. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner))

describe("a key whose second signature is withdrawn after the first has expired", () => {
  it.effect("is not blocked if the journal fails once while it writes the second signature", () => {
    const { service, journal, ledger, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    let failures = 0
    const flaky: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.suspend(() => (flow.signatures === 2 && failures++ === 0 ? Effect.fail(lost) : journal.put(flow)))
    }
    return Effect.gen(function* () {
      const layer = process({ readers, journal: flaky })
      const first = yield* Effect.provide(failing(order()), layer)
      assert.deepStrictEqual([failures, first._tag, first.retry], [1, "StoreError", "now"])
      assert.lengthOf(service.swaps, 0)
      yield* TestClock.adjust("10 minutes")
      const second = yield* Effect.provide(passing(order()), layer)
      yield* TestClock.adjust("10 minutes")
      const third = yield* Effect.provide(passing(order()), layer)
      const entry = yield* ledger.get("order")
      assert.strictEqual(
        third._tag,
        "Success",
        `blocked: ${textOf({ second, third, entry, flows: yield* journal.list })}`
      )
    })
  })

  it.effect("is not blocked if the caller aborts before the second signature is sent, and the process exits", () => {
    const { service, journal, ledger, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    const seen = { marking: false, dead: false }
    const own: Ledger.Ledger = {
      ...ledger,
      advance: (key, from, to) =>
        Effect.suspend(() => {
          const advancing = Effect.suspend(() => (seen.dead ? Effect.never : ledger.advance(key, from, to)))
          if (to?.sent === true && to.signatures === undefined && from.signatures === 2) {
            seen.marking = true
            return Effect.delay(advancing, 1_000)
          }
          // Removing the entry takes 50 ms, like any call over a network.
          return to === undefined ? Effect.delay(advancing, 50) : advancing
        })
    }
    return Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.provide(order(), process({ readers, ledger: own })))
      yield* until(() => seen.marking)
      // The process exits as soon as the aborted call has returned.
      yield* Fiber.interrupt(first)
      seen.dead = true
      yield* TestClock.adjust("10 minutes")
      const results = []
      for (let attempt = 0; attempt < 3; attempt++) {
        results.push((yield* Effect.provide(passing(order()), process({ readers })))._tag)
        yield* TestClock.adjust("10 minutes")
      }
      const state = { results, entry: yield* ledger.get("order"), flows: yield* journal.list }
      assert.include(results, "Success", `blocked: ${JSON.stringify(state)}`)
      assert.lengthOf(service.swaps, 1)
    })
  })
})

describe("a key whose first signature a lying service accepts while the second one is being made", () => {
  it.effect("is not blocked once everything has expired", () => {
    const { service, journal, ledger, process } = makeShared()
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
      const [flow] = yield* journal.list
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
      assert.include(
        results,
        "Success",
        `blocked: ${JSON.stringify({ entry: yield* ledger.get("order"), n: (yield* journal.list).map((f) => f.signatures) })}`
      )
    })
  })
})

describe("a swap that a lying service reports as failed", () => {
  it.effect("is not reported as failed if the stores fail while another process has a live signature", () => {
    const { service, journal, ledger, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410), Fault.hang(), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    let isCut = false
    const cutJournal: Journal.Journal = {
      ...journal,
      get: (id) => Effect.suspend(() => (isCut ? Effect.fail(lost) : journal.get(id))),
      put: (flow) => Effect.suspend(() => (isCut ? Effect.fail(lost) : journal.put(flow))),
      remove: (id) => Effect.suspend(() => (isCut ? Effect.fail(lost) : journal.remove(id)))
    }
    const cutLedger: Ledger.Ledger = {
      ...ledger,
      get: (key) => Effect.suspend(() => (isCut ? Effect.fail(lost) : ledger.get(key))),
      finish: (key, end) => Effect.suspend(() => (isCut ? Effect.fail(lost) : ledger.finish(key, end))),
      advance: (key, from, to) =>
        Effect.suspend(() => {
          if (isCut) return Effect.fail(lost)
          // The connection is lost after the flow was marked as resumed.
          if (to?.resumed) isCut = true
          return ledger.advance(key, from, to)
        })
    }
    const lying = Transport.make(lyingSend(service, { status: "failed" }))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute("order"), process({ readers })))
      yield* TestClock.adjust("30 seconds")
      const other = yield* Effect.forkChild(
        Effect.provideService(Effect.result(execute("order")), Transport.Transport, lying).pipe(
          Effect.provide(process({ readers, journal: cutJournal, ledger: cutLedger }))
        )
      )
      const result = yield* succeeding(Fiber.join(other))
      assert.isTrue(isCut)
      const [flow] = yield* journal.list
      const swap = result._tag === "Success" ? result.success.status : result.failure._tag
      const paid = yield* succeeding(Fiber.join(owner))
      assert.strictEqual(flow?.signatures, 2)
      assert.strictEqual(paid.status, "settled")
      assert.notStrictEqual(swap, "failed", "one process reports `failed`, and the swap is paid")
    })
  })
})

describe("a withdrawn flow whose key has been released", () => {
  /** The first write of the journal fails, and takes effect later. */
  const lateFirstWrite = (journal: Journal.Journal, delay: number): Journal.Journal => {
    let isFirst = true
    return {
      ...journal,
      put: (flow) =>
        Effect.suspend(() => {
          if (!isFirst) return journal.put(flow)
          isFirst = false
          return Effect.andThen(Effect.forkDetach(Effect.delay(journal.put(flow), delay)), Effect.fail(lost))
        })
    }
  }

  it.effect("is not paid after an error that says never to retry", () => {
    const { service, journal, process } = makeShared()
    const late = lateFirstWrite(journal, 10_000)
    return Effect.gen(function* () {
      const first = yield* Effect.provide(failing(execute("order")), process({ journal: late }))
      assert.strictEqual(first.retry, "now")
      service.next("quote", Fault.refuse(422, "NO_ROUTE"))
      const second = yield* Effect.provide(failing(execute("order")), process({ journal: late }))
      assert.strictEqual(second.retry, "never")
      yield* TestClock.adjust("15 seconds")
      // A recovery job resumes everything that is in the journal.
      for (const { id } of yield* journal.list) yield* Effect.provide(passing(Client.resume(id)), process())
      assert.lengthOf(service.swaps, 0)
    })
  })

  it.effect("does not exceed the budget if a recovery job without budgets resumes it", () => {
    const { service, journal, process } = makeShared()
    const late = lateFirstWrite(journal, 10_000)
    const policy = { budgets: [{ chain, token, amount }] }
    return Effect.gen(function* () {
      yield* Effect.provide(failing(execute("order")), process({ policy, journal: late }))
      service.next("quote", Fault.refuse(422, "NO_ROUTE"))
      yield* Effect.provide(failing(execute("order")), process({ policy, journal: late }))
      yield* TestClock.adjust("15 seconds")
      for (const { id } of yield* journal.list) yield* Effect.provide(passing(Client.resume(id)), process())
      yield* Effect.provide(passing(execute("another")), process({ policy }))
      assert.isAtMost(service.swaps.length, 1)
    })
  })

  it.effect("is not paid without a record in the journal", () => {
    const { service, journal, process } = makeShared()
    const seen = { removing: false }
    const slow: Journal.Journal = {
      ...journal,
      put: (flow) => Effect.delay(journal.put(flow), "62 seconds"),
      remove: (id) => Effect.suspend(() => ((seen.removing = true), Effect.delay(journal.remove(id), "15 seconds")))
    }
    const declining = Client.execute(evmRequest, {
      idempotencyKey: "order",
      acceptQuote: () => Effect.delay(Effect.succeed(false), "10 seconds")
    })
    return Effect.gen(function* () {
      // The first process's journal is slow, so its claim expires. The second process takes over, and its user declines
      // after 10 s. Meanwhile, the first process withdraws its flow, again slowly.
      const first = yield* Effect.forkChild(Effect.exit(Effect.provide(execute("order"), process({ journal: slow }))))
      yield* TestClock.adjust("500 millis")
      const second = yield* Effect.forkChild(Effect.exit(Effect.provide(declining, process())))
      yield* until(() => seen.removing)
      yield* until(() => second.pollUnsafe() !== undefined)
      const [flow] = yield* journal.list
      assert.isDefined(flow)
      // A recovery job resumes the flow, and dies after the service has accepted the swap.
      service.next("submit", Fault.hang({ after: true }))
      const third = yield* Effect.forkChild(Effect.exit(Effect.provide(Client.resume(flow?.id ?? ""), process())))
      yield* until(() => service.swaps.length > 0 || third.pollUnsafe() !== undefined)
      yield* TestClock.adjust("15 seconds")
      yield* Fiber.interrupt(third)
      yield* TestClock.adjust("5 minutes")
      yield* Fiber.interrupt(first)
      const again = yield* Effect.provide(passing(execute("order")), process())
      const resumed = yield* Effect.provide(passing(Client.resume(flow?.id ?? "")), process())
      const state = { paid: service.swaps.length, flows: (yield* journal.list).length, again, resumed }
      assert.isTrue(state.paid === 0 || again._tag === "Success", textOf(state))
    })
  })
})

describe("a flow that was discarded because a refusal was trusted", () => {
  it.effect.each(["the journal cannot remove the flow", "the journal hangs"] as const)(
    "is not paid later if %s",
    (accident) => {
      const { service, journal, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
      // The price moves for a moment.
      service.next("submit", Fault.refuse(422, "SLIPPAGE"))
      service.next("quote", Fault.pass, Fault.unavailable(), Fault.unavailable(), Fault.unavailable())
      const stuck: Journal.Journal = {
        ...journal,
        remove: () => (accident === "the journal cannot remove the flow" ? Effect.fail(lost) : Effect.never)
      }
      return Effect.gen(function* () {
        const error = yield* Effect.provide(failing(execute(undefined)), process({ journal: stuck }))
        assert.strictEqual(error.retry, "later")
        // The caller follows the hint, and its execute call finishes.
        yield* Effect.provide(succeeding(execute(undefined)), process())
        // After that, a recovery job resumes what is in the journal.
        for (const { id } of yield* journal.list) yield* Effect.provide(passing(Client.resume(id)), process())
        assert.lengthOf(service.swaps, 1)
      })
    }
  )
})

describe("a budget, after the clock was days ahead once", () => {
  it.effect("still applies in the ledger", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger.makeMemory
      const limits = [{ window: "hour" as const, amount: 100n }]
      const reserve = (id: string, spent: bigint) =>
        ledger.reserve({ id, amount: spent, limits, wallet: evmRequest.walletAddress, chain, token })
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
    const budgets = [{ chain, token, amount: 3n * amount, window: "hour" as const }]
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
    const { service, journal, ledger, process } = makeShared()
    const { readers } = service
    firstExpires(service)
    const seen = { removing: false }
    const slow: Journal.Journal = {
      ...journal,
      remove: (id) => Effect.suspend(() => ((seen.removing = true), Effect.delay(journal.remove(id), "5 seconds")))
    }
    return Effect.gen(function* () {
      // The first signature expires, and there is no other quote, so the first process gives up.
      const first = yield* Effect.forkChild(
        Effect.exit(Effect.provide(order({ maxRequotes: 0 }), process({ readers, journal: slow })))
      )
      yield* until(() => seen.removing)
      const [flow] = yield* journal.list
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
      const state = { given, results, entry: yield* ledger.get("order"), flows: yield* journal.list }
      assert.include(results, "Success", `blocked: ${JSON.stringify(state)}`)
    })
  })
})

describe("a flow without a key that another process resumed and removed", () => {
  it.effect("is found by the process that signed it", () => {
    const { service, journal, process } = makeShared()
    const slow: Journal.Journal = { ...journal, put: (flow) => Effect.andThen(journal.put(flow), Effect.sleep(20_000)) }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(
        Effect.provide(Effect.result(execute(undefined)), process({ journal: slow }))
      )
      while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
      const [flow] = yield* journal.list
      yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())
      const result = yield* succeeding(Fiber.join(owner))
      assert.lengthOf(service.swaps, 1)
      if (result._tag === "Success") return
      assert.strictEqual(result.failure.retry, "resume")
      const resumed = yield* Effect.provide(passing(Client.resume(flow?.id ?? "")), process())
      assert.strictEqual(resumed._tag, "Success", JSON.stringify(resumed))
    })
  })
})

describe("an abort", () => {
  it.effect("does not wait for a ledger that hangs", () => {
    const { ledger, process } = makeShared({ policy: { budgets: [{ chain, token, amount }] } })
    const seen = { reserving: false }
    const hung: Ledger.Ledger = {
      ...ledger,
      reserve: () => Effect.suspend(() => ((seen.reserving = true), Effect.never))
    }
    return Effect.gen(function* () {
      const swapping = yield* Effect.forkDetach(Effect.provide(execute("order"), process({ ledger: hung })))
      yield* until(() => seen.reserving)
      const abort = yield* Effect.forkDetach(Fiber.interrupt(swapping))
      yield* TestClock.adjust("10 minutes")
      assert.isDefined(abort.pollUnsafe(), "the abort still waits after ten minutes")
    })
  })
})
