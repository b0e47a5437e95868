/** Approval of the exact terms before each signature, and the number of swaps per hour. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, type Policy, Store, SwapError } from "../src/index.js"
import { createClient } from "../src/promise.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, type FixtureOptions, makeFixture, passing, succeeding } from "./fixture.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId, inputToken: token, amount } = evmRequest

const prepared = (policy: Policy.Options) => {
  const service = ScriptedTransport.make()
  service.delegate(chainId, evmRequest.walletAddress)
  const store = Effect.runSync(Store.makeMemory)
  const { signed, signer } = countingSigner()
  const run = (other: FixtureOptions = {}) =>
    Effect.provide(
      Client.execute(evmRequest),
      makeFixture({ service, store, signers: { evm: signer }, policy, ...other }).layer
    )
  return { run, service, signed, store }
}

/** The part of a one-swap budget that is still available. */
const leftOf = (store: Store.Store) =>
  Store.left(store, evmRequest.walletAddress, { chainId, token }, { window: "total", amount })

describe("approve", () => {
  it.effect("sees the exact terms, and the same reservation for a signature that replaces another", () => {
    const seen: Array<Policy.Terms> = []
    const { run, service, signed } = prepared({
      approve: (terms) => Effect.sync(() => seen.push(terms) > 0)
    })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      yield* succeeding(run())
      expect(signed.operations).toBe(2)
      expect(seen).toHaveLength(2)
      expect(seen[0]?.request).toMatchObject({ amount, inputToken: token })
      expect(seen[0]?.quote.minOutput).toBeGreaterThan(0n)
      expect(seen[0]).not.toHaveProperty("quote.geoQuoteToken")
      expect(seen[1]?.reservation).toBe(seen[0]?.reservation)
    })
  })

  it.effect.each([
    ["refused", false, undefined],
    ["needed from a person", "approval-1", "approval-1"]
  ] as const)("signs nothing and releases the budget if the approval is %s", ([, answer, approvalId]) => {
    const policy = {
      budgets: [{ chainId, token, amount }],
      maxSwapsPerHour: 1,
      approve: () => Effect.succeed<boolean | string>(answer)
    }
    const { run, signed, store } = prepared(policy)
    return Effect.gen(function* () {
      const error = yield* failing(run())
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      expect([error.rule, error.approvalId]).toEqual(["approve", approvalId])
      expect(signed.operations).toBe(0)
      expect(yield* leftOf(store)).toBe(amount)
      yield* succeeding(run({ policy: { ...policy, approve: () => Effect.succeed(true) } }))
    })
  })

  it.effect("keeps the budget of a signature that was sent if the next one is refused", () => {
    let asked = 0
    const { run, service, signed, store } = prepared({
      budgets: [{ chainId, token, amount }],
      approve: () => Effect.sync(() => ++asked === 1)
    })
    service.next("submit", Fault.refuse(410))
    return Effect.gen(function* () {
      expect((yield* failing(run()))._tag).toBe("OutcomeUnknown")
      expect([asked, signed.operations]).toEqual([2, 1])
      expect(yield* leftOf(store)).toBe(0n)
    })
  })

  it.effect("refuses if the callback dies", () => {
    const { run, signed, store } = prepared({
      budgets: [{ chainId, token, amount }],
      approve: () => Effect.die(new Error("no answer"))
    })
    return Effect.gen(function* () {
      expect((yield* passing(run()))._tag).toBe("Failure")
      expect(signed.operations).toBe(0)
      expect(yield* leftOf(store)).toBe(amount)
    })
  })

  it("works with promises, and must be a function", async () => {
    const service = ScriptedTransport.make()
    service.delegate(chainId, evmRequest.walletAddress)
    const evm = TestSigner.evm()
    const options = {
      transport: { send: (request: Parameters<typeof service.send>[0]) => Effect.runPromise(service.send(request)) },
      signers: {
        evm: {
          address: evm.address,
          capabilities: evm.capabilities,
          verifyOperation: (operation: Parameters<typeof evm.signOperation>[0]) =>
            Effect.runPromise(evm.verifyOperation?.(operation) ?? Effect.void),
          signOperation: (operation: Parameters<typeof evm.signOperation>[0]) =>
            Effect.runPromise(evm.signOperation(operation))
        }
      }
    }
    const client = createClient({
      ...options,
      network: service.network,
      policy: { approve: async () => "approval-2" }
    })
    await expect(client.execute(evmRequest)).rejects.toMatchObject({
      _tag: "PolicyViolation",
      approvalId: "approval-2"
    })
    for (const policy of [{ approve: true }, { maxSwapsPerHour: 1.5 }, { maxSwapsPerHour: "3" }]) {
      expect(() => createClient({ ...options, policy: policy as never })).toThrow(SwapError.InvalidInput)
    }
  })
})

describe("maxSwapsPerHour", () => {
  it.effect("limits parallel swaps, and is available again after an hour", () => {
    const { run, service } = prepared({ maxSwapsPerHour: 3 })
    return Effect.gen(function* () {
      const results = yield* Effect.all(
        Array.from({ length: 8 }, () => passing(run())),
        { concurrency: "unbounded" }
      )
      expect(results.filter(({ _tag }) => _tag === "Success")).toHaveLength(3)
      const error = yield* failing(run())
      expect(error).toMatchObject({ _tag: "PolicyViolation", rule: "maxSwapsPerHour" })
      yield* TestClock.adjust("1 hour")
      yield* succeeding(run())
      expect(service.swaps).toHaveLength(4)
    })
  })

  it.effect("does not count a swap that exceeds its budget, and the budget does not count one over the limit", () => {
    const policy = { budgets: [{ chainId, token, amount: amount - 1n }], maxSwapsPerHour: 1 }
    const { run, store } = prepared(policy)
    return Effect.gen(function* () {
      expect(yield* failing(run())).toMatchObject({ rule: "budgets" })
      const enough = { ...policy, budgets: [{ chainId, token, amount: 2n * amount }] }
      yield* succeeding(run({ policy: enough }))
      expect(yield* failing(run({ policy: enough }))).toMatchObject({ rule: "maxSwapsPerHour" })
      expect(yield* leftOf(store)).toBe(0n)
    })
  })
})
