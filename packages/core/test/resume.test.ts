import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Client, Store, Transport } from "../src/index.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { countingSigner, evmReader, failing, passDeadline, passing, succeeding, makeFixture } from "./fixture.js"
import { altered, lost, makeShared } from "./processes.js"
import { storageStore } from "../src/store/records.js"

const { evmRequest } = ScriptedTransport

/** A storage without locks that outlives a process. */
const disk = () => {
  const entries = new Map<string, string>()
  const store = () =>
    Store.fromPromise(
      storageStore({
        getItem: (key) => entries.get(key) ?? null,
        setItem: (key, value) => void entries.set(key, value),
        removeItem: (key) => void entries.delete(key),
        keys: () => [...entries.keys()]
      })
    )
  return { entries, store }
}

/** Runs a swap until the service has received that many submits, then kills its process. */
const crashed = (service: ScriptedTransport.ScriptedTransport, submits: number) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
    while (service.seen("submit").length < submits) yield* TestClock.adjust(50)
    yield* Fiber.interrupt(fiber)
  })

describe("a crash", () => {
  it.effect("after submit took effect is resumed from the store without a second swap", () => {
    const { entries, store } = disk()
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang({ after: true }))
    const { signer, signed } = countingSigner()
    const before = makeFixture({ service, store: store(), signers: { evm: signer } })
    const after = makeFixture({ service, store: store(), signers: {} })
    return Effect.gen(function* () {
      yield* Effect.provide(crashed(service, 1), before.layer)
      assert.strictEqual(entries.size, 1)
      assert.lengthOf(service.swaps, 1)
      yield* Effect.gen(function* () {
        const [flow, ...others] = yield* Client.pending
        assert.lengthOf(others, 0)
        assert.strictEqual(flow?.request.amount, evmRequest.amount)
        const swap = yield* succeeding(Client.resume(flow?.id ?? ""))
        assert.strictEqual(swap.status, "settled")
      }).pipe(Effect.provide(after.layer))
      const bodies = service.seen("submit").map(({ body }) => JSON.stringify(body))
      assert.lengthOf(bodies, 2)
      assert.strictEqual(bodies[0], bodies[1])
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(signed.operations, 1)
      assert.strictEqual(entries.size, 0)
    })
  })

  it.effect("before submit took effect is resumed as the same swap", () => {
    const { store } = disk()
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const world = makeFixture({ service, store: store() })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      assert.lengthOf(service.swaps, 0)
      const [flow] = yield* Client.pending
      const swap = yield* succeeding(Client.resume(flow?.id ?? ""))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(world.layer))
  })

  it.effect("while waiting is resumed by its swap id, without another submit", () => {
    const { entries, store } = disk()
    const service = ScriptedTransport.make()
    service.ends("settled", 20_000)
    const world = makeFixture({ service, store: store() })
    return Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest))
      while (service.seen("status").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
      const [flow] = yield* Client.pending
      assert.strictEqual(flow?.swapId, service.swaps[0]?.swapId)
      const swap = yield* succeeding(Client.resume(flow?.id ?? ""))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("submit"), 1)
      assert.strictEqual(entries.size, 0)
    }).pipe(Effect.provide(world.layer))
  })
})

