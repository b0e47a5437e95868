/** A process resumes a flow while the process that signed it still runs, aborts, or has unreliable stores. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type ChainReader, Client, type Signer, SwapError, Transport } from "../src/index.js"
import { entryKeyOf } from "../src/programs/ledger.js"
import type * as Journal from "./views/Journal.js"
import type * as Ledger from "./views/Ledger.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, passing, succeeding } from "./fixture.js"
import {
  execute,
  lost,
  lyingSend,
  makeJournaled,
  makeShared,
  slowSecondSignature,
  submissionOf,
  until
} from "./processes.js"

const { evmRequest } = ScriptedTransport
const { originChain: chain, inputToken: token, amount } = evmRequest

describe.each([undefined, "order"])("a flow with the idempotency key %s", (idempotencyKey) => {
  it.effect("is not called expired if only its last signature was taken back", () => {
    const { service, journal, process } = makeShared()
    service.next("submit", Fault.refuse(410))
    const seen = { written: false, read: false }
    const writer: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.andThen(
          journal.put(flow),
          Effect.suspend(() => (flow.signatures === 2 ? ((seen.written = true), Effect.sleep(5_000)) : Effect.void))
        )
    }
    const reader: Journal.Journal = {
      ...journal,
      get: (id) => Effect.tap(journal.get(id), () => Effect.suspend(() => ((seen.read = true), Effect.sleep(10_000))))
    }
    return Effect.gen(function* () {
      const signing = Effect.provide(execute(idempotencyKey), process({ journal: writer }))
      const owner = yield* Effect.forkChild(signing)
      yield* until(() => seen.written)
      const [flow] = yield* journal.list
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ journal: reader }))
      const other = yield* Effect.forkChild(resuming)
      yield* until(() => seen.read)
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
    const { service, journal, process } = makeShared({ policy: { budgets: [{ chain, token, amount }] } })
    const late: Journal.Journal = {
      ...journal,
      put: (flow) => Effect.andThen(Effect.forkDetach(Effect.delay(journal.put(flow), 1_000)), Effect.fail(lost))
    }
    return Effect.gen(function* () {
      const first = yield* passing(Effect.provide(execute(idempotencyKey), process({ journal: late })))
      assert.strictEqual(first._tag, "Failure")
      yield* TestClock.adjust("5 seconds")
      const [flow] = yield* journal.list
      const second = yield* passing(Effect.provide(execute(undefined), process()))
      const early = yield* passing(Effect.provide(Client.resume(flow?.id ?? ""), process(resumer)))
      yield* TestClock.adjust("2 minutes")
      const resumed = yield* passing(Effect.provide(Client.resume(flow?.id ?? ""), process(resumer)))
      assert.deepStrictEqual([second._tag, early._tag, resumed._tag], ["Success", "Failure", "Failure"])
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("keeps the flow that a resume has submitted if the process that signed it aborts", () => {
    const { service, journal, process } = makeShared()
    service.next("submit", Fault.hang({ after: true }))
    const slow: Journal.Journal = { ...journal, put: (flow) => Effect.andThen(journal.put(flow), Effect.sleep(5_000)) }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), process({ journal: slow })))
      while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
      const [flow] = yield* journal.list
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length > 0)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("10 seconds")
      // The other process is killed. Its request took effect.
      yield* Fiber.interrupt(other)
      const again = idempotencyKey === undefined ? Client.resume(flow?.id ?? "") : execute(idempotencyKey)
      assert.strictEqual((yield* passing(Effect.provide(again, process())))._tag, "Success")
      assert.lengthOf(service.swaps, 1)
    })
  })

  const again = (flowId: string) => (idempotencyKey === undefined ? Client.resume(flowId) : execute(idempotencyKey))

  it.effect("is not overwritten after a lying acceptance of an earlier signature", () => {
    const { service, journal, ledger, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    let writing = false
    const slow: Journal.Journal = {
      ...journal,
      put: (flow) => Effect.suspend(() => ((writing = true), Effect.delay(journal.put(flow), 15_000)))
    }
    const lying = Transport.make(lyingSend(service, { status: "pending" }))
    const { signer: evm, signed } = countingSigner()
    return Effect.gen(function* () {
      const layer = process({ readers, signers: { evm } })
      yield* Effect.forkChild(Effect.exit(Effect.provide(execute(idempotencyKey), layer)))
      yield* TestClock.adjust("55 seconds")
      const [flow] = yield* journal.list
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, lying)
      yield* Effect.forkChild(Effect.exit(Effect.provide(resuming, process({ readers, journal: slow }))))
      yield* until(() => writing)
      yield* TestClock.adjust("1 minute")
      // Both processes agree on one signature: the journal never has fewer than the ledger.
      const entry = yield* entryOf(ledger, flow)
      assert.strictEqual((yield* journal.list)[0]?.signatures, entry?.signatures)
      assert.strictEqual(signed.operations, entry?.signatures)
    })
  })

  it.effect.each(["the ledger's response is lost", "the process dies"] as const)(
    "can be resumed if %s while its second signature is withdrawn",
    (accident) => {
      const { service, journal, ledger, process } = makeShared()
      service.next("submit", Fault.refuse(410))
      let isWritten = false
      const own: Journal.Journal = {
        ...journal,
        put: (flow) =>
          Effect.suspend(() => {
            if (isWritten) return accident === "the process dies" ? Effect.never : journal.put(flow)
            isWritten = flow.signatures === 2
            return Effect.andThen(journal.put(flow), Effect.sleep(isWritten ? 3_000 : 0))
          })
      }
      const forgetful: Ledger.Ledger = {
        ...ledger,
        advance: (key, from, to) =>
          accident === "the process dies" || to?.state !== undefined || to?.signatures !== 1
            ? ledger.advance(key, from, to)
            : Effect.andThen(ledger.advance(key, from, to), Effect.fail(lost))
      }
      return Effect.gen(function* () {
        const layer = process({ journal: own, ledger: forgetful })
        const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), layer))
        yield* until(() => isWritten)
        yield* Effect.forkChild(Fiber.interrupt(owner))
        yield* TestClock.adjust("4 seconds")
        const [flow] = yield* journal.list
        assert.strictEqual(flow?.signatures, 2)
        assert.strictEqual((yield* entryOf(ledger, flow))?.signatures, 1)
        const swap = yield* Effect.provide(succeeding(again(flow?.id ?? "")), process())
        assert.strictEqual(swap.status, "settled")
        assert.lengthOf(service.swaps, 1)
        assert.deepStrictEqual(submissionOf(service, 1), submissionOf(service, 0))
        assert.deepStrictEqual(yield* journal.list, [])
      })
    }
  )

  it.effect.each(["the ledger's response is lost", "the process dies"] as const)(
    "does not block its budget for ever if %s while its only signature is withdrawn",
    (accident) => {
      const { service, journal, ledger, process } = makeShared({ policy: { budgets: [{ chain, token, amount }] } })
      const own: Journal.Journal = {
        ...journal,
        put: (flow) => Effect.andThen(journal.put(flow), Effect.sleep(3_000)),
        remove: (id) => (accident === "the process dies" ? Effect.never : journal.remove(id))
      }
      const forgetful: Ledger.Ledger = {
        ...ledger,
        advance: (key, from, to) =>
          accident === "the process dies" || to?.state !== "claimed"
            ? ledger.advance(key, from, to)
            : Effect.andThen(ledger.advance(key, from, to), Effect.fail(lost))
      }
      return Effect.gen(function* () {
        const layer = process({ journal: own, ledger: forgetful })
        const owner = yield* Effect.forkChild(Effect.provide(execute(idempotencyKey), layer))
        while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
        const [flow] = yield* journal.list
        yield* Effect.forkChild(Fiber.interrupt(owner))
        yield* TestClock.adjust("4 seconds")
        if (accident === "the process dies") {
          // The signing process may still be at work, so nothing is decided yet.
          const early = yield* Effect.provide(failing(Client.resume(flow?.id ?? "")), process())
          assert.strictEqual(early._tag, "OutcomeUnknown")
          yield* TestClock.adjust("2 minutes")
          const late = yield* Effect.provide(failing(Client.resume(flow?.id ?? "")), process())
          assert.strictEqual(late._tag, "Expired")
        }
        assert.deepStrictEqual(yield* journal.list, [])
        assert.lengthOf(service.swaps, 0)
        const swap = yield* Effect.provide(succeeding(execute(idempotencyKey)), process())
        assert.strictEqual(swap.status, "settled")
      })
    }
  )

  it.effect("cannot release the budget of another swap, even if its journal entry is altered", () => {
    const small = { ...evmRequest, amount: 100n }
    const policy = { budgets: [{ chain, token, amount: amount + small.amount }] }
    const { service, journal, process } = makeShared({ policy })
    return Effect.gen(function* () {
      let paid: string | undefined
      const first = Client.execute(evmRequest, {
        idempotencyKey: "paid",
        onProgress: (event) => Effect.sync(() => void (event.type === "signed" && (paid = event.flowId)))
      })
      assert.strictEqual((yield* Effect.provide(succeeding(first), process())).status, "settled")
      // Another process dies while it withdraws its signature.
      const dying: Journal.Journal = {
        ...journal,
        put: (flow) => Effect.andThen(journal.put(flow), Effect.sleep(3_000)),
        remove: () => Effect.never
      }
      const owner = yield* Effect.forkChild(
        Effect.provide(Client.execute(small, { idempotencyKey }), process({ journal: dying }))
      )
      while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("2 minutes")
      const [flow] = yield* journal.list
      if (flow === undefined || paid === undefined) return assert.fail("There is no flow.")
      yield* journal.put({ ...flow, reservation: paid })
      yield* Effect.provide(failing(Client.resume(flow.id)), process())
      const second = yield* Effect.provide(failing(Client.execute(evmRequest)), process())
      assert.strictEqual(second._tag, "PolicyViolation")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect.each(["the process dies in its wallet's prompt", "the count is slow", "the ledger fails once"] as const)(
    "can be resumed if %s after a second signature was counted",
    (accident) => {
      const { service, journal, ledger, process } = makeShared()
      service.next("submit", Fault.refuse(410))
      const inner = TestSigner.evm()
      const seen = { signatures: 0, counting: false }
      const declined = new SwapError.SignerError({ reason: "rejected", message: "Declined." })
      const evm: Signer.Evm = {
        ...inner,
        signOperation: (operation) => {
          if (++seen.signatures < 2) return inner.signOperation(operation)
          return accident === "the ledger fails once" ? Effect.fail(declined) : Effect.never
        }
      }
      const own: Ledger.Ledger = {
        ...ledger,
        advance: (key, from, to) => {
          if (accident === "the count is slow" && to?.signatures === 2) {
            seen.counting = true
            return Effect.andThen(Effect.forkDetach(Effect.delay(ledger.advance(key, from, to), 3_000)), Effect.never)
          }
          return accident === "the ledger fails once" && from.signatures === 2
            ? Effect.fail(new SwapError.StoreError({ message: "Full." }))
            : ledger.advance(key, from, to)
        }
      }
      return Effect.gen(function* () {
        const layer = process({ ledger: own, signers: { evm } })
        const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(idempotencyKey), layer)))
        yield* until(() => seen.counting || seen.signatures === 2)
        if (seen.counting) yield* Fiber.interrupt(owner)
        yield* TestClock.adjust("10 seconds")
        const [flow] = yield* journal.list
        const entry = yield* entryOf(ledger, flow)
        assert.deepStrictEqual([flow?.signatures, entry?.signatures], [1, 2])
        const swap = yield* Effect.provide(succeeding(again(flow?.id ?? "")), process())
        assert.strictEqual(swap.status, "settled")
        assert.deepStrictEqual(yield* journal.list, [])
      })
    }
  )

  it.effect("is not submitted if a failed write happens after the caller has tried again", () => {
    const { service, journal, process } = makeShared()
    let isFirst = true
    const late: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.suspend(() => {
          if (!isFirst) return journal.put(flow)
          isFirst = false
          return Effect.andThen(Effect.forkDetach(Effect.delay(journal.put(flow), 1_000)), Effect.fail(lost))
        })
    }
    return Effect.gen(function* () {
      const first = yield* Effect.provide(failing(execute(idempotencyKey)), process({ journal: late }))
      assert.strictEqual(first.retry, "now")
      yield* Effect.provide(succeeding(execute(idempotencyKey)), process({ journal: late }))
      yield* TestClock.adjust("2 minutes")
      const flows = yield* journal.list
      assert.lengthOf(flows, 1)
      for (const { id } of flows) yield* passing(Effect.provide(Client.resume(id), process()))
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("does not keep its budget if another process finds it gone", () => {
    const { journal, ledger, process } = makeShared({ policy: { budgets: [{ chain, token, amount }] } })
    const seen = { written: false, read: false }
    const own: Journal.Journal = {
      ...journal,
      put: (flow) =>
        Effect.andThen(
          journal.put(flow),
          Effect.suspend(() => ((seen.written = true), Effect.sleep(5_000)))
        )
    }
    const slow: Ledger.Ledger = { ...ledger, release: (id) => Effect.delay(ledger.release(id), 3_000) }
    const reader: Journal.Journal = {
      ...journal,
      get: (id) =>
        Effect.tap(journal.get(id), () =>
          Effect.suspend(() => (seen.read ? Effect.void : ((seen.read = true), Effect.sleep(6_000))))
        )
    }
    return Effect.gen(function* () {
      const layer = process({ journal: own, ledger: slow })
      const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(idempotencyKey), layer)))
      yield* until(() => seen.written)
      const [flow] = yield* journal.list
      const resuming = Effect.provide(Client.resume(flow?.id ?? ""), process({ journal: reader }))
      const other = yield* Effect.forkChild(Effect.exit(resuming))
      yield* until(() => seen.read)
      yield* Effect.forkChild(Fiber.interrupt(owner))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* Fiber.join(other))._tag, "Failure")
      assert.strictEqual((yield* Effect.provide(succeeding(execute(idempotencyKey)), process())).status, "settled")
    })
  })

  it.effect("ends in an unknown outcome if its write seemed to fail and another process has resumed it", () => {
    const { service, journal, process } = makeShared()
    const own: Journal.Journal = {
      ...journal,
      put: (flow) => Effect.andThen(journal.put(flow), Effect.delay(Effect.fail(lost), 3_000))
    }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(
        Effect.provide(Effect.flip(execute(idempotencyKey)), process({ journal: own }))
      )
      while ((yield* journal.list).length === 0) yield* TestClock.adjust(50)
      const [flow] = yield* journal.list
      yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())
      const error = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([error._tag, error.retry], ["OutcomeUnknown", "resume"])
      assert.lengthOf(service.swaps, 1)
    })
  })
})

/** Reads the entry of a flow. */
const entryOf = (ledger: Ledger.Ledger, flow: Journal.Flow | undefined) =>
  flow === undefined ? Effect.succeed(undefined) : ledger.get(entryKeyOf(flow))

