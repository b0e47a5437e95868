import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"
import { Client, type Hex, Network, Quote, type SwapError, Transport } from "../src/index.js"
import { ContractViolation, Fault, ScriptedTransport, TestSigner, transportContract } from "../src/testing.js"
import { failing, succeeding, makeFixture } from "./fixture.js"
import { signHash } from "../src/testing/fakeSignatures.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const chainId = evmRequest.originChain
const wallet = evmRequest.walletAddress
const foreign = `0x${"77".repeat(20)}`

/** A harness of the contract for a service with the faults of `script`. */
const harnessOf = (script: (service: ScriptedTransport.ScriptedTransport) => void = () => {}) =>
  Effect.sync(() => {
    const service = ScriptedTransport.make()
    script(service)
    service.delegate(chainId, foreign, `0x${"66".repeat(20)}`)
    return {
      transport: service.transport,
      otherAccount: service.as("second"),
      wrongKey: service.as(undefined),
      evm: TestSigner.evm(),
      solana: TestSigner.solana(),
      evmRequest,
      solanaRequest,
      delegatedElsewhere: { ...evmRequest, walletAddress: foreign },
      moveNonce: Effect.sync(() => service.moveNonce(chainId, wallet)),
      elapse: (millis: number) => TestClock.adjust(millis)
    }
  })

