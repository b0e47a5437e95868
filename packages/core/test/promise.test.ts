import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, vi } from "vitest"
import { type Client, createClient, isSwapError, storageStore, type SwapEvent } from "../src/promise.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"

const { evmRequest, solanaRequest } = ScriptedTransport

// The clock advances to the next timer as soon as nothing else is left to do, on slow and on fast machines.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "Date"] })
  vi.setTimerTickMode("nextTimerAsync")
})
afterEach(() => {
  vi.useRealTimers()
})

const tenMinutes = () => new Promise((resolve) => setTimeout(resolve, 600_000))

/** The scripted service and the test signers for the promise client. */
const makeFixture = (options: { readonly duration?: number; readonly settings?: object } = {}) => {
  const service = ScriptedTransport.make()
  service.ends("settled", options.duration ?? 5)
  const evm = TestSigner.evm()
  const solana = TestSigner.solana()
  const client: Client = createClient({
    transport: { send: (request, { signal }) => Effect.runPromise(service.send(request), { signal }) },
    signers: {
      evm: {
        address: evm.address,
        capabilities: evm.capabilities,
        verifyOperation: (operation) => Effect.runPromise(evm.verifyOperation?.(operation) ?? Effect.void),
        signOperation: (operation) => Effect.runPromise(evm.signOperation(operation)),
        signAuthorization: (tuple) => Effect.runPromise(evm.signAuthorization?.(tuple) ?? Effect.die("unreachable"))
      },
      solana: {
        address: solana.address,
        verifyTransaction: (transaction) => Effect.runPromise(solana.verifyTransaction?.(transaction) ?? Effect.void),
        signTransaction: (transaction) => Effect.runPromise(solana.signTransaction(transaction))
      }
    },
    network: service.network,
    settings: { backoff: [1, 5], ...options.settings }
  })
  return { service, client }
}

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("should have been rejected"),
    (error: unknown) => error
  )

