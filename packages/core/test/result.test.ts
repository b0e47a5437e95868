/** What the result of a swap says, and from whom it comes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Chain, Client, Store, type Swap, type SwapEvent } from "../src/index.js"
import { agreedSwap } from "../src/programs/agreedSwap.js"
import { Fault, ScriptedTransport } from "../src/testing.js"
import { makeFixture, succeeding } from "./fixture.js"
import type { Signed } from "../src/store/flow.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const other = `0x${"9".repeat(40)}`

const input = { chainId: evmRequest.originChain, token: evmRequest.inputToken, amount: evmRequest.amount }
const received = (amount: bigint) => ({
  chainId: evmRequest.destinationChain,
  token: evmRequest.outputToken,
  amount
})
const terms = { input, feeBps: 12.5, networkCost: 0n, recipient: evmRequest.walletAddress }

/** What the service reports, in a form that JSON can hold. */
const claim = (token: string, amount: string, chainId = 1) => ({ chainId, token, amount })

/** A service that lies about the terms of every swap. */
const lying = (lies: Readonly<Record<string, unknown>>) => {
  const service = ScriptedTransport.make()
  const lie = Fault.alter((answer) => ({ ...answer, ...lies }))
  service.always("submit", lie)
  service.always("status", lie)
  return service
}

const withoutReport = Fault.alter(
  ({ swapId, status, originTxHash, deliveryTxHash, refundTxHash, failureCode }: Record<string, unknown>) => ({
    swapId,
    status,
    originTxHash,
    deliveryTxHash,
    refundTxHash,
    failureCode
  })
)

describe("the result of execute", () => {
  it.effect("of a settled swap says what was paid and what was delivered", () => {
    const { service, layer } = makeFixture()
    service.price(9_900)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      const { originTxHash, deliveryTxHash, acceptedAt, collectedAt, finishedAt, swapId: _, ...rest } = swap
      assert.deepStrictEqual(rest, {
        status: "settled",
        ...terms,
        quotedOutput: received(9_900_000n),
        minOutput: 9_850_500n,
        output: received(9_900_000n)
      })
      assert.isDefined(originTxHash)
      assert.isDefined(deliveryTxHash)
      if (!acceptedAt || !collectedAt || !finishedAt) return assert.fail("a time is missing")
      assert.isAtMost(acceptedAt.getTime(), collectedAt.getTime())
      assert.isAtMost(collectedAt.getTime(), finishedAt.getTime())
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a refunded swap says what was returned, and of a failed one why", () => {
    const refunding = makeFixture()
    refunding.service.ends("refunded")
    const failing = makeFixture()
    failing.service.ends("failed")
    return Effect.gen(function* () {
      const refunded = yield* Effect.provide(succeeding(Client.execute(evmRequest)), refunding.layer)
      assert.deepStrictEqual(refunded.refund, input)
      assert.isUndefined(refunded.output)
      assert.strictEqual(refunded.failureCode, "SLIPPAGE")
      const failed = yield* Effect.provide(succeeding(Client.execute(evmRequest)), failing.layer)
      assert.deepStrictEqual([failed.refund, failed.output, failed.collectedAt], [undefined, undefined, undefined])
      assert.strictEqual(failed.failureCode, "INVALID_AUTHORIZATION")
      assert.deepStrictEqual(failed.input, input)
    })
  })

  it.effect("has the terms that were signed even if the service reports nothing", () => {
    const { service, layer } = makeFixture()
    service.always("submit", withoutReport)
    service.always("status", withoutReport)
    return Effect.gen(function* () {
      const { swapId, originTxHash, deliveryTxHash, ...rest } = yield* succeeding(Client.execute(evmRequest))
      for (const value of [swapId, originTxHash, deliveryTxHash]) assert.isString(value)
      assert.deepStrictEqual(rest, {
        status: "settled",
        ...terms,
        quotedOutput: received(10_000_000n),
        minOutput: 9_950_000n
      })
    }).pipe(Effect.provide(layer))
  })

  it.effect("has the terms that were signed even if the service reports others", () => {
    const service = lying({
      input: claim(other, "1"),
      quotedOutput: claim(other, "1"),
      minOutput: "1",
      output: claim(other, "1"),
      refund: claim(other, "1"),
      feeBps: 0,
      networkCost: "999",
      recipient: other
    })
    const { layer } = makeFixture({ service })
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      const seen = events.flatMap((event) => ("swap" in event ? [event.swap] : []))
      assert.isAtLeast(seen.length, 3)
      for (const one of [swap, ...seen]) {
        const { feeBps, minOutput, networkCost, output, quotedOutput, recipient, refund } = one
        assert.deepStrictEqual({ input: one.input, feeBps, networkCost, recipient }, terms)
        assert.deepStrictEqual([quotedOutput, minOutput], [received(10_000_000n), 9_950_000n])
        assert.deepStrictEqual([output, refund], [undefined, undefined])
      }
      // Without a flow, there is only the service's word, and no minimum.
      const { minOutput, recipient } = yield* Client.status(swap.swapId)
      assert.deepStrictEqual([recipient, minOutput], [other, undefined])
    }).pipe(Effect.provide(layer))
  })

  it.effect("takes the delivered amount from the service, in any spelling of the token", () => {
    const token = `0x${evmRequest.outputToken.slice(2).toUpperCase()}`
    const { layer } = makeFixture({ service: lying({ output: claim(token, "7", evmRequest.destinationChain) }) })
    return Effect.gen(function* () {
      assert.deepStrictEqual((yield* succeeding(Client.execute(evmRequest))).output, received(7n))
    }).pipe(Effect.provide(layer))
  })

  it.effect("from Solana has the recipient on the other chain", () => {
    const { layer } = makeFixture()
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(solanaRequest))
      assert.strictEqual(swap.recipient, solanaRequest.recipient)
      assert.strictEqual(swap.input?.chainId, Chain.solanaMainnet)
    }).pipe(Effect.provide(layer))
  })

  it.effect("has the terms of a new quote if the first one expired", () => {
    const { service, layer } = makeFixture()
    service.next("build-geo-op", Fault.expire)
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, {
          onProgress: ({ type }) => Effect.sync(() => type === "quoted" && service.price(10_010))
        })
      )
      assert.deepStrictEqual(swap.quotedOutput, received(10_010_000n))
    }).pipe(Effect.provide(layer))
  })
})