describe("the scripted service without faults passes the contract", () => {
  const cases = transportContract(harnessOf())

  it("has a case for each rule", () => {
    expect(cases.length).toBeGreaterThanOrEqual(24)
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  for (const { name, run } of cases) it.effect(name, () => run)
})

describe("the contract", () => {
  /** The cases that fail for a service with a fault at every call of an endpoint. */
  const failed = (endpoint: Transport.Endpoint, fault: Fault.Fault) =>
    Effect.gen(function* () {
      const cases = transportContract(harnessOf(({ always }) => always(endpoint, fault)))
      const results = yield* Effect.forEach(cases, ({ name, run }) =>
        Effect.match(run, { onSuccess: () => [], onFailure: (error) => [{ name, error }] })
      )
      return results.flat()
    })

  it.effect.each([
    ["quotes that are cached", "quote", Fault.alter((quote) => ({ ...quote, geoQuoteToken: "same" }))],
    ["a quote without an output", "quote", Fault.alter((quote) => ({ ...quote, output: "0" }))],
    ["an expiry too far ahead", "quote", Fault.alter((quote) => ({ ...quote, expiresAt: "2099-01-01T00:00:00Z" }))],
    ["a price that does not depend on the amount", "quote", Fault.alter((quote) => ({ ...quote, output: "1" }))],
    ["a refused submit", "submit", Fault.refuse(422, "NO_ROUTE")],
    ["a new swap for each submit", "submit", Fault.alter((swap) => ({ ...swap, swapId: `${Math.random()}` }))],
    ["an API key that does not matter", "status", Fault.garbage('{"swapId":"x","status":"settled"}')],
    ["garbage", "build-solana-tx", Fault.garbage()],
    ["a wallet that is always delegated", "delegation", Fault.garbage('{"delegated":true}')],
    ["no chains", "chains", Fault.garbage("[]")]
  ] as const)("fails for a service with %s", ([, endpoint, fault]) =>
    Effect.gen(function* () {
      const found = yield* failed(endpoint, fault)
      expect(found.length).toBeGreaterThan(0)
      for (const { error } of found) {
        expect(error).toBeInstanceOf(ContractViolation)
        expect(error.message).not.toBe("")
      }
    })
  )

  it.effect("lets a service reject indicative quotes with 400, but not with another status", () =>
    Effect.gen(function* () {
      const indicative = (status: number) =>
        Effect.map(failed("quote", Fault.refuse(status, "VALIDATION")), (found) =>
          found.some(({ name }) => name.startsWith("an indicative quote"))
        )
      expect([yield* indicative(400), yield* indicative(422)]).toStrictEqual([false, true])
    })
  )

  it.effect("passes for a correct service", () =>
    Effect.gen(function* () {
      expect(yield* failed("quote", Fault.pass)).toStrictEqual([])
    })
  )
})

/** A service with a signed operation ready to submit. */
const signed = Effect.gen(function* () {
  const service = ScriptedTransport.make()
  service.delegate(chainId, wallet)
  const { transport } = service
  const quote = Quote.withCosts(evmRequest, yield* transport.quote(evmRequest))
  const built = yield* transport.buildGeoOp({ geoQuoteToken: quote.geoQuoteToken })
  const signature = yield* TestSigner.evm().signOperation({ request: evmRequest, quote, ...built })
  return { service, transport, quote, built, submission: { geoOpToken: built.geoOpToken, signature } }
})

describe("a fault", () => {
  it.effect("of next affects one call each, in order, and no other endpoint", () =>
    Effect.gen(function* () {
      const { transport, next } = ScriptedTransport.make()
      next("quote", Fault.refuse(422, "NO_ROUTE"), Fault.pass)
      next("quote", Fault.rateLimited())
      expect((yield* transport.chains).length).toBeGreaterThan(0)
      expect((yield* Effect.flip(transport.quote(evmRequest))).code).toBe("NO_ROUTE")
      yield* transport.quote(evmRequest)
      expect((yield* Effect.flip(transport.quote(evmRequest)))._tag).toBe("RateLimited")
      yield* transport.quote(evmRequest)
    })
  )

  it.effect("of always affects every call without a fault of next", () =>
    Effect.gen(function* () {
      const { transport, next, always } = ScriptedTransport.make()
      always("quote", Fault.unavailable())
      next("quote", Fault.pass)
      yield* transport.quote(evmRequest)
      for (let call = 0; call < 3; call++) {
        expect((yield* Effect.flip(transport.quote(evmRequest)))._tag).toBe("Unavailable")
      }
      always("quote", Fault.pass)
      yield* transport.quote(evmRequest)
    })
  )

  it.effect("refuse responds with its status, code and message, and has no effect", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.next("submit", Fault.refuse(422, "SLIPPAGE", "Moved."), Fault.refuse(418))
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({
        _tag: "Rejected",
        status: 422,
        code: "SLIPPAGE",
        message: expect.stringContaining("Moved.") as unknown
      })
      const bare = yield* Effect.flip(transport.submit(submission))
      expect(bare).toMatchObject({ _tag: "Rejected", status: 418 })
      expect(bare.code).toBeUndefined()
      expect(service.swaps).toStrictEqual([])
    })
  )

  it.effect("rateLimited responds with 429, with or without Retry-After", () =>
    Effect.gen(function* () {
      const { transport, next } = ScriptedTransport.make()
      next("quote", Fault.rateLimited(7), Fault.rateLimited())
      const timed = yield* Effect.flip(transport.quote(evmRequest))
      expect(timed).toMatchObject({ _tag: "RateLimited", code: "RATE_LIMITED", retryAfter: 7_000 })
      const untimed = yield* Effect.flip(transport.quote(evmRequest))
      expect(untimed._tag).toBe("RateLimited")
      expect("retryAfter" in untimed).toBe(false)
    })
  )

  it.effect("unavailable fails before or after the request takes effect", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.next("submit", Fault.unavailable(), Fault.unavailable({ status: 500, after: true }))
      const error = yield* Effect.flip(transport.submit(submission))
      expect(error).toMatchObject({ _tag: "Unavailable", status: 503, code: "UNAVAILABLE" })
      expect(service.swaps).toHaveLength(0)
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "Unavailable", status: 500 })
      expect(service.swaps).toHaveLength(1)
      const again = yield* transport.submit(submission)
      expect(service.swaps.map(({ swapId }) => swapId)).toStrictEqual([again.swapId])
    })
  )

  it.effect("disconnect breaks the connection before or after the request takes effect", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.next("submit", Fault.disconnect(), Fault.disconnect({ after: true }))
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "Unavailable", reason: "network" })
      expect(service.swaps).toHaveLength(0)
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "Unavailable", reason: "network" })
      expect(service.swaps).toHaveLength(1)
    })
  )

  it.effect("hang never responds, before or after the request takes effect", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.next("submit", Fault.hang(), Fault.hang({ after: true }))
      for (const swaps of [0, 1]) {
        const fiber = yield* Effect.forkChild(transport.submit(submission))
        for (let second = 0; second < 60; second++) yield* TestClock.adjust("1 second")
        expect(fiber.pollUnsafe()).toBeUndefined()
        expect(service.swaps).toHaveLength(swaps)
        yield* Fiber.interrupt(fiber)
      }
    })
  )

  it.effect("delay waits, then handles the request", () =>
    Effect.gen(function* () {
      const { transport, next } = ScriptedTransport.make()
      next("quote", Fault.delay(5_000))
      const fiber = yield* Effect.forkChild(transport.quote(evmRequest))
      yield* TestClock.adjust(4_999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(fiber)).output).toBe(10_000_000n)
    })
  )

  it.effect("garbage responds with something that is not the protocol, before or after the request takes effect", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.next(
        "submit",
        Fault.garbage(),
        Fault.garbage("{}", { after: true }),
        Fault.garbage("no", { status: 502 })
      )
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "ProtocolError", field: "" })
      expect(service.swaps).toHaveLength(0)
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "ProtocolError", field: "swapId" })
      expect(service.swaps).toHaveLength(1)
      expect(yield* Effect.flip(transport.submit(submission))).toMatchObject({ _tag: "Unavailable", status: 502 })
    })
  )

  it.effect("alter changes a successful response, but not a refusal", () =>
    Effect.gen(function* () {
      const { transport, always } = ScriptedTransport.make()
      always(
        "quote",
        Fault.alter((answer) => ({ ...answer, output: "1", route: "r", code: "ALTERED" }))
      )
      expect(yield* transport.quote(evmRequest)).toMatchObject({ output: 1n, route: "r" })
      const refused = yield* Effect.flip(transport.quote({ ...evmRequest, amount: 0n }))
      expect(refused).toMatchObject({ _tag: "Rejected", code: "VALIDATION" })
    })
  )

  it.effect("swapOperation changes the operation, with or without its hash", () =>
    Effect.gen(function* () {
      const { service, transport, quote, built } = yield* signed
      const vault = `0x${"66".repeat(20)}`
      const hash = `0x${"55".repeat(32)}`
      service.next("build-geo-op", Fault.swapOperation({ vault }), Fault.swapOperation({ vault }, hash))
      const left = yield* transport.buildGeoOp({ geoQuoteToken: quote.geoQuoteToken })
      expect(left.geoOp).toMatchObject({ vault, wallet: built.geoOp?.wallet })
      expect(left.geoOpHash).not.toBe(hash)
      const replaced = yield* transport.buildGeoOp({ geoQuoteToken: quote.geoQuoteToken })
      expect(replaced).toMatchObject({ geoOpHash: hash, geoOp: { vault } })
    })
  )

  it.effect("expire permanently expires the quote of a build and the operation of a submit", () =>
    Effect.gen(function* () {
      const { service, transport, quote, submission } = yield* signed
      const build = transport.buildGeoOp({ geoQuoteToken: quote.geoQuoteToken })
      yield* build
      service.next("build-geo-op", Fault.expire)
      for (let call = 0; call < 2; call++) {
        expect(yield* Effect.flip(build)).toMatchObject({ _tag: "Expired", code: "QUOTE_EXPIRED", what: "quote" })
      }
      service.next("submit", Fault.expire)
      for (let call = 0; call < 2; call++) {
        const error = yield* Effect.flip(transport.submit(submission))
        expect(error).toMatchObject({ _tag: "Expired", code: "OPERATION_EXPIRED", what: "operation" })
      }
      expect(service.swaps).toHaveLength(0)
    })
  )

  it.effect("moveNonce makes the authorization of a request stale", () =>
    Effect.gen(function* () {
      const service = ScriptedTransport.make()
      const { transport } = service
      const nonce = Effect.map(transport.delegation({ chainId, walletAddress: wallet }), (state) => state.accountNonce)
      const before = yield* nonce
      expect(before).toBe(0)
      const { geoQuoteToken } = yield* transport.quote(evmRequest)
      const address = Network.find(service.network, chainId)?.deployment?.delegates?.[0] as `0x${string}`
      const authorization = yield* (
        TestSigner.evm().signAuthorization?.({ chainId, address, nonce: 0 }) ?? Effect.die("incapable")
      )
      yield* transport.buildGeoOp({ geoQuoteToken, authorization })
      service.next("build-geo-op", Fault.moveNonce)
      const error: SwapError.BuildError = yield* Effect.flip(transport.buildGeoOp({ geoQuoteToken, authorization }))
      expect(error).toMatchObject({ _tag: "InvalidAuthorization", code: "INVALID_AUTHORIZATION" })
      expect(yield* nonce).toBe(1)
    })
  )
})