describe("createClient", () => {
  it("runs a whole swap and reports its steps", async () => {
    const { service, client } = makeFixture()
    const steps: Array<string> = []
    const swap = await client.execute(evmRequest, { onProgress: ({ type }) => void steps.push(type) })
    assert.strictEqual(swap.status, "settled")
    assert.deepStrictEqual(steps, [
      "quoted",
      "authorizing",
      "built",
      "verified",
      "signed",
      "submitted",
      "status",
      "done"
    ])
    assert.lengthOf(service.swaps, 1)
  })

  it("has the single calls", async () => {
    const { service, client } = makeFixture()
    const quote = await client.quote({ ...solanaRequest, amount: "5000000" })
    assert.strictEqual(quote.output, 5_000_000n)
    const built = await client.build({
      originChain: solanaRequest.originChain,
      geoQuoteToken: quote.geoQuoteToken
    })
    if (built.family !== "solana") return assert.fail("a Solana origin builds a transaction")
    const { geoOpToken, unsignedTransaction } = built
    const signedTransaction = await Effect.runPromise(
      TestSigner.solana().signTransaction({ request: solanaRequest, quote, unsignedTransaction })
    )
    const { swapId } = await client.submit({ family: "solana", geoOpToken, signedTransaction })
    assert.strictEqual((await client.status(swapId)).status, "settled")
    assert.strictEqual((await client.wait(swapId)).status, "settled")
    assert.isFalse(
      (await client.delegation({ chainId: evmRequest.originChain, walletAddress: evmRequest.walletAddress })).delegated
    )
    assert.isNotEmpty(await client.chains())
    const { walletAddress: _, recipient: __, ...anyone } = solanaRequest
    const price = await client.indicativeQuote({ ...anyone, amount: "5000000" })
    assert.deepStrictEqual([price.indicative, price.output], [true, quote.output])
    assert.lengthOf(service.swaps, 1)
    return undefined
  })

  it("throws a clear error without a transport", () => {
    for (const options of [undefined, {}, { transport: {} }]) {
      try {
        createClient(options as never)
        assert.fail("should have thrown")
      } catch (error) {
        if (!isSwapError(error) || error._tag !== "InvalidInput") throw error
        assert.strictEqual(error.field, "transport")
      }
    }
  })

  it("rejects with the tagged error itself", async () => {
    const { service, client } = makeFixture()
    service.always("build-geo-op", Fault.refuse(422, "UNSUPPORTED_DELEGATION", "Delegated elsewhere."))
    const error = await rejection(client.execute(evmRequest))
    if (!isSwapError(error)) return assert.fail("one of our errors")
    assert.instanceOf(error, Error)
    assert.strictEqual(error._tag, "Unsupported")
    assert.strictEqual(error.retry, "never")
    assert.include(error.message, "The service says: Delegated elsewhere.")
    return undefined
  })

  it("recognizes its errors", () => {
    assert.isFalse(isSwapError(new Error("no")))
    assert.isFalse(isSwapError({ _tag: "Expired", retry: "requote" }))
    assert.isFalse(isSwapError(null))
  })

  it("shares no state between two clients", async () => {
    const first = makeFixture()
    const second = makeFixture()
    first.service.always("submit", Fault.disconnect())
    await rejection(first.client.execute(evmRequest))
    assert.lengthOf(await first.client.pending(), 1)
    assert.lengthOf(await second.client.pending(), 0)
  })

  it("calls acceptRequote if the quote moved", async () => {
    const { service, client } = makeFixture()
    service.next("build-geo-op", Fault.expire)
    const asked: Array<bigint> = []
    const swap = await client.execute(evmRequest, {
      onProgress: ({ type }) => {
        if (type === "quoted") service.price(9_000)
      },
      acceptRequote: async (_, offered) => {
        asked.push(offered.output)
        return true
      }
    })
    assert.strictEqual(swap.status, "settled")
    assert.deepStrictEqual(asked, [9_000_000n])
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken listener")
      }
    ],
    ["returns a promise that rejects", () => Promise.reject(new Error("broken listener"))]
  ])("continues if a progress listener %s, and logs that", async (_, onProgress) => {
    const { client } = makeFixture()
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const unhandled = vi.fn<() => void>()
    process.on("unhandledRejection", unhandled)
    try {
      assert.strictEqual((await client.execute(evmRequest, { onProgress })).status, "settled")
      await tenMinutes()
      assert.include(log.mock.calls.flat().map(String).join(" "), "A swap listener failed")
      assert.strictEqual(unhandled.mock.calls.length, 0)
    } finally {
      process.off("unhandledRejection", unhandled)
      log.mockRestore()
    }
  })

  it("does not wait for a progress listener's promise", async () => {
    const { client } = makeFixture()
    const swap = await client.execute(evmRequest, { onProgress: () => new Promise(() => undefined) })
    assert.strictEqual(swap.status, "settled")
  })

  it("limits a single call by its own timeout", async () => {
    const { service, client } = makeFixture()
    service.next("quote", Fault.hang())
    const error = await rejection(client.quote(evmRequest, { timeout: 20 }))
    if (!isSwapError(error) || error._tag !== "Unavailable") return assert.fail("Unavailable")
    assert.strictEqual(error.reason, "timeout")
    return undefined
  })

  it("limits the wait, and names the swap", async () => {
    const { service, client } = makeFixture()
    service.ends("never")
    const error = await rejection(client.execute(evmRequest, { timeout: 50 }))
    if (!isSwapError(error) || error._tag !== "WaitTimeout") return assert.fail("WaitTimeout")
    assert.strictEqual(error.swapId, service.swaps[0]?.swapId)
    return undefined
  })
})