describe("the result of resume", () => {
  it.effect("has the terms from the store, even after the swap was accepted", () => {
    const { service, layer } = makeFixture()
    service.price(9_900)
    service.ends("never")
    service.always("submit", withoutReport)
    service.always("status", withoutReport)
    return Effect.gen(function* () {
      yield* Effect.flip(succeeding(Client.execute(evmRequest, { timeout: "1 minute" })))
      const [flow] = yield* Client.pending
      assert.isDefined(flow?.swapId)
      service.ends("settled", 0)
      const swap = yield* succeeding(Client.resume(flow?.id ?? ""))
      assert.deepStrictEqual(swap.quotedOutput, received(9_900_000n))
      assert.deepStrictEqual([swap.feeBps, swap.networkCost], [12.5, 0n])
    }).pipe(Effect.provide(layer))
  })
})

describe("the result of a flow with several signatures", () => {
  it.effect("has the terms of the signature that the service accepted", () => {
    const { service, layer } = makeFixture()
    service.always("submit", Fault.disconnect())
    return Effect.gen(function* () {
      yield* Effect.flip(succeeding(Client.execute(evmRequest)))
      const { update } = yield* Store.Store
      const [flow] = yield* Client.pending
      if (flow?.submission?.family !== "evm") return assert.fail("there is no signed flow")
      const { submission, operation, signedAt, output, feeBps, networkCost, minOutput, ...rest } = flow
      const terms = { output, feeBps, networkCost, minOutput }
      const first = { submission, operation, signedAt, ...terms } as Signed
      // The latest signature is for another quote, which the service refuses.
      const changed = {
        ...rest,
        submission: { ...submission, geoOpToken: "go1.refused" },
        output: 7n,
        feeBps: 1,
        earlier: [first]
      }
      yield* update(evmRequest.walletAddress, (wallet) => [{ ...wallet, flows: [changed] }, undefined])
      service.always("submit", Fault.pass)
      const swap = yield* succeeding(Client.resume(flow.id))
      assert.deepStrictEqual(swap.quotedOutput, received(10_000_000n))
      assert.strictEqual(swap.feeBps, 12.5)
    }).pipe(Effect.provide(layer))
  })
})

describe("a report from the service", () => {
  const flow: Pick<Store.Flow, "request" | "output"> = { request: evmRequest, output: 9_900_000n }
  const agree = (swap: Partial<Swap.Swap>, over: Partial<Store.Flow> = {}) =>
    Effect.map(agreedSwap({ ...flow, ...over }), (agreed) => agreed({ swapId: "s", status: "refunded", ...swap }))

  it.effect("of a refund is kept up to the whole input", () =>
    Effect.gen(function* () {
      const partial = { ...input, amount: input.amount - 1n }
      assert.deepStrictEqual((yield* agree({ refund: partial })).refund, partial)
      assert.deepStrictEqual((yield* agree({ refund: input })).refund, input)
      assert.isUndefined((yield* agree({ refund: { ...input, amount: input.amount + 1n } })).refund)
      assert.isUndefined((yield* agree({ refund: { ...input, chainId: evmRequest.destinationChain } })).refund)
    })
  )

  it.effect("fills in the quote if the client does not have it, but only in the agreed token", () =>
    Effect.gen(function* () {
      const unknown = { output: 0n }
      assert.deepStrictEqual(
        (yield* agree({ quotedOutput: received(5n), feeBps: 3 }, unknown)).quotedOutput,
        received(5n)
      )
      assert.isUndefined((yield* agree({ quotedOutput: { ...received(5n), token: other } }, unknown)).quotedOutput)
      assert.strictEqual((yield* agree({ feeBps: 3 }, unknown)).feeBps, 3)
      assert.strictEqual((yield* agree({ feeBps: 3 }, { feeBps: 12.5 })).feeBps, 12.5)
    })
  )

  it.effect("keeps every other field", () =>
    Effect.gen(function* () {
      const finishedAt = new Date(5)
      const swap = yield* agree({ refundTxHash: "h", refundAmount: 3n, failureCode: "SLIPPAGE", finishedAt })
      assert.deepInclude(swap, { refundTxHash: "h", refundAmount: 3n, failureCode: "SLIPPAGE", finishedAt })
    })
  )
})
