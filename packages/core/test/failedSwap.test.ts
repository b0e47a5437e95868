/** A service that reports a swap as failed, or loses an accepted one. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type ChainReader, Client, Store, type SwapEvent } from "../src/index.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import {
  countingSigner,
  evmReader,
  failing,
  passDeadline,
  succeeding,
  makeFixture,
  type FixtureOptions
} from "./fixture.js"
import { keyIn } from "./processes.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const { originChain: chainId, walletAddress } = evmRequest
const idempotencyKey = "order-17"

const failed = { swapId: "swap-lie", status: "failed", failureCode: "OPERATION_EXPIRED" }
const lie = Fault.garbage(JSON.stringify(failed), { status: 200 })

/** A service that responds to every submit or status with `failed`, and processes that share a store. */
const lying = (at: "submit" | "status" | undefined, options: FixtureOptions = {}) => {
  const service = options.service ?? ScriptedTransport.make()
  service.delegate(chainId, walletAddress)
  if (at === "status") service.ends("failed", 0)
  if (at === "submit") {
    service.always("submit", lie)
    service.always("status", lie)
  }
  const store = Effect.runSync(Store.makeMemory)
  const { signer, signed } = countingSigner()
  const process = (other: FixtureOptions = {}) =>
    makeFixture({ signers: { evm: signer }, service, store, ...options, ...other }).layer
  return { service, store, signed, process }
}

const solanaReader = (
  state: ChainReader.SignedState,
  asked: Array<ChainReader.TransactionQuery>
): ChainReader.Solana => ({
  transactionState: (query) => Effect.sync(() => (asked.push(query), state)),
  token: () => Effect.succeed({ decimals: 6 })
})

describe.each(["submit", "status"] as const)(
  "a swap that the service reports as failed in its response to %s",
  (at) => {
    it.effect("gets no second signature while the own node shows the first as open", () => {
      const { process, store, signed } = lying(at, { readers: { evm: evmReader("open") } })
      return Effect.gen(function* () {
        for (let attempt = 1; attempt <= 3; attempt++) {
          const error = yield* failing(Client.execute(evmRequest, { idempotencyKey }))
          if (error._tag !== "WaitTimeout") return assert.fail(error._tag)
          assert.strictEqual(error.retry, "resume")
          assert.strictEqual(error.status, "failed")
          const [flow] = yield* store.flows
          assert.strictEqual(error.flowId, flow?.id)
          assert.strictEqual(flow?.state, "unproved")
          assert.isUndefined((yield* keyIn(store, idempotencyKey))?.swapId)
        }
        assert.strictEqual(signed.operations, 1)
      }).pipe(Effect.provide(process()))
    })

    it.effect("is failed once the own node shows that it expired, and is reported at once", () => {
      const service = ScriptedTransport.make()
      const { process, store } = lying(at, { service, readers: service.readers })
      const events: Array<readonly [string, number]> = []
      const onProgress = (event: SwapEvent.SwapEvent) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (event.type === "done" || (event.type === "status" && event.swap.status === "failed")) {
            events.push([event.type, now])
          }
        })
      return Effect.gen(function* () {
        const swap = yield* succeeding(Client.execute(evmRequest, { idempotencyKey, onProgress }))
        assert.strictEqual(swap.status, "failed")
        assert.deepStrictEqual(yield* store.flows, [])
        assert.strictEqual((yield* keyIn(store, idempotencyKey))?.status, "failed")
        const [told, done, ...more] = events
        assert.deepStrictEqual(more, [])
        assert.strictEqual(told?.[0], "status")
        assert.isBelow(told?.[1] ?? Infinity, 2_000)
        assert.strictEqual(done?.[0], "done")
        assert.isAtLeast(done?.[1] ?? 0, 90_000)
      }).pipe(Effect.provide(process()))
    })

    it.effect("is OutcomeUnknown if the own node shows that it was executed", () => {
      const { process, store, signed } = lying(at, { readers: { evm: evmReader("used") } })
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(evmRequest, { idempotencyKey }))
        if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
        assert.strictEqual(error.retry, "resume")
        assert.isDefined(error.swapId)
        assert.match(error.message, /service says that swap .* failed, but your own node shows .* executed/)
        const [flow] = yield* store.flows
        assert.strictEqual(error.flowId, flow?.id)
        const again = yield* failing(Client.resume(error.flowId))
        assert.strictEqual(again._tag, "OutcomeUnknown")
        assert.strictEqual((yield* failing(Client.execute(evmRequest, { idempotencyKey })))._tag, "OutcomeUnknown")
        assert.strictEqual(signed.operations, 1)
      }).pipe(Effect.provide(process()))
    })

    it.effect.each([
      ["there is no own node", {}],
      ["the policy trusts it", { readers: { evm: evmReader("open") }, policy: { afterRefusal: "trust-service" } }]
    ] as const)("is believed to be failed if %s", ([, options]) => {
      const { process, store } = lying(at, options)
      return Effect.gen(function* () {
        const swap = yield* succeeding(Client.execute(evmRequest, { idempotencyKey }))
        assert.strictEqual(swap.status, "failed")
        assert.isBelow(yield* Clock.currentTimeMillis, 10_000)
        assert.isUndefined(swap.proof)
        // Without a node, the claim is returned, and the flow stays until the outcome is proved.
        const claims = (yield* store.flows).map(({ claimed }) => claimed)
        assert.deepStrictEqual(claims, "policy" in options ? [] : ["failed"])
      }).pipe(Effect.provide(process()))
    })
  }
)