describe("for await", () => {
  it("iterates over the steps of a swap", async () => {
    const { client } = makeFixture()
    const steps: Array<SwapEvent["type"]> = []
    for await (const event of client.executeStream(solanaRequest)) steps.push(event.type)
    assert.deepStrictEqual(steps, ["quoted", "built", "verified", "signed", "submitted", "status", "done"])
  })

  it("starts nothing before the first value is requested", async () => {
    const { service, client } = makeFixture()
    client.executeStream(evmRequest)
    await tenMinutes()
    assert.lengthOf(service.requests, 0)
  })

  it("stops the swap when the loop is left", async () => {
    const { service, client } = makeFixture({ duration: 60_000 })
    for await (const event of client.executeStream(evmRequest)) {
      if (event.type === "submitted") break
    }
    const count = service.requests.length
    await tenMinutes()
    assert.strictEqual(service.requests.length, count)
    assert.lengthOf(await client.pending(), 1)
  })

  it("throws the error of the swap after the steps before it", async () => {
    const { service, client } = makeFixture()
    service.always("build-geo-op", Fault.refuse(401, "INVALID_TOKEN"))
    const steps: Array<string> = []
    const error = await rejection(
      (async () => {
        for await (const { type } of client.executeStream(evmRequest)) steps.push(type)
      })()
    )
    assert.deepStrictEqual(steps, ["quoted"])
    assert.isTrue(isSwapError(error) && error._tag === "InvalidToken")
  })

  it("ends with the reason of the signal", async () => {
    const { service, client } = makeFixture({ duration: 60_000 })
    const controller = new AbortController()
    const reason = new Error("enough")
    const error = await rejection(
      (async () => {
        for await (const { type } of client.executeStream(evmRequest, { signal: controller.signal })) {
          if (type === "submitted") controller.abort(reason)
        }
      })()
    )
    assert.strictEqual(error, reason)
    const count = service.requests.length
    await tenMinutes()
    assert.strictEqual(service.requests.length, count)
  })

  it("watches a swap to its end", async () => {
    const { service, client } = makeFixture({ duration: 60_000 })
    service.ends("never")
    await rejection(client.execute(evmRequest, { timeout: 20 }))
    const { swapId } = service.swaps[0] ?? { swapId: "" }
    setTimeout(() => void Effect.runPromise(service.finish(swapId, "refunded")), 20_000)
    const seen: Array<string> = []
    for await (const { status } of client.watch(swapId)) seen.push(status)
    assert.deepStrictEqual(seen, ["pending", "refunded"])
  })
})

describe("an AbortSignal", () => {
  it("sends nothing if it is already aborted", async () => {
    const { service, client } = makeFixture()
    const reason = new Error("not today")
    const signal = AbortSignal.abort(reason)
    for (const call of [
      client.quote(evmRequest, { signal }),
      client.execute(evmRequest, { signal }),
      client.wait("swap", { signal }),
      client.pending({ signal }),
      client.resume("flow", { signal })
    ]) {
      assert.strictEqual(await rejection(call), reason)
    }
    assert.lengthOf(service.requests, 0)
  })

  it("rejects with its reason, and no further request is sent", async () => {
    const { service, client } = makeFixture({ settings: { callAttempts: 1_000 } })
    service.always("quote", Fault.unavailable())
    const controller = new AbortController()
    const running = client.execute(evmRequest, { signal: controller.signal })
    setTimeout(() => controller.abort(), 10)
    const error = await rejection(running)
    assert.isTrue(error instanceof DOMException && error.name === "AbortError")
    const count = service.requests.length
    assert.isAbove(count, 1)
    await tenMinutes()
    assert.strictEqual(service.requests.length, count)
  })

  it("reaches the transport", async () => {
    let aborted = false
    const client = createClient({
      transport: {
        send: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true
              reject(signal.reason as Error)
            })
          })
      }
    })
    const controller = new AbortController()
    const running = client.status("swap", { signal: controller.signal })
    setTimeout(() => controller.abort("stop"), 5)
    assert.strictEqual(await rejection(running), "stop")
    assert.isTrue(aborted)
  })
})

it("removes a flow", async () => {
  const { service, client } = makeFixture()
  service.always("submit", Fault.disconnect())
  const error = await rejection(client.execute(evmRequest))
  if (!isSwapError(error) || error._tag !== "OutcomeUnknown") return assert.fail("OutcomeUnknown")
  await client.forget(error.flowId)
  assert.deepStrictEqual(await client.pending(), [])
  return undefined
})

it("refuses calls without arguments with a clear error", async () => {
  const { service, client } = makeFixture()
  const { build, delegation, execute, indicativeQuote, quote, status, submit } = client
  for (const call of [quote, indicativeQuote, build, submit, delegation, status, execute]) {
    const error = await rejection((call as () => Promise<unknown>)())
    assert.isTrue(isSwapError(error) && error._tag === "InvalidInput", String(error))
  }
  assert.lengthOf(service.requests, 0)
})