describe("an idempotency key", () => {
  it.effect("is not released late by a claim that was lost", () => {
    const { service, ledger, process } = makeShared()
    const log: Array<string> = []
    // The caller gives up on an update that still takes effect, as with any store behind a promise.
    const slowOnce: Ledger.Ledger = {
      ...ledger,
      advance: (key, from, to) => {
        if (to?.until !== 0 || from.state !== "signing" || log.includes("slow")) return ledger.advance(key, from, to)
        log.push("slow")
        const late = Effect.map(ledger.advance(key, from, to), (won) => log.push(`released ${won}`))
        return Effect.andThen(Effect.forkDetach(Effect.delay(late, "29 seconds")), Effect.never)
      }
    }
    const order = (accept: Effect.Effect<boolean>, own: Ledger.Ledger) =>
      Client.execute(evmRequest, { idempotencyKey: "order", acceptQuote: () => accept }).pipe(
        Effect.provide(process({ ledger: own })),
        Effect.exit,
        Effect.forkChild
      )
    let asked = 0
    const slowUser = Effect.suspend(() => Effect.delay(Effect.succeed(true), ++asked === 1 ? "65 seconds" : 0))
    return Effect.gen(function* () {
      // The first user takes longer than the lease. The second process takes over, and its user declines.
      yield* order(slowUser, slowOnce)
      yield* TestClock.adjust("62 seconds")
      yield* order(Effect.delay(Effect.succeed(false), "10 seconds"), ledger)
      yield* TestClock.adjust("27 seconds")
      service.next("submit", Fault.delay(20_000))
      yield* TestClock.adjust("10 seconds")
      yield* order(Effect.succeed(true), ledger)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(log, ["slow", "released false"])
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

describe("the ledger entry for a flow without an idempotency key", () => {
  it.effect("ends with the swap", () => {
    const { service, journal, ledger, process } = makeShared()
    service.ends("settled", 30_000)
    return Effect.gen(function* () {
      const swapping = yield* Effect.forkChild(Effect.provide(execute(undefined), process()))
      yield* TestClock.adjust("5 seconds")
      const [flow] = yield* journal.list
      if (flow === undefined) return assert.fail("no flow")
      const entry = yield* entryOf(ledger, flow)
      assert.deepInclude(entry, { state: "accepted", flowId: flow.id, signatures: 1 })
      yield* succeeding(Fiber.join(swapping))
      assert.isUndefined(yield* entryOf(ledger, flow))
    })
  })

  it.effect("does not outlive an abort before anything is sent", () => {
    const { journal, ledger, process } = makeShared()
    const keys: Array<Ledger.EntryKey> = []
    const watched: Ledger.Ledger = {
      ...ledger,
      claim: (claim) => Effect.suspend(() => (keys.push(claim.key), ledger.claim(claim)))
    }
    const inner = TestSigner.evm()
    const evm: Signer.Evm = { ...inner, signOperation: () => Effect.never }
    return Effect.gen(function* () {
      const layer = process({ ledger: watched, signers: { evm } })
      const swapping = yield* Effect.forkChild(Effect.provide(execute(undefined), layer))
      yield* until(() => keys.length > 0)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.interrupt(swapping)
      const [key = "none"] = keys
      assert.isUndefined(yield* ledger.get(key))
      assert.deepStrictEqual(yield* journal.list, [])
    })
  })

  it.effect("may be missing: two processes that resume such a flow agree", () => {
    const { service, journal, ledger, process } = makeShared()
    service.next("submit", Fault.hang({ after: true }))
    const slow: Ledger.Ledger = {
      ...ledger,
      claim: (claim) => Effect.tap(ledger.claim(claim), () => Effect.sleep(5_000)),
      advance: (key, from, to) => Effect.delay(ledger.advance(key, from, to), 1_000)
    }
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(undefined), process()))
      yield* until(() => service.seen("submit").length > 0)
      yield* Fiber.interrupt(owner)
      const [flow] = yield* journal.list
      if (flow === undefined) return assert.fail("There is no flow.")
      const { id } = flow
      // As if the store had lost the entry.
      assert.isTrue(yield* ledger.advance(entryKeyOf(flow), { flowId: id }, undefined))
      const resume = Effect.provide(Client.resume(id), process({ ledger: slow }))
      const killed = yield* Effect.forkChild(resume)
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.interrupt(killed)
      const both = yield* Effect.forkChild(Effect.all([resume, resume], { concurrency: 2 }))
      const [first, second] = yield* succeeding(Fiber.join(both))
      assert.strictEqual(first.swapId, second.swapId)
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("is not counted up once another process has resumed a discarded signature", () => {
    const { service, journal, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
    service.next("submit", Fault.refuse(422, "SLIPPAGE"), Fault.hang({ after: true }))
    service.next("quote", Fault.pass, Fault.delay(5_000))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(Effect.flip(execute(undefined)), process()))
      yield* until(() => service.seen("submit").length === 1)
      const [flow] = yield* journal.list
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length === 2)
      assert.strictEqual((yield* succeeding(Fiber.join(owner))).retry, "resume")
      yield* Fiber.interrupt(other)
      assert.strictEqual(
        (yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process())).status,
        "settled"
      )
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("lets the signing process find a swap that another process obtained and saw end", () => {
    const { service, journal, process } = makeShared()
    const { readers } = service
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(undefined), process({ readers })))
      yield* TestClock.adjust("30 seconds")
      const [flow] = yield* journal.list
      const resumed = yield* Effect.provide(succeeding(Client.resume(flow?.id ?? "")), process({ readers }))
      assert.deepStrictEqual(yield* journal.list, [])
      // The flow has left the journal. Nothing else is signed.
      const swap = yield* succeeding(Fiber.join(owner))
      assert.deepStrictEqual([swap.swapId, swap.status], [resumed.swapId, "settled"])
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("keeps a flow that another process resubmits, even if the refusal is trusted", () => {
    const { service, journal, process } = makeShared({ policy: { afterRefusal: "trust-service" } })
    // The first submit is refused, and so is the next quote. The other process's submit takes effect.
    service.next("submit", Fault.refuse(422, "SLIPPAGE"), Fault.hang({ after: true }))
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.refuse(422, "UNSUPPORTED"))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(undefined), process())))
      yield* TestClock.adjust("58 seconds")
      const [flow] = yield* journal.list
      const other = yield* Effect.forkChild(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      yield* until(() => service.seen("submit").length > 1)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(owner))._tag, "Failure")
      yield* Fiber.interrupt(other)
      const again = yield* passing(Effect.provide(Client.resume(flow?.id ?? ""), process()))
      assert.strictEqual(again._tag, "Success")
      assert.lengthOf(service.swaps, 1)
    })
  })

  it.effect("fences a signature that the wallet makes while another process closes the flow", () => {
    const { service, journal, process } = makeShared()
    const { readers } = service
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(25))
    service.next("submit", Fault.refuse(410), Fault.refuse(410))
    const { evm, signed } = slowSecondSignature()
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers, signers: { evm } }))
      const owner = yield* Effect.forkChild(signing)
      yield* TestClock.adjust("95 seconds")
      assert.strictEqual(signed.operations, 2)
      const [flow] = yield* journal.list
      const error = yield* Effect.provide(failing(Client.resume(flow?.id ?? "")), process({ readers }))
      assert.strictEqual(error._tag, "Expired")
      assert.strictEqual((yield* succeeding(Fiber.join(owner)))._tag, "Expired")
      assert.deepStrictEqual(yield* journal.list, [])
      assert.lengthOf(service.swaps, 0)
    })
  })
})