describe("resume", () => {
  it.effect("of an expired flow keeps it, because only the service says so", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const world = makeFixture({ service })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      yield* TestClock.adjust("2 minutes")
      const [flow] = yield* Client.pending
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.code, "OPERATION_EXPIRED")
      assert.strictEqual(error.flowId, flow?.id)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(world.layer))
  })

  it.effect.each([
    ["the caller's own node shows that", { readers: { evm: evmReader("expired") } }],
    ["the policy trusts the service", { policy: { afterRefusal: "trust-service" } }]
  ] as const)("of an expired flow fails with Expired and removes it if %s", ([, options]) => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const world = makeFixture({ service, ...options })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      yield* TestClock.adjust("2 minutes")
      const [flow] = yield* Client.pending
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      assert.strictEqual(error._tag, "Expired")
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.lengthOf(service.swaps, 0)
    }).pipe(Effect.provide(world.layer))
  })

  it.effect("of an accepted flow finds its swap, no matter how late", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang({ after: true }))
    const world = makeFixture({ service })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      yield* TestClock.adjust("1 hour")
      const [flow] = yield* Client.pending
      const swap = yield* succeeding(Client.resume(flow?.id ?? ""))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(world.layer))
  })

  it.effect("with a revoked key keeps the flow", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang({ after: true }), Fault.refuse(401, "UNAUTHORIZED"))
    const world = makeFixture({ service })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      const [flow] = yield* Client.pending
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.deepStrictEqual(
        (yield* Client.pending).map(({ state }) => state),
        ["resumed"]
      )
    }).pipe(Effect.provide(world.layer))
  })

  it.effect.each([
    { fault: Fault.refuse(409, "INVALID_AUTHORIZATION"), tag: "InvalidAuthorization", flows: 0 },
    { fault: Fault.refuse(409, "NEEDS_DELEGATION"), tag: "NeedsDelegation", flows: 0 },
    { fault: Fault.refuse(422, "UNSUPPORTED_DELEGATION"), tag: "Unsupported", flows: 0 },
    { fault: Fault.refuse(422, "INVALID_SIGNATURE"), tag: "Rejected", flows: 0 },
    { fault: Fault.refuse(400, "VALIDATION"), tag: "Rejected", flows: 0 },
    { fault: Fault.refuse(409, "QUOTE_ALREADY_USED"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(422, "NO_ROUTE"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(422, "INSUFFICIENT_BALANCE"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(422, "NEEDS_LARGER_SIZE"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(422, "NEEDS_SMALLER_SIZE"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(401, "INVALID_TOKEN"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(403, "VALIDATION"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(404, "VALIDATION"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(429, "VALIDATION"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(500, "INVALID_SIGNATURE"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(503, "VALIDATION"), tag: "OutcomeUnknown", flows: 1 },
    { fault: Fault.refuse(302, "VALIDATION"), tag: "OutcomeUnknown", flows: 1 }
  ])(
    "that always gets $fault.answer.status $fault.answer.body ends in $tag and leaves $flows flows if the service is trusted",
    ({ fault, tag, flows }) => {
      const service = ScriptedTransport.make()
      service.next("submit", Fault.hang({ after: true }))
      const world = makeFixture({ service, policy: { afterRefusal: "trust-service" } })
      return Effect.gen(function* () {
        yield* crashed(service, 1)
        service.always("submit", fault)
        const [flow] = yield* Client.pending
        const error = yield* failing(Client.resume(flow?.id ?? ""))
        assert.strictEqual(error._tag, tag)
        assert.lengthOf(yield* Client.pending, flows)
      }).pipe(Effect.provide(world.layer))
    }
  )

  it.effect.each([
    Fault.refuse(409, "INVALID_AUTHORIZATION"),
    Fault.refuse(422, "INVALID_SIGNATURE"),
    Fault.refuse(400, "VALIDATION")
  ])("that always gets a refusal keeps the flow", (fault) => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang({ after: true }))
    const world = makeFixture({ service })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      service.always("submit", fault)
      const [flow] = yield* Client.pending
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.strictEqual(error.retry, "resume")
      service.always("submit", Fault.pass)
      assert.strictEqual((yield* succeeding(Client.resume(flow?.id ?? ""))).status, "settled")
      assert.deepStrictEqual(yield* Client.pending, [])
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(world.layer))
  })

  it.effect("of a flow with an unreachable service ends once the own node shows that it expired", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const world = makeFixture({ service, readers: { evm: evmReader("expired") } })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      service.always("submit", Fault.disconnect())
      yield* passDeadline
      const [flow] = yield* Client.pending
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      assert.strictEqual(error._tag, "Expired")
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(world.layer))
  })

  it.effect("twice at the same time is one swap", () => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const world = makeFixture({ service })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      const [flow] = yield* Client.pending
      const resume = Client.resume(flow?.id ?? "")
      const [one, other] = yield* succeeding(Effect.all([resume, resume], { concurrency: 2 }))
      assert.strictEqual(one.swapId, other.swapId)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(world.layer))
  })
})

describe("a flow that names its service", () => {
  /** A swap whose submit calls were lost, by a client of the service `one`. */
  const interrupted = Effect.fnUntraced(function* (idempotencyKey?: string) {
    const service = ScriptedTransport.make()
    const store = yield* Store.makeMemory
    const { layer } = makeFixture({ service, store })
    const clientOf = (name: string | undefined) =>
      Layer.merge(layer, Layer.succeed(Transport.Transport, { ...service.transport, service: name }))
    service.next("submit", Fault.hang())
    const fiber = yield* Effect.forkChild(
      Effect.provide(Client.execute(evmRequest, { idempotencyKey }), clientOf("https://one.example/api"))
    )
    while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
    yield* Fiber.interrupt(fiber)
    const [flow] = yield* store.flows
    return { service, clientOf, flow: flow ?? assert.fail("There is no flow.") }
  })

  it.effect.each(["https://two.example/api", undefined])("is not sent to %s", (name) =>
    Effect.gen(function* () {
      const { clientOf, flow, service } = yield* interrupted()
      assert.strictEqual(flow.service, "https://one.example/api")
      const sent = service.requests.length
      const error = yield* Effect.provide(failing(Client.resume(flow.id)), clientOf(name))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.include(error.message, "https://one.example/api")
      assert.lengthOf(service.requests, sent)
      const swap = yield* Effect.provide(succeeding(Client.resume(flow.id)), clientOf(flow.service))
      assert.strictEqual(swap.status, "settled")
    })
  )

  it.effect("has an idempotency key that another service cannot use", () =>
    Effect.gen(function* () {
      const { clientOf, service } = yield* interrupted("order")
      const sent = service.requests.length
      const again = Client.execute(evmRequest, { idempotencyKey: "order" })
      const error = yield* Effect.provide(failing(again), clientOf("https://two.example/api"))
      assert.strictEqual(error._tag, "IdempotencyConflict")
      assert.lengthOf(service.requests, sent)
    })
  )
})

describe("a flow whose signatures were stored for too long", () => {
  it.effect.each(["open", "used", "expired"] as const)("is not submitted again if its signature is %s", (state) => {
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const { layer } = makeFixture({ service, readers: { evm: evmReader(state) } })
    return Effect.gen(function* () {
      yield* crashed(service, 1)
      yield* TestClock.adjust("8 days")
      const [flow] = yield* Client.pending
      assert.isUndefined(flow?.submission)
      const error = yield* failing(Client.resume(flow?.id ?? ""))
      assert.strictEqual(error._tag, state === "expired" ? "Expired" : "OutcomeUnknown")
      assert.strictEqual(error.message.includes("was executed"), state === "used")
      assert.lengthOf(yield* Client.pending, state === "expired" ? 0 : 1)
      assert.lengthOf(service.seen("submit"), 1)
    }).pipe(Effect.provide(layer))
  })
})

/** The updates of a store after the service has accepted a swap. */
const laterSteps = ["accepted 1", "remove"]

describe("a store that hangs", () => {
  it.effect.each(laterSteps)("at the step '%s' does not stop a swap in progress", (hanging) => {
    const { process, store } = makeShared()
    const seen: Array<string> = []
    const slow = altered(store, (step, update) => (seen.push(step), step === hanging ? Effect.never : update))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.include(seen, hanging)
    }).pipe(Effect.provide(process({ store: slow })))
  })
})