describe("resume", () => {
  it("resumes a flow in another client with the same storage, as one swap", async () => {
    const entries = new Map<string, string>()
    const store = storageStore({
      getItem: async (key) => entries.get(key) ?? null,
      setItem: async (key, value) => void entries.set(key, value),
      removeItem: async (key) => void entries.delete(key),
      keys: async () => [...entries.keys()]
    })
    const service = ScriptedTransport.make()
    service.ends("settled", 5)
    service.next("submit-solana", ...Array.from({ length: 8 }, () => Fault.disconnect({ after: true })))
    const solana = TestSigner.solana()
    const clientOf = () =>
      createClient({
        transport: { send: (request, { signal }) => Effect.runPromise(service.send(request), { signal }) },
        signers: {
          solana: {
            address: solana.address,
            verifyTransaction: () => undefined,
            signTransaction: (transaction) => Effect.runPromise(solana.signTransaction(transaction))
          }
        },
        network: service.network,
        settings: { backoff: [1, 2] },
        store
      })
    const unknown = await rejection(clientOf().execute(solanaRequest))
    if (!isSwapError(unknown) || unknown._tag !== "OutcomeUnknown") return assert.fail("OutcomeUnknown")
    const second = clientOf()
    const [flow] = await second.pending()
    assert.strictEqual(flow?.id, unknown.flowId)
    const swap = await second.resume(unknown.flowId)
    assert.strictEqual(swap.status, "settled")
    assert.lengthOf(service.swaps, 1)
    assert.strictEqual(entries.size, 0)
    return undefined
  })
})

describe("the policy of a client", () => {
  const transport = { send: () => Promise.reject(new Error("unreachable")) }
  const token = `0x${"83".repeat(20)}`

  it.each([
    ["maxFeeBPS", { maxFeeBPS: 10 }, "policy.maxFeeBPS", "maxFeeBps"],
    ["alowedTokens", { alowedTokens: [] }, "policy.alowedTokens", "allowedTokens"],
    ["budget", { budget: [] }, "policy.budget", "budgets"],
    ["verification", { verification: "when possible" }, "policy.verification", "when-possible"],
    ["afterRefusal", { afterRefusal: true }, "policy.afterRefusal", "trust-service"],
    ["maxFeeBps", { maxFeeBps: "10" }, "policy.maxFeeBps", "a number"],
    ["budgets", { budgets: [{ chainId: 8453, token, amount: 10 }] }, "policy.budgets", "amount"],
    ["a window", { budgets: [{ chainId: 8453, token, amount: 10n, window: "week" }] }, "policy.budgets", "window"],
    ["paymentMethods", { paymentMethods: ["eip3009", "transfer"] }, "policy.paymentMethods", "a list of delegation"],
    ["no paymentMethods", { paymentMethods: [] }, "policy.paymentMethods", "a list of delegation"]
  ])("is refused with %s before the client is created, with a suggestion", (_, policy, field, hint) => {
    try {
      createClient({ transport, policy: policy as object })
      assert.fail("should have been refused")
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "InvalidInput") throw error
      assert.strictEqual(error.field, field)
      assert.include(error.message, hint)
    }
  })

  it("may have rules that are undefined", () => {
    assert.isDefined(createClient({ transport, network: undefined, policy: { maxFeeBps: undefined } }))
  })
})

describe("a client with the default store", () => {
  it("runs one swap for two calls with the same key", async () => {
    const { client, service } = makeFixture()
    const options = { idempotencyKey: "order-1" }
    const [one, other] = await Promise.all([client.execute(evmRequest, options), client.execute(evmRequest, options)])
    assert.strictEqual(one.swapId, other.swapId)
    assert.lengthOf(service.swaps, 1)
  })
})

describe("a client whose store has no locks", () => {
  const { service } = makeFixture()
  const transport = { send: () => Promise.reject(new Error("unreachable")) }
  const entries = new Map<string, string>()
  const store = storageStore({
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    keys: () => [...entries.keys()]
  })
  const budgets = [{ chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: 1n }]

  it.each([{ budgets }, { maxSwapsPerHour: 5 }])("refuses %o before the client is created", (policy) => {
    try {
      createClient({ transport, store: store as never, policy })
      assert.fail("should have been refused")
    } catch (error) {
      if (!isSwapError(error) || error._tag !== "InvalidInput") throw error
      assert.include(error.message, "navigator.locks")
    }
  })

  it("refuses an idempotency key before anything is sent", async () => {
    const evm = TestSigner.evm()
    const client = createClient({
      network: service.network,
      transport,
      store: store as never,
      signers: {
        evm: {
          address: evm.address,
          capabilities: evm.capabilities,
          verifyOperation: () => undefined,
          signOperation: () => Promise.reject(new Error("unreachable"))
        }
      }
    })
    const error = await rejection(client.execute(evmRequest, { idempotencyKey: "order-1" }))
    if (!isSwapError(error) || error._tag !== "InvalidInput") throw error
    assert.strictEqual(error.field, "idempotencyKey")
    assert.include(error.message, "a store with locks")
  })
})