describe("a swap that the service reports as failed", () => {
  it.effect("is found on Solana by its message without signatures", () => {
    const asked: Array<ChainReader.TransactionQuery> = []
    const service = ScriptedTransport.make()
    service.ends("never")
    const { layer } = makeFixture({ service, readers: { solana: solanaReader("open", asked) } })
    return Effect.gen(function* () {
      const waiting = yield* failing(Client.execute(solanaRequest, { timeout: "1 minute" }))
      if (waiting._tag !== "WaitTimeout") return assert.fail(waiting._tag)
      service.ends("failed", 0)
      const error = yield* failing(Client.resume(waiting.flowId ?? "", { timeout: "1 minute" }))
      assert.strictEqual(error._tag, "WaitTimeout")
      const bytes = atob(asked.at(-1)?.signedTransaction ?? "")
      assert.strictEqual(bytes.slice(1, 65), "\0".repeat(64))
      assert.include(bytes, solanaRequest.walletAddress)
    }).pipe(Effect.provide(layer))
  })

  it.effect("stays failed for its key", () => {
    const asked: Array<ChainReader.OperationQuery> = []
    const { process } = lying("submit", { readers: { evm: evmReader("expired", asked) } })
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest, { idempotencyKey }))
      const before = asked.length
      const again = yield* succeeding(Client.execute(evmRequest, { idempotencyKey }))
      assert.deepStrictEqual([again.swapId, again.status], [swap.swapId, "failed"])
      assert.lengthOf(asked, before)
    }).pipe(Effect.provide(process()))
  })
})

describe("a service that accepts a swap and loses it", () => {
  const forgotten = Fault.refuse(404, "SWAP_NOT_FOUND")

  it.effect.each(["404", "silence"] as const)("with %s lets the own node show that it expired", (how) => {
    const { service, process, store, signed } = lying(undefined, { readers: { evm: evmReader("expired") } })
    service.ends("never")
    if (how === "404") service.always("status", forgotten)
    return Effect.gen(function* () {
      const execute = failing(Client.execute(evmRequest, { idempotencyKey, timeout: "1 minute" }))
      assert.strictEqual((yield* execute).retry, "resume")
      yield* passDeadline
      const error = yield* execute
      if (error._tag !== "Expired") return assert.fail(error._tag)
      assert.strictEqual(error.what, "operation")
      assert.deepStrictEqual(yield* store.flows, [])
      const { swapId, status } = (yield* keyIn(store, idempotencyKey)) ?? {}
      assert.deepStrictEqual({ swapId, status }, { swapId: service.swaps[0]?.swapId, status: "failed" })
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect.each(["404", "silence"] as const)("with %s cannot hide that it was executed", (how) => {
    const { service, process, store } = lying(undefined, { readers: { evm: evmReader("used") } })
    service.ends("never")
    if (how === "404") service.always("status", forgotten)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { idempotencyKey, timeout: "1 minute" }))
      assert.strictEqual(error.retry, "resume")
      assert.match(error.message, /Your own node shows that the signed operation was executed/)
      assert.lengthOf(yield* store.flows, 1)
    }).pipe(Effect.provide(process()))
  })

  it.effect("after a restart lets the own node check every signature", () => {
    const asked: Array<ChainReader.OperationQuery> = []
    const { service, process, store, signed } = lying(undefined)
    service.next("submit", Fault.refuse(410))
    service.ends("never")
    return Effect.gen(function* () {
      const options = { idempotencyKey, timeout: "1 minute" } as const
      assert.strictEqual(
        (yield* Effect.provide(failing(Client.execute(evmRequest, options)), process()))._tag,
        "WaitTimeout"
      )
      const [flow] = yield* store.flows
      service.always("status", forgotten)
      yield* TestClock.adjust("5 minutes")
      const readers = { evm: evmReader("expired", asked) }
      const error = yield* Effect.provide(failing(Client.resume(flow?.id ?? "")), process({ readers }))
      assert.strictEqual(error._tag, "Expired")
      assert.strictEqual(signed.operations, 2)
      assert.lengthOf(asked, 2)
      assert.strictEqual(new Set(asked.map(({ nonce }) => nonce)).size, 1)
      assert.deepStrictEqual(yield* store.flows, [])
    })
  })
})

describe("the flow of an accepted swap", () => {
  it.effect(
    "keeps the identities of all signatures and the accepted minimum, and nothing that can be submitted",
    () => {
      const { service, process, store } = lying(undefined)
      service.next("submit", Fault.refuse(410))
      service.ends("never")
      return Effect.gen(function* () {
        yield* failing(Client.execute(evmRequest, { timeout: "1 minute" }))
        const [flow] = yield* store.flows
        assert.lengthOf(flow?.signed ?? [], 2)
        for (const { operation, signedAt } of flow?.signed ?? []) {
          assert.isDefined(operation?.nonce)
          assert.isDefined(operation?.deadline)
          assert.isDefined(signedAt)
        }
        assert.strictEqual(flow?.minOutput, (evmRequest.amount * 9_950n) / 10_000n)
        assert.strictEqual(flow?.signatures, 2)
        const text = JSON.stringify(flow, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
        for (const { body } of service.seen("submit")) {
          assert.notInclude(text, String(body["geoOpToken"]))
          assert.notInclude(text, String(body["signature"]))
        }
      }).pipe(Effect.provide(process()))
    }
  )
})