describe("without a ledger", () => {
  it.effect("keeps a newer signature if the journal cannot be read once", () => {
    const { service, journal, process } = makeJournaled()
    const { readers } = service
    // The signing process is refused once. The response to its second signature never arrives.
    service.next("submit", Fault.refuse(410), Fault.hang())
    service.next("quote", Fault.pass, Fault.rateLimited(60))
    let reads = 0
    const failedRead = 3
    const flaky: Journal.Journal = {
      ...journal,
      get: (id) =>
        Effect.suspend(() =>
          ++reads === failedRead ? Effect.fail(new SwapError.StoreError({ message: "Once." })) : journal.get(id)
        )
    }
    // Reports to the other process, late, that the first signature became a swap that failed.
    const lying = Transport.make(lyingSend(service, { status: "failed", submitDelay: 20_000, statusDelay: 1_000 }))
    return Effect.gen(function* () {
      const owner = yield* Effect.forkChild(Effect.provide(execute(undefined), process({ readers })))
      yield* TestClock.adjust("50 seconds")
      const [flow] = yield* journal.list
      const resuming = Effect.provideService(Client.resume(flow?.id ?? ""), Transport.Transport, lying)
      const layer = process({ readers, journal: flaky })
      const other = yield* Effect.forkChild(Effect.exit(Effect.provide(resuming, layer)))
      yield* TestClock.adjust("18 seconds")
      assert.strictEqual((yield* journal.list)[0]?.signatures, 2)
      yield* TestClock.adjust("8 seconds")
      yield* Fiber.interrupt(owner)
      yield* TestClock.adjust("2 minutes")
      yield* Fiber.interrupt(other)
      assert.isAtLeast(reads, failedRead)
      assert.strictEqual((yield* journal.list)[0]?.signatures, 2)
    })
  })

  it.effect("nothing is sent for a flow that another process closed while the wallet signed", () => {
    const { service, journal, process } = makeJournaled()
    const { readers } = service
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(25))
    service.next("submit", Fault.refuse(410), Fault.refuse(410))
    const { evm, signed } = slowSecondSignature()
    return Effect.gen(function* () {
      const layer = process({ readers, signers: { evm } })
      const owner = yield* Effect.forkChild(Effect.exit(Effect.provide(execute(undefined), layer)))
      yield* TestClock.adjust("95 seconds")
      assert.strictEqual(signed.operations, 2)
      const [flow] = yield* journal.list
      const resuming = Effect.provide(Effect.flip(Client.resume(flow?.id ?? "")), process({ readers }))
      const other = yield* Effect.forkChild(resuming)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(other))._tag, "Expired")
      assert.deepStrictEqual(yield* journal.list, [])
      yield* TestClock.adjust("1 minute")
      yield* Fiber.interrupt(owner)
      assert.lengthOf(service.swaps, 0)
    })
  })

  it.effect("a live signature is neither lost nor called expired if another process closes its flow late", () => {
    const { service, journal, process } = makeJournaled()
    const { readers } = service
    const slow: Journal.Journal = { ...journal, remove: (id) => Effect.delay(journal.remove(id), 6_000) }
    service.next("quote", Fault.pass, Fault.rateLimited(60), Fault.rateLimited(35), Fault.pass, Fault.delay(4_000))
    service.always("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      const signing = Effect.provide(Effect.flip(execute(undefined)), process({ readers }))
      const owner = yield* Effect.forkChild(signing)
      // The first signature has expired unused.
      yield* TestClock.adjust("92 seconds")
      const [flow] = yield* journal.list
      const resuming = Effect.provide(Effect.flip(Client.resume(flow?.id ?? "")), process({ readers, journal: slow }))
      const other = yield* Effect.forkChild(resuming)
      yield* TestClock.adjust("4 seconds")
      const [second] = yield* journal.list
      assert.strictEqual(second?.signatures, 2)
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(other)
      assert.deepStrictEqual(yield* journal.list, [])
      const error = yield* succeeding(Fiber.join(owner))
      const operation = second?.operation
      const query = { chainId: chain, wallet: evmRequest.walletAddress, ...operation } as ChainReader.OperationQuery
      const state = yield* readers.evm?.operationState(query) ?? Effect.die("no reader")
      // It waits until the signature has expired, or says that it may still be used.
      assert.include(["OutcomeUnknown open", "Expired expired"], `${error._tag} ${state}`)
    })
  })
})