describe("the scripted service", () => {
  it.effect("records the requests and their times", () =>
    Effect.gen(function* () {
      const service = ScriptedTransport.make()
      yield* service.transport.quote(evmRequest)
      yield* TestClock.adjust(1_500)
      yield* service.transport.chains
      expect(service.requests.map(({ endpoint, at }) => [endpoint, at])).toStrictEqual([
        ["quote", 0],
        ["chains", 1_500]
      ])
      expect(service.seen("quote")).toMatchObject([{ body: { ...evmRequest, amount: "10000000" } }])
      expect(service.seen("submit")).toStrictEqual([])
    })
  )

  it.effect("shares no state with another", () =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* ScriptedTransport.make().transport.quote(evmRequest)
      const error = yield* Effect.flip(ScriptedTransport.make().transport.buildGeoOp({ geoQuoteToken }))
      expect(error._tag).toBe("InvalidToken")
    })
  )

  it.effect.each([
    ["settled", ["originTxHash", "deliveryTxHash", "output", "collectedAt"]],
    ["failed", ["failureCode"]],
    ["refunded", ["originTxHash", "refundTxHash", "failureCode", "refund", "collectedAt"]]
  ] as const)("ends swaps as %s after the configured time", ([outcome, fields]) =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.ends(outcome, 4_000)
      const { swapId, status } = yield* transport.submit(submission)
      expect(status).toBe("pending")
      const fiber = yield* Effect.forkChild(transport.status(swapId))
      yield* TestClock.adjust(3_999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      const swap = yield* Fiber.join(fiber)
      expect(swap.status).toBe(outcome)
      const terms = ["input", "quotedOutput", "feeBps", "networkCost", "recipient", "acceptedAt", "finishedAt"]
      expect(Object.keys(swap).toSorted()).toStrictEqual(["status", "swapId", ...terms, ...fields].toSorted())
    })
  )

  it.effect("holds a status request for 15 seconds if a swap never ends", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.ends("never")
      const { swapId } = yield* transport.submit(submission)
      const fiber = yield* Effect.forkChild(transport.status(swapId))
      yield* TestClock.adjust(14_999)
      expect(fiber.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(fiber)).status).toBe("pending")
    })
  )

  it.live("reports the end of a swap to a held request, even if the clock is behind the timers", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.ends("settled", 5)
      vi.useFakeTimers({ toFake: ["Date"] })
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
      const { swapId } = yield* transport.submit(submission)
      expect((yield* transport.status(swapId)).status).toBe("settled")
    })
  )

  it.effect("wakes held requests when a swap is finished", () =>
    Effect.gen(function* () {
      const { service, transport, submission } = yield* signed
      service.ends("never")
      const { swapId } = yield* transport.submit(submission)
      const fiber = yield* Effect.forkChild(transport.status(swapId))
      yield* TestClock.adjust(1)
      yield* service.finish(swapId, "refunded")
      expect((yield* Fiber.join(fiber)).status).toBe("refunded")
      yield* service.finish(swapId, "settled")
      expect((yield* transport.status(swapId)).status).toBe("refunded")
      yield* service.finish("no such swap", "settled")
    })
  )

  it.effect("uses the configured price", () =>
    Effect.gen(function* () {
      const { transport, price } = ScriptedTransport.make()
      price(9_000)
      const asked = yield* transport.quote({ ...evmRequest, slippageBps: 100 })
      expect([asked.output, asked.minOutput]).toStrictEqual([9_000_000n, 8_910_000n])
      price(1)
      const small = yield* Effect.flip(transport.quote({ ...evmRequest, amount: 9_999n }))
      expect(small).toMatchObject({ _tag: "AmountTooSmall", minimum: 10_000n })
    })
  )

  it.effect("serves the configured chains and families, with both forms of the delegation path", () =>
    Effect.gen(function* () {
      const { transport } = ScriptedTransport.make({
        network: { chains: [{ id: 900, name: "solana", family: "solana", deployment: { vault: "v" } }] },
        delegationPath: "path"
      })
      expect((yield* transport.chains).map(({ id, family: kind }) => [id, kind])).toStrictEqual([[900, "solana"]])
      const state = yield* transport.delegation({ chainId: 900, walletAddress: solanaRequest.walletAddress })
      expect(state).toMatchObject({ delegated: true, chainId: 900 })
    })
  )

  it.effect("refuses a signed transaction that is not one", () =>
    Effect.gen(function* () {
      const { transport } = ScriptedTransport.make()
      const { geoQuoteToken } = yield* transport.quote(solanaRequest)
      const { geoOpToken } = yield* transport.buildSolanaTx({ geoQuoteToken })
      const error = yield* Effect.flip(transport.submitSolana({ geoOpToken, signedTransaction: "not base64!" }))
      expect(error).toMatchObject({ _tag: "Rejected", code: "TRANSACTION_MODIFIED" })
    })
  )

  it.effect("can be provided as a layer with its transport", () =>
    Effect.gen(function* () {
      const service = yield* ScriptedTransport.ScriptedTransport
      const transport = yield* Transport.Transport
      service.next("quote", Fault.refuse(422, "NO_ROUTE"))
      expect((yield* Effect.flip(transport.quote(evmRequest))).code).toBe("NO_ROUTE")
      expect(service.requests).toHaveLength(1)
    }).pipe(Effect.provide(ScriptedTransport.layer()))
  )

  it.effect("runs a whole swap with the test signers of both families", () =>
    Effect.gen(function* () {
      const { service, layer } = makeFixture()
      const swaps = [
        yield* succeeding(Effect.provide(Client.execute(evmRequest), layer)),
        yield* succeeding(Effect.provide(Client.execute(solanaRequest), layer))
      ]
      expect(swaps.map(({ status }) => status)).toStrictEqual(["settled", "settled"])
      expect(service.swaps).toHaveLength(2)
      expect(yield* Clock.currentTimeMillis).toBeLessThan(20_000)
    })
  )

  it.effect("can fail at any step up to the submit", () =>
    Effect.gen(function* () {
      for (const endpoint of ["quote", "delegation", "build-geo-op", "submit"] as const) {
        const { service, layer } = makeFixture()
        service.always(endpoint, Fault.refuse(404, "SCRIPTED"))
        const error = yield* failing(Effect.provide(Client.execute(evmRequest), layer))
        expect(error).toMatchObject({ _tag: endpoint === "submit" ? "OutcomeUnknown" : "Rejected", code: "SCRIPTED" })
      }
    })
  )
})

