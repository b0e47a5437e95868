/** A test per row of the recovery table. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, RetrySettings, type Signer, type SwapEvent, Transport } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, succeeding, makeFixture } from "./fixture.js"

const { evmRequest, solanaRequest } = ScriptedTransport

/** A service with a delegated wallet: a swap is quote, build, submit and status. */
const delegated = () => {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  return service
}

const priced = (output: number, minOutput: number) =>
  Fault.alter((quote) => ({ ...quote, output: String(output), minOutput: String(minOutput) }))

describe("a quote that was accepted before", () => {
  it.effect("is built without another quote request", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    return Effect.gen(function* () {
      const quote = yield* Client.quote(evmRequest)
      const swap = yield* succeeding(Client.execute(evmRequest, { quote }))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 1)
      assert.deepStrictEqual(
        service.seen("build-geo-op").map(({ body }) => body["geoQuoteToken"]),
        [quote.geoQuoteToken]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("is replaced once it has expired", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    return Effect.gen(function* () {
      const quote = yield* Client.quote(evmRequest)
      yield* TestClock.adjust(31_000)
      const swap = yield* succeeding(Client.execute(evmRequest, { quote }))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("limits the minimum of its replacement", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    return Effect.gen(function* () {
      const quote = yield* Client.quote(evmRequest)
      yield* TestClock.adjust(31_000)
      service.price(5_000)
      const error = yield* failing(Client.execute(evmRequest, { quote }))
      assert.strictEqual(error._tag, "QuoteMoved")
      assert.lengthOf(service.swaps, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("needs consent if its replacement has a lower minimum", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    const asked: Array<bigint | undefined> = []
    return Effect.gen(function* () {
      service.next("quote", priced(10_000, 9_500), priced(9_900, 9_405))
      const quote = yield* Client.quote(evmRequest)
      yield* TestClock.adjust(31_000)
      const acceptRequote = (_: SwapEvent.QuotePreview, { minOutput }: SwapEvent.QuotePreview) =>
        Effect.sync(() => asked.push(minOutput) === 0)
      const error = yield* failing(Client.execute({ ...evmRequest, slippageBps: 500 }, { quote, acceptRequote }))
      assert.strictEqual(error._tag, "QuoteMoved")
      assert.deepStrictEqual(asked, [9_405n])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is checked by the policy", () => {
    const { service, layer } = makeFixture({ service: delegated(), policy: { maxFeeBps: 20 } })
    return Effect.gen(function* () {
      const quote = yield* Client.quote(evmRequest)
      const error = yield* failing(Client.execute(evmRequest, { quote: { ...quote, feeBps: 21 } }))
      assert.strictEqual(error._tag, "PolicyViolation")
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("an expired quote", () => {
  it.effect("is replaced and built again", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("build-geo-op", Fault.expire)
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 2)
      assert.lengthOf(service.seen("build-geo-op"), 2)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["quoted", "requoted", "built", "verified", "signed", "submitted", "status", "done"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("is replaced at most three times", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("build-geo-op", Fault.expire)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "Expired")
      assert.strictEqual(error.retry, "requote")
      assert.lengthOf(service.seen("quote"), 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is replaced as often as the caller allows", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("build-geo-op", Fault.expire)
    return Effect.gen(function* () {
      yield* failing(Client.execute(evmRequest, { maxRequotes: 0 }))
      assert.lengthOf(service.seen("quote"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is checked by the policy again when it is replaced", () => {
    const { service, layer } = makeFixture({ service: delegated(), policy: { maxFeeBps: 20 } })
    service.next("build-geo-op", Fault.expire)
    service.next(
      "quote",
      Fault.pass,
      Fault.alter((quote) => ({ ...quote, feeBps: 21 }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "PolicyViolation") return assert.fail(error._tag)
      assert.strictEqual(error.rule, "maxFeeBps")
    }).pipe(Effect.provide(layer))
  })

  /** A wallet that signs a delegation slowly. */
  const slowSigner = (millis: number): Signer.Evm => {
    const signer = TestSigner.evm()
    return {
      ...signer,
      signAuthorization: (asked) =>
        Effect.andThen(Effect.sleep(millis), signer.signAuthorization?.(asked) ?? Effect.die("unreachable"))
    }
  }

  it.effect("with under two seconds left is replaced without a build", () => {
    const { service, layer } = makeFixture({ signers: { evm: slowSigner(28_500) } })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("quote"), 2)
      assert.lengthOf(service.seen("build-geo-op"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with more than two seconds left is built", () => {
    const { service, layer } = makeFixture({ signers: { evm: slowSigner(27_500) } })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("quote"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["2000-01-01T00:00:00.000Z", "2100-01-01T00:00:00.000Z"])(
    "is recognized by the local clock, not by the service's %s",
    (expiresAt) => {
      const { service, layer } = makeFixture({ signers: { evm: slowSigner(28_500) } })
      service.always(
        "quote",
        Fault.alter((quote) => ({ ...quote, expiresAt }))
      )
      return Effect.gen(function* () {
        yield* succeeding(Client.execute(evmRequest))
        assert.lengthOf(service.seen("quote"), 2)
      }).pipe(Effect.provide(layer))
    }
  )
})

describe("an agreement", () => {
  it.effect("is not signed with a quote that expired while the service built", () => {
    const service = delegated()
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({ service, signers: { evm: signer } })
    service.next("build-geo-op", Fault.rateLimited(10))
    // The first operation is built in time, but the response comes too late.
    const slow = Transport.make((request) =>
      Effect.tap(service.send(request), ({ status }) =>
        request.endpoint === "build-geo-op" && status === 200 && service.seen("quote").length === 1
          ? Effect.sleep(24_000)
          : Effect.void
      )
    )
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 2)
      assert.lengthOf(service.seen("build-geo-op"), 3)
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provideService(Transport.Transport, slow), Effect.provide(layer))
  })

  it.effect("is not signed with a quote that expired while a listener delayed the swap", () => {
    const service = delegated()
    const { layer } = makeFixture({ service })
    const held = { yet: false }
    return Effect.gen(function* () {
      const onProgress = ({ type }: SwapEvent.SwapEvent) =>
        Effect.suspend(() => {
          if (type !== "verified" || held.yet) return Effect.void
          held.yet = true
          return Effect.sleep("1 minute")
        })
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest, { onProgress }))).status, "settled")
      assert.lengthOf(service.seen("quote"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends after three minutes, even if the service asks to wait", () => {
    const service = delegated()
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({ service, signers: { evm: signer } })
    service.next("build-geo-op", ...Array.from({ length: 4 }, () => Fault.rateLimited(60)))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "Expired") return assert.fail(error._tag)
      assert.strictEqual(error.what, "quote")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends after three minutes for a second signature, too", () => {
    const service = delegated()
    const { signer, signed } = countingSigner()
    const { layer } = makeFixture({ service, signers: { evm: signer } })
    service.next("submit", Fault.refuse(410))
    service.next("quote", Fault.pass, ...Array.from({ length: 4 }, () => Fault.rateLimited(60)))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.match(error.message, /accepted more than 180 s ago/)
      assert.strictEqual(signed.operations, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("lasts as long as agreementTimeout", () => {
    const service = delegated()
    const { layer } = makeFixture({ service })
    service.next("build-geo-op", ...Array.from({ length: 4 }, () => Fault.rateLimited(60)))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(
      Effect.provideService(RetrySettings.RetrySettings, { ...RetrySettings.defaults, agreementTimeout: 300_000 }),
      Effect.provide(layer)
    )
  })
})

describe("a new quote", () => {
  it.effect("below the accepted minimum is refused", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(9_949, 9_900))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "QuoteMoved") return assert.fail(error._tag)
      assert.deepStrictEqual([error.accepted, error.offered], [9_950n, 9_949n])
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([10_000, 10_100])("at or above the accepted minimum continues without consent (%i)", (price) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("build-geo-op", Fault.expire)
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, {
          onProgress: ({ type }) =>
            Effect.sync(() => {
              if (type === "quoted") service.price(price)
            })
        })
      )
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a lower minimum than the accepted one is refused, even if its output is not lower", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(9_960, 9_910))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "QuoteMoved") return assert.fail(error._tag)
      assert.strictEqual(error.accepted, 9_950n)
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("may not have a minimum further below its output than before", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(9_990, 9_700))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute({ ...evmRequest, slippageBps: 500 }))
      assert.strictEqual(error._tag, "QuoteMoved")
      assert.strictEqual(signed.operations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is compared with the first minimum, even if the price falls slowly", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(10_050, 10_000), priced(9_990, 9_940))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "QuoteMoved") return assert.fail(error._tag)
      assert.deepStrictEqual([error.accepted, error.offered], [9_950n, 9_990n])
      assert.lengthOf(service.seen("quote"), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("below the minimum continues with the caller's consent, which sets a new minimum", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    const asked: Array<readonly [bigint, bigint]> = []
    service.next("build-geo-op", Fault.expire)
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, {
          onProgress: ({ type }) =>
            Effect.sync(() => {
              if (type === "quoted") service.price(9_000)
            }),
          acceptRequote: (previous, offered) =>
            Effect.sync(() => {
              asked.push([previous.output, offered.output])
              return true
            })
        })
      )
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(asked, [[10_000_000n, 9_000_000n]])
    }).pipe(Effect.provide(layer))
  })

  it.effect("after a consent is compared with the new minimum", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(9_000, 8_955), priced(9_005, 8_960), priced(8_950, 8_906))
    const asked: Array<bigint> = []
    return Effect.gen(function* () {
      const error = yield* failing(
        Client.execute(evmRequest, {
          acceptRequote: (_, offered) =>
            Effect.sync(() => {
              asked.push(offered.output)
              return asked.length === 1
            })
        })
      )
      if (error._tag !== "QuoteMoved") return assert.fail(error._tag)
      assert.deepStrictEqual(asked, [9_000n, 8_950n])
      assert.strictEqual(error.accepted, 8_955n)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is refused if the caller declines", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("build-geo-op", Fault.expire)
    service.next("quote", priced(10_000, 9_950), priced(9_000, 8_955))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { acceptRequote: () => Effect.succeed(false) }))
      assert.strictEqual(error._tag, "QuoteMoved")
    }).pipe(Effect.provide(layer))
  })
})

describe("delegation", () => {
  it.effect("is signed once", () => {
    const { service, layer } = makeFixture()
    service.always("build-geo-op", Fault.refuse(409, "NEEDS_DELEGATION"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "NeedsDelegation")
      assert.strictEqual(error.retry, "reauthorize")
      assert.lengthOf(service.seen("delegation"), 1)
      assert.lengthOf(service.seen("build-geo-op"), 2)
    }).pipe(Effect.provide(layer))
  })

  it.effect("that was set in the meantime needs no signature", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("build-geo-op", Fault.refuse(409, "NEEDS_DELEGATION"))
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(signed.authorizations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with an outdated nonce is signed again, twice", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ signers: { evm: signer } })
    service.next("build-geo-op", Fault.pass, Fault.moveNonce, Fault.moveNonce)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.strictEqual(signed.authorizations, 3)
      assert.deepStrictEqual(
        service.seen("build-geo-op").map(({ body }): unknown => Reflect.get(Object(body["authorization"]), "nonce")),
        [undefined, 0, 1, 2]
      )
      assert.lengthOf(service.seen("quote"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a nonce that keeps changing fails after two new signatures", () => {
    const { service, layer } = makeFixture()
    service.next("build-geo-op", Fault.pass)
    service.always("build-geo-op", Fault.moveNonce)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "InvalidAuthorization")
      assert.lengthOf(service.seen("delegation"), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("to another provider fails at once", () => {
    const { service, layer } = makeFixture()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress, "0x00000000000000000000000000000000000000aa")
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "Unsupported")
      assert.strictEqual(error.retry, "never")
      assert.deepStrictEqual(
        service.requests.map(({ endpoint }) => endpoint),
        ["quote", "build-geo-op"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("on Solana is an error of the service", () => {
    const { service, layer } = makeFixture()
    service.always("build-solana-tx", Fault.refuse(409, "NEEDS_DELEGATION"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      assert.strictEqual(error._tag, "NeedsDelegation")
      assert.lengthOf(service.seen("delegation"), 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("a refused submit", () => {
  it.effect("for a stale authorization signs a new authorization", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ signers: { evm: signer } })
    service.next("submit", Fault.moveNonce)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(signed, { operations: 2, payments: 0, authorizations: 2 })
      assert.lengthOf(service.seen("quote"), 1)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("for an expired operation requests a new quote, within the same limit", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("build-geo-op", Fault.expire, Fault.pass, Fault.expire)
    service.next("submit", Fault.expire)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("quote"), 4)
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that keeps expiring leaves the signatures in the journal, all with one nonce", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("submit", Fault.expire)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.code, "OPERATION_EXPIRED")
      assert.lengthOf(service.seen("submit"), 4)
      const [flow] = yield* Client.pending
      assert.strictEqual(flow?.id, error.flowId)
      assert.lengthOf(flow?.earlier ?? [], 3)
      assert.strictEqual(new Set([flow, ...(flow?.earlier ?? [])].map((each) => each?.operation?.nonce)).size, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("for a missing delegation signs an authorization once", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("submit", Fault.refuse(409, "NEEDS_DELEGATION"))
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("delegation"), 1)
      assert.strictEqual(signed.operations, 2)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("for a delegation that is missing again ends the swap", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("submit", Fault.refuse(409, "NEEDS_DELEGATION"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(service.seen("delegation"), 1)
      assert.lengthOf(service.seen("submit"), 2)
    }).pipe(Effect.provide(layer))
  })

  /** The price falls once the first operation is signed. */
  const falling = (service: ScriptedTransport.ScriptedTransport) => ({
    onProgress: ({ type }: SwapEvent.SwapEvent) =>
      Effect.sync(() => {
        if (type === "signed") service.price(9_900)
      })
  })

  it.effect("for a price that moved requests another quote, which needs consent below the accepted minimum", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("submit", Fault.refuse(422, "SLIPPAGE"))
    const asked: Array<bigint> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, {
          ...falling(service),
          acceptRequote: (_, { output }) => Effect.sync(() => asked.push(output) > 0)
        })
      )
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(asked, [9_900_000n])
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("for a price that moved is not signed again without consent", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("submit", Fault.refuse(422, "SLIPPAGE"))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, falling(service)))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(Reflect.get(Object(error.cause), "_tag"), "QuoteMoved")
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    { fault: Fault.refuse(422, "INVALID_SIGNATURE"), tag: "Rejected" },
    { fault: Fault.refuse(409, "QUOTE_ALREADY_USED"), tag: "Rejected" },
    { fault: Fault.refuse(401, "INVALID_TOKEN"), tag: "InvalidToken" },
    { fault: Fault.refuse(401, "UNAUTHORIZED"), tag: "Unauthorized" },
    { fault: Fault.refuse(404), tag: "Rejected" },
    { fault: Fault.refuse(422, "NO_ROUTE"), tag: "NoRoute" },
    { fault: Fault.refuse(422, "INSUFFICIENT_BALANCE"), tag: "InsufficientBalance" },
    { fault: Fault.refuse(422, "NEEDS_LARGER_SIZE"), tag: "AmountTooSmall" },
    { fault: Fault.refuse(422, "NEEDS_SMALLER_SIZE"), tag: "AmountTooLarge" }
  ])("for any other reason fails at once with $tag, and keeps the signature", ({ fault, tag }) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("submit", fault)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(error.retry, "resume")
      assert.strictEqual(Reflect.get(Object(error.cause), "_tag"), tag)
      assert.lengthOf(service.seen("submit"), 1)
      assert.deepStrictEqual(
        (yield* Client.pending).map(({ id }) => id),
        [error.flowId]
      )
      assert.strictEqual((yield* succeeding(Client.resume(error.flowId))).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("a submit without a clear answer", () => {
  const faults = {
    "a connection cut before": Fault.disconnect(),
    "a connection cut after it took effect": Fault.disconnect({ after: true }),
    "a 503 before": Fault.unavailable(),
    "a 502 after it took effect": Fault.unavailable({ status: 502, after: true }),
    "no answer": Fault.hang(),
    "no answer after it took effect": Fault.hang({ after: true }),
    "garbage after it took effect": Fault.garbage("<html>", { after: true }),
    "an answer without a swap id after it took effect": Fault.garbage("{}", { after: true })
  }
  for (const [name, fault] of Object.entries(faults)) {
    for (const [request, submit] of [
      [evmRequest, "submit"],
      [solanaRequest, "submit-solana"]
    ] as const) {
      it.effect(`because of ${name} is repeated with the same bytes (${submit}) and yields one swap`, () => {
        const { signer, signed } = countingSigner()
        const { service, layer } = makeFixture({
          service: delegated(),
          signers: { evm: signer, solana: TestSigner.solana() }
        })
        service.next(submit, fault, fault)
        return Effect.gen(function* () {
          const swap = yield* succeeding(Client.execute(request))
          assert.strictEqual(swap.status, "settled")
          const bodies = service.seen(submit).map(({ body }) => JSON.stringify(body))
          assert.lengthOf(bodies, 3)
          assert.strictEqual(new Set(bodies).size, 1)
          assert.lengthOf(service.swaps, 1)
          assert.lengthOf(service.seen("quote"), 1)
          assert.isAtMost(signed.operations, 1)
        }).pipe(Effect.provide(layer))
      })
    }
  }

  it.effect("in all attempts is OutcomeUnknown, is kept in the journal, and is resumed as one swap", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("submit", ...Array.from({ length: 8 }, () => Fault.disconnect({ after: true })))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.lengthOf(service.seen("submit"), 8)
      assert.lengthOf(service.seen("quote"), 1)
      const flows = yield* Client.pending
      assert.deepStrictEqual(
        flows.map(({ id }) => id),
        [error.flowId]
      )
      const swap = yield* succeeding(Client.resume(error.flowId))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    Fault.refuse(401, "UNAUTHORIZED"),
    Fault.refuse(401, "INVALID_TOKEN"),
    Fault.refuse(403),
    Fault.refuse(404)
  ])("followed by a refusal that proves nothing stays unknown", (refusal) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("submit", Fault.disconnect({ after: true }), refusal)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.lengthOf(service.seen("submit"), 2)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    Fault.expire,
    Fault.refuse(409, "INVALID_AUTHORIZATION"),
    Fault.refuse(409, "REQUEST_IN_PROGRESS"),
    Fault.refuse(422, "INSUFFICIENT_BALANCE")
  ])("is never followed by another signature, regardless of the next refusal", (refusal) => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("submit", Fault.disconnect({ after: true }), refusal.type === "expire" ? Fault.refuse(410) : refusal)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
      const swap = yield* succeeding(Client.resume(error.flowId))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    "OPERATION_EXPIRED",
    "QUOTE_EXPIRED",
    "INVALID_AUTHORIZATION",
    "UNSUPPORTED_DELEGATION",
    "INVALID_TOKEN"
  ])("is a 5xx, 408 or 429 even with the code %s on it", (code) => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ service: delegated(), signers: { evm: signer } })
    service.next("submit", ...[502, 504, 408, 429].map((status) => Fault.refuse(status, code)))
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.seen("submit"), 5)
      assert.strictEqual(signed.operations, 1)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("an accepted swap whose status cannot be read", () => {
  it.effect.each([Fault.refuse(401), Fault.refuse(404, "SWAP_NOT_FOUND"), Fault.garbage()])(
    "fails with the swap and the flow to resume",
    (fault) => {
      const { service, layer } = makeFixture({ service: delegated() })
      service.always("status", fault)
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(evmRequest))
        if (error._tag !== "OutcomeUnknown") return assert.fail(error._tag)
        assert.strictEqual(error.swapId, service.swaps[0]?.swapId)
        service.always("status", Fault.pass)
        assert.strictEqual((yield* succeeding(Client.resume(error.flowId))).status, "settled")
        assert.deepStrictEqual(yield* Client.pending, [])
        assert.lengthOf(service.swaps, 1)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("with an invalid swap id is not a clear answer to submit", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next(
      "submit",
      ...["..", "\ud800", "a b", ""].map((swapId) =>
        Fault.garbage(JSON.stringify({ swapId, status: "pending" }), { after: true })
      )
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.lengthOf(service.seen("submit"), 5)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("a 429 response", () => {
  it.effect.each(["quote", "build-geo-op", "submit"] as const)("at %s waits for Retry-After", (endpoint) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next(endpoint, Fault.rateLimited(7))
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      const [first, second] = service.seen(endpoint)
      assert.strictEqual((second?.at ?? 0) - (first?.at ?? 0), 7_000)
      assert.lengthOf(service.seen("quote"), endpoint === "quote" ? 2 : 1)
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("without Retry-After backs off exponentially with jitter", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("quote", ...Array.from({ length: 5 }, () => Fault.rateLimited()))
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      const times = service.seen("quote").map(({ at }) => at)
      const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0))
      assert.lengthOf(pauses, 5)
      pauses.forEach((pause, index) => {
        const most = Math.min(8_000, 500 * 2 ** index)
        assert.isAtLeast(pause, most / 2)
        assert.isAtMost(pause, most + 250)
      })
    }).pipe(Effect.provide(layer))
  })

  it.effect("or a 503 response with a Retry-After of zero still backs off", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("submit", Fault.rateLimited(0), Fault.rateLimited(0))
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      const [first, second] = service.seen("submit")
      assert.isAtLeast((second?.at ?? 0) - (first?.at ?? 0), 250)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is an error after too many retries", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always("quote", Fault.rateLimited(1))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "RateLimited") return assert.fail(error._tag)
      assert.strictEqual(error.retryAfter, 1_000)
      assert.lengthOf(service.seen("quote"), 6)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a too long Retry-After is an error at once", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("quote", Fault.rateLimited(3_600))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "RateLimited")
      assert.lengthOf(service.seen("quote"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("at build for longer than the lifetime of the quote causes a requote", () => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next("build-geo-op", Fault.rateLimited(40))
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("quote"), 2)
    }).pipe(Effect.provide(layer))
  })
})

describe("an unavailable service", () => {
  it.effect.each(["quote", "build-geo-op"] as const)("is called three times at %s", (endpoint) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.next(endpoint, Fault.unavailable(), Fault.disconnect())
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen(endpoint), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is an error after that", () => {
    const { service, layer } = makeFixture()
    service.always("delegation", Fault.unavailable({ status: 504 }))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "Unavailable") return assert.fail(error._tag)
      assert.deepStrictEqual([error.status, error.reason], [504, "timeout"])
      assert.lengthOf(service.seen("delegation"), 3)
    }).pipe(Effect.provide(layer))
  })
})

describe("a permanent refusal", () => {
  it.effect.each([
    { endpoint: "quote", fault: Fault.refuse(401), tag: "Unauthorized" },
    { endpoint: "quote", fault: Fault.refuse(403), tag: "Unauthorized" },
    { endpoint: "quote", fault: Fault.refuse(422, "NO_ROUTE"), tag: "NoRoute" },
    { endpoint: "build-geo-op", fault: Fault.refuse(422, "INSUFFICIENT_BALANCE"), tag: "InsufficientBalance" },
    { endpoint: "quote", fault: Fault.garbage(), tag: "ProtocolError" },
    { endpoint: "build-geo-op", fault: Fault.refuse(401), tag: "InvalidToken" },
    { endpoint: "build-geo-op", fault: Fault.refuse(401, "INVALID_TOKEN"), tag: "InvalidToken" },
    { endpoint: "build-geo-op", fault: Fault.refuse(401, "UNAUTHORIZED"), tag: "Unauthorized" },
    { endpoint: "build-geo-op", fault: Fault.refuse(403), tag: "Unauthorized" },
    { endpoint: "build-geo-op", fault: Fault.garbage("null"), tag: "ProtocolError" }
  ] as const)("fails at once: $tag at $endpoint", ({ endpoint, fault, tag }) => {
    const { service, layer } = makeFixture({ service: delegated() })
    service.always(endpoint, fault)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, tag)
      assert.lengthOf(service.seen(endpoint), 1)
    }).pipe(Effect.provide(layer))
  })
})