describe("a store that fails", () => {
  it.effect("to write stops the swap before anything is submitted", () => {
    const { process, service, store } = makeShared()
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "StoreError")
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(process({ store: altered(store, () => Effect.fail(lost)) })))
  })

  it.effect.each(["signing", "signed 1"])(
    "once, after the step '%s', leaves no flow behind, and nothing spent",
    (failed) => {
      const { originChain: chainId, inputToken: token, amount } = evmRequest
      const { process, service, store } = makeShared({ policy: { budgets: [{ chainId, token, amount }] } })
      let failures = 0
      const deaf = altered(store, (step, update) =>
        step === failed && failures++ === 0 ? Effect.andThen(update, Effect.fail(lost)) : update
      )
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(evmRequest))
        assert.strictEqual(error._tag, "StoreError")
        assert.deepStrictEqual(yield* store.update(evmRequest.walletAddress, (wallet) => [wallet, wallet.flows]), [])
        assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
        assert.lengthOf(service.swaps, 1)
      }).pipe(Effect.provide(process({ store: deaf })))
    }
  )

  it.effect.each(laterSteps)("at the step '%s' does not stop a swap in progress", (failed) => {
    const { process, store } = makeShared()
    const seen: Array<string> = []
    const broken = altered(store, (step, update) => (seen.push(step), step === failed ? Effect.fail(lost) : update))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.include(seen, failed)
    }).pipe(Effect.provide(process({ store: broken })))
  })
})

it.effect("refuses an invalid timeout before anything is sent", () => {
  const { service, layer } = makeFixture()
  return Effect.gen(function* () {
    const exit = yield* passing(Client.execute(evmRequest, { timeout: "soon" as never }))
    assert.strictEqual(exit._tag, "Failure")
    assert.lengthOf(service.requests, 0)
  }).pipe(Effect.provide(layer))
})

it.effect("leaves the flow in the store if the wait times out", () => {
  const { service, layer } = makeFixture()
  service.ends("never")
  return Effect.gen(function* () {
    const error = yield* failing(Client.execute(evmRequest, { timeout: "1 minute" }))
    if (error._tag !== "WaitTimeout") return assert.fail(error._tag)
    const [flow] = yield* Client.pending
    assert.strictEqual(error.flowId, flow?.id)
    service.ends("refunded", 0)
    const swap = yield* succeeding(Client.resume(flow?.id ?? "", { timeout: "1 hour" }))
    assert.strictEqual(swap.status, "refunded")
    // Without a node, the refund is only claimed.
    assert.deepStrictEqual(
      (yield* Client.pending).map(({ claimed, id }) => [claimed, id]),
      [["refunded", flow?.id]]
    )
  }).pipe(Effect.provide(layer))
})