describe("building again after a refusal", () => {
  const quoted = (service: ScriptedTransport.ScriptedTransport, request = evmRequest) =>
    Effect.gen(function* () {
      const { geoQuoteToken } = yield* service.transport.quote(request)
      return geoQuoteToken
    })

  it.effect("reuses the nonce of the operation whose token it gets", () => {
    const service = ScriptedTransport.make()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    const { buildGeoOp } = service.transport
    return Effect.gen(function* () {
      const first = yield* buildGeoOp({ geoQuoteToken: yield* quoted(service) })
      const geoQuoteToken = yield* quoted(service)
      const again = yield* buildGeoOp({ geoQuoteToken, previousGeoOpToken: first.geoOpToken })
      expect(again.geoOp?.nonce).toBe(first.geoOp?.nonce)
      expect(again.geoOpHash).not.toBe(first.geoOpHash)
      const other = yield* buildGeoOp({ geoQuoteToken })
      expect(other.geoOp?.nonce).not.toBe(first.geoOp?.nonce)
    })
  })

  it.effect("refuses an invalid token, and a token of another account or chain", () => {
    const service = ScriptedTransport.make()
    for (const chainId of [8453, 42161]) service.delegate(chainId, evmRequest.walletAddress)
    return Effect.gen(function* () {
      const { geoOpToken } = yield* service.transport.buildGeoOp({ geoQuoteToken: yield* quoted(service) })
      const build = (transport: Transport.Transport, geoQuoteToken: string, previousGeoOpToken: string) =>
        Effect.flip(transport.buildGeoOp({ geoQuoteToken, previousGeoOpToken }))
      expect(yield* build(service.transport, yield* quoted(service), "go1.test.none")).toMatchObject({
        _tag: "InvalidToken"
      })
      const second = service.as("second")
      const { geoQuoteToken } = yield* second.quote(evmRequest)
      expect(yield* build(second, geoQuoteToken, geoOpToken)).toMatchObject({ _tag: "InvalidToken" })
      const elsewhere = { ...evmRequest, originChain: 42161, destinationChain: 8453 }
      expect(yield* build(service.transport, yield* quoted(service, elsewhere), geoOpToken)).toMatchObject({
        _tag: "Rejected",
        status: 400
      })
    })
  })

  it.effect("reserves the nonce for an accepted swap until that swap fails", () => {
    const service = ScriptedTransport.make()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    service.ends("never")
    const { buildGeoOp, submit } = service.transport
    const sign = ({ geoOpToken, geoOpHash }: { readonly geoOpToken: string; readonly geoOpHash: Hex.Hex }) => ({
      geoOpToken,
      signature: signHash(evmRequest.walletAddress, geoOpHash)
    })
    return Effect.gen(function* () {
      const first = yield* buildGeoOp({ geoQuoteToken: yield* quoted(service) })
      const again = { geoQuoteToken: yield* quoted(service), previousGeoOpToken: first.geoOpToken }
      const second = yield* buildGeoOp(again)
      const { swapId } = yield* submit(sign(first))
      expect(yield* Effect.flip(submit(sign(second)))).toMatchObject({ _tag: "Rejected", code: "NONCE_USED" })
      expect(yield* Effect.flip(buildGeoOp(again))).toMatchObject({ _tag: "Rejected", code: "NONCE_USED" })
      expect((yield* submit(sign(first))).swapId).toBe(swapId)
      yield* service.finish(swapId, "failed")
      expect((yield* submit(sign(second))).swapId).not.toBe(swapId)
    })
  })
})
