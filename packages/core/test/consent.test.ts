/** Consent before a signature: it fails closed. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { Client, Network, Signer, type SwapEvent } from "../src/index.js"
import { createClient } from "../src/promise.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { countingSigner, failing, succeeding, makeFixture } from "./fixture.js"

const { evmRequest } = ScriptedTransport

const delegated = () => {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  return service
}

/** Callbacks that do not consent. */
const broken: ReadonlyArray<{ readonly how: string; readonly gate: () => Effect.Effect<boolean> }> = [
  { how: "says no", gate: () => Effect.succeed(false) },
  { how: "dies", gate: () => Effect.die(new Error("broken gate")) },
  { how: "fails", gate: () => Effect.fail("broken gate") as unknown as Effect.Effect<boolean> },
  {
    how: "throws",
    gate: () => {
      throw new RangeError("Maximum call stack size exceeded")
    }
  },
  { how: "gives something else than true", gate: () => Effect.succeed("yes") as unknown as Effect.Effect<boolean> }
]

describe("acceptQuote", () => {
  it.effect("is called with the first quote and the request after `quoted`, before anything is built", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    const seen: Array<unknown> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, {
          onProgress: ({ type }) => Effect.sync(() => void seen.push(type)),
          acceptQuote: (quote, request) =>
            Effect.sync(() => {
              seen.push([quote.output, "geoQuoteToken" in quote, request, service.seen("build-geo-op").length])
              return true
            })
        })
      )
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(seen.slice(0, 3), [
        "quoted",
        [10_000_000n, false, { ...evmRequest, slippageBps: 50 }, 0],
        "built"
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(broken)("ends a swap with Declined if it $how", ({ gate }) => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { acceptQuote: gate }))
      if (error._tag !== "Declined") return assert.fail(error._tag)
      assert.deepStrictEqual([error.what, error.retry, error.code], ["quote", "never", undefined])
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
      assert.lengthOf(service.seen("build-geo-op"), 0)
      assert.lengthOf(yield* Client.pending, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("releases the idempotency key, so that the same swap can be started again", () => {
    const { layer } = makeFixture({ service: delegated() })
    return Effect.gen(function* () {
      const key = { idempotencyKey: "order" }
      const error = yield* failing(Client.execute(evmRequest, { ...key, acceptQuote: () => Effect.succeed(false) }))
      assert.strictEqual(error._tag, "Declined")
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest, key))).status, "settled")
    }).pipe(Effect.provide(layer))
  })
})

describe("acceptDelegation", () => {
  it.effect("is called with the fields to sign, before `authorizing`", () => {
    const { service, layer } = makeFixture()
    const seen: Array<unknown> = []
    return Effect.gen(function* () {
      yield* succeeding(
        Client.execute(evmRequest, {
          onProgress: ({ type }) => Effect.sync(() => void seen.push(type)),
          acceptDelegation: (delegation) => Effect.sync(() => seen.push(delegation) > 0)
        })
      )
      const delegate = Network.find(service.network, 8453)?.deployment?.delegates?.[0]
      assert.deepStrictEqual(seen.slice(0, 4), [
        "quoted",
        { chainId: 8453, delegate, nonce: 0 },
        "authorizing",
        "built"
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(broken)("ends a swap with Declined if it $how", ({ gate }) => {
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({ signers: { evm: signer } })
    const seen: Array<string> = []
    return Effect.gen(function* () {
      const onProgress = ({ type }: SwapEvent.SwapEvent) => Effect.sync(() => void seen.push(type))
      const error = yield* failing(Client.execute(evmRequest, { acceptDelegation: gate, onProgress }))
      if (error._tag !== "Declined") return assert.fail(error._tag)
      assert.strictEqual(error.what, "delegation")
      assert.deepStrictEqual(seen, ["quoted"])
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends with OutcomeUnknown once a signature was sent", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("submit", Fault.refuse(409, "NEEDS_DELEGATION"))
    service.always(
      "delegation",
      Fault.alter((state) => ({
        ...state,
        delegated: false,
        delegationTarget: Network.find(service.network, 8453)?.deployment?.delegates?.[0],
        accountNonce: 0
      }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { acceptDelegation: () => Effect.succeed(false) }))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(Reflect.get(Object(error.cause), "_tag"), "Declined")
      assert.deepStrictEqual(signed, { operations: 1, payments: 0, authorizations: 0 })
      assert.deepStrictEqual(
        (yield* Client.pending).map(({ id }) => id),
        [error.flowId]
      )
    }).pipe(Effect.provide(layer))
  })
})

describe("acceptRequote", () => {
  it.effect.each(broken)("refuses a lower minimum if it $how", ({ gate }) => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("build-geo-op", Fault.expire)
    const onProgress = ({ type }: SwapEvent.SwapEvent) =>
      Effect.sync(() => {
        if (type === "quoted") service.price(9_000)
      })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { onProgress, acceptRequote: gate }))
      assert.strictEqual(error._tag, "QuoteMoved")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("consent callbacks with promises", () => {
  const refusals: ReadonlyArray<{ readonly how: string; readonly gate: () => boolean | Promise<boolean> }> = [
    { how: "says no", gate: () => false },
    { how: "rejects", gate: () => Promise.reject(new Error("broken gate")) },
    {
      how: "throws",
      gate: () => {
        throw new Error("broken gate")
      }
    }
  ]

  it.each(
    refusals.flatMap(({ how, gate }) => [
      { name: "acceptQuote", how, gate },
      { name: "acceptDelegation", how, gate }
    ])
  )("$name rejects with Declined if it $how", async ({ gate, name }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const service = ScriptedTransport.make()
    const { signer, signed } = countingSigner()
    const client = createClient({
      transport: { send: (request, { signal }) => Effect.runPromise(service.send(request), { signal }) },
      signers: { evm: Signer.evmToPromise(signer) },
      network: service.network
    })
    try {
      const error: unknown = await client.execute(evmRequest, { [name]: gate }).catch((thrown: unknown) => thrown)
      assert.strictEqual(Reflect.get(Object(error), "_tag"), "Declined")
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
    } finally {
      log.mockRestore()
    }
  })
})
