/** Payments without a delegation: which method is chosen, what is signed, and that nothing is paid twice. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  type ChainReader,
  Client,
  Payment,
  type Quote,
  type Signer,
  Store,
  SwapError,
  type SwapEvent,
  Network
} from "../src/index.js"
import { ChainLibrary, Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, failing, makeFixture, passDeadline, patient, succeeding } from "./fixture.js"
import { storageStore } from "../src/store/records.js"
import { decoded } from "./roundTrip.js"

const { evmRequest } = ScriptedTransport
const { originChain: chainId, walletAddress: wallet } = evmRequest
const methods = Payment.methods
const stranger = "0x00000000000000000000000000000000000000aa"
const foreign = `0x${"fe".repeat(20)}`

/** A browser wallet: it signs typed data, but no EIP-7702 authorization. */
const browser = (capabilities: Signer.EvmCapabilities = { authorization: false, typedData: true }): Signer.Evm => {
  const { signAuthorization: _, signRevocation: __, ...signer } = TestSigner.evm({ capabilities })
  return signer
}

/** A service that offers these methods, and a browser wallet that counts its signatures. */
const offering = (
  offered: ReadonlyArray<Payment.Method>,
  options: Parameters<typeof makeFixture>[0] = {},
  inner: Signer.Evm = browser()
) => {
  const service = options.service ?? ScriptedTransport.make()
  service.paymentMethods(...offered)
  const { signer, signed } = countingSigner(inner)
  const world = makeFixture({ signers: { evm: signer }, ...options, service })
  const builds = () => service.seen("build-geo-op").map(({ body }) => body["paymentMethod"])
  return { ...world, signed, builds }
}

const watch = (events: Array<SwapEvent.SwapEvent>) => ({
  onProgress: (event: SwapEvent.SwapEvent) => Effect.sync(() => void events.push(event))
})

describe("the way to pay", () => {
  it.effect("is a delegation by default, and the build call is the same as without payments", () => {
    const { service, layer, signed, builds } = offering(["eip3009", "delegation"], {}, TestSigner.evm())
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(builds(), [undefined, undefined])
      assert.deepStrictEqual(signed, { operations: 1, payments: 0, authorizations: 1 })
      assert.notProperty(service.seen("submit")[0]?.body, "permitSignature")
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(methods)("is %s for a browser wallet that is not delegated, with the same quote", (method) => {
    const { service, layer, signed, builds } = offering(["delegation", method])
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest, watch(events)))).status, "settled")
      assert.deepStrictEqual(builds(), [undefined, method])
      assert.lengthOf(service.seen("quote"), 1)
      assert.strictEqual(new Set(service.seen("build-geo-op").map(({ body }) => body["geoQuoteToken"])).size, 1)
      assert.deepStrictEqual(signed, { operations: 0, payments: 1, authorizations: 0 })
      assert.strictEqual("permitSignature" in (service.seen("submit")[0]?.body ?? {}), method === "erc2612")
      assert.deepStrictEqual(
        events.flatMap((event) => (event.type === "built" ? [event.paymentMethod] : [])),
        [method]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("is the next one for a wallet that is delegated to another provider", () => {
    const { service, layer, builds } = offering(["delegation", "permit2"], {}, TestSigner.evm())
    service.delegate(chainId, wallet, foreign)
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(builds(), [undefined, "permit2"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is built directly if the quote does not list a delegation, and is not erc2612 if there is another", () => {
    const { layer, builds } = offering(["erc2612", "permit2"], {}, TestSigner.evm())
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(builds(), ["permit2"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("follows the order in the policy, and leaves out what the policy does not list", () => {
    const policy = { paymentMethods: ["permit2", "eip3009"] } as const
    const { layer, builds } = offering(
      ["delegation", "eip3009", "permit2"],
      { policy: { network: ScriptedTransport.make().network, ...policy } },
      TestSigner.evm()
    )
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(builds(), ["permit2"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is the next one if the service can no longer build for the first", () => {
    const { service, layer, builds } = offering(["eip3009", "permit2"])
    service.next("build-geo-op", Fault.refuse(422, "PAYMENT_METHOD_UNAVAILABLE"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(builds(), ["eip3009", "permit2"])
      assert.lengthOf(service.seen("quote"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is never EIP-3009 if another address receives the output, even if the service lists it", () => {
    const { service, layer, builds } = offering(["permit2"])
    service.always(
      "quote",
      Fault.alter((answer) => ({ ...answer, paymentMethods: ["eip3009", "permit2"] }))
    )
    return Effect.gen(function* () {
      yield* succeeding(Client.execute({ ...evmRequest, recipient: stranger }))
      assert.deepStrictEqual(builds(), ["permit2"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("ignores methods that it does not know", () => {
    const { service, layer, builds } = offering(["permit2"])
    service.always(
      "quote",
      Fault.alter((answer) => ({ ...answer, paymentMethods: ["future", "permit2"] }))
    )
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.deepStrictEqual(builds(), ["permit2"])
    }).pipe(Effect.provide(layer))
  })
})

describe("a wallet that cannot pay", () => {
  it.effect("is reported with the service's reason, before the caller is asked to accept the quote", () => {
    const { service, layer, signed } = offering([])
    let asked = 0
    return Effect.gen(function* () {
      const acceptQuote = () => Effect.sync(() => ++asked > 0)
      const error = yield* failing(Client.execute(evmRequest, { acceptQuote }))
      if (error._tag !== "Unsupported") return assert.fail(error._tag)
      assert.match(error.message, /The service says: The wallet is delegated to another provider, and/)
      assert.strictEqual(error.code, "UNSUPPORTED_DELEGATION")
      assert.strictEqual(asked, 0)
      assert.lengthOf(service.seen("build-geo-op"), 0)
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("because its signer cannot sign typed data is reported before the quote is used", () => {
    const { service, layer } = offering(["permit2"], {}, browser({ authorization: false }))
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag === "SignerError" && error.reason, "incapable")
      assert.lengthOf(service.seen("quote"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a service that knows only delegations is reported before the caller is asked", () => {
    const service = ScriptedTransport.make()
    const { layer } = makeFixture({ service, signers: { evm: browser() } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest, { acceptQuote: () => Effect.die("asked") }))
      assert.strictEqual(error._tag === "SignerError" && error.reason, "incapable")
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("in a way that the policy allows is refused by the policy", () => {
    const { network } = ScriptedTransport.make()
    const { service, layer } = offering(["permit2", "delegation"], {
      policy: { network, paymentMethods: ["eip3009"] }
    })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag === "PolicyViolation" && error.rule, "paymentMethods")
      assert.lengthOf(service.seen("build-geo-op"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets today's error if it is delegated elsewhere and the quote lists nothing else", () => {
    const { service, layer } = offering(["delegation"], {}, TestSigner.evm())
    service.delegate(chainId, wallet, foreign)
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "Unsupported")
    }).pipe(Effect.provide(layer))
  })

  it.effect("without a pinned deployment does not pay, even if the policy does not require verification", () => {
    const { layer, signed } = offering(["eip3009"], {
      policy: { verification: "when-possible", network: Network.empty }
    })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "SignerError")
      assert.strictEqual(signed.payments, 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("the preview of a payment", () => {
  it.effect.each([
    ["eip3009", "amount", 1],
    ["permit2", "terms", 1],
    ["erc2612", "terms", 2]
  ] as const)("with %s says that the wallet shows the %s", ([method, shows, signatures]) => {
    const { service, layer } = offering([method])
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest, watch(events)))
      const verified = events.find((event) => event.type === "verified")
      const quoted = events.find((event) => event.type === "quoted")
      const { amount, destinationChain, inputToken: token, outputToken } = evmRequest
      const minOutput = quoted?.type === "quoted" ? quoted.quote.minOutput : undefined
      assert.deepStrictEqual(verified, {
        type: "verified",
        checked: true,
        payment: {
          method,
          shows,
          signatures,
          chainId,
          token,
          amount,
          vault: Network.find(service.network, chainId)?.deployment?.vault ?? "",
          terms: { destinationChain, outputToken, recipient: wallet, minOutput: minOutput ?? 0n }
        }
      })
    }).pipe(Effect.provide(layer))
  })
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

describe("a hostile response to a build call", () => {
  const bump = (hex: unknown) => `${String(hex).slice(0, -1)}${String(hex).endsWith("0") ? "1" : "0"}`
  const changed = (field: string, change: (value: unknown) => unknown) =>
    Fault.alter((answer) => {
      const payment = isObject(answer["payment"]) ? answer["payment"] : {}
      return { ...answer, payment: { ...payment, [field]: change(payment[field]) } }
    })
  const responses = methods.flatMap((method) => [
    [method, "no payment", Fault.alter((answer) => ({ ...answer, payment: undefined }))] as const,
    [
      method,
      "a payment of another method",
      changed("method", () => (method === "eip3009" ? "permit2" : "eip3009"))
    ] as const,
    ...["wallet", "token", "vault", "orderId", "terms"].map(
      (field) => [method, `another ${field}`, changed(field, bump)] as const
    ),
    [method, "another chainId", changed("chainId", (id) => Number(id) + 1)] as const,
    [method, "another amount", changed("amount", (amount) => String(BigInt(String(amount)) + 1n))] as const,
    [method, "a distant deadline", changed("deadline", (deadline) => Number(deadline) + 200)] as const,
    [method, "a past deadline", changed("deadline", () => 1)] as const,
    [method, "another hash", Fault.alter((answer) => ({ ...answer, geoOpHash: bump(answer["geoOpHash"]) }))] as const,
    ...(method === "eip3009" ? [] : [[method, "a nonce of another program", changed("nonce", () => "7")] as const]),
    ...(method === "permit2"
      ? []
      : [[method, "another domain", changed("domain", () => ({ name: "Tether", version: "1" }))] as const])
  ])

  it.effect.each(responses)("with %s and %s is not signed", ([method, , fault]) => {
    const { service, layer, signed } = offering([method])
    service.always("build-geo-op", fault)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.include(["UnsafeOperation", "ProtocolError"], error._tag)
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a valid payment of a method that was not asked for is not signed", () => {
    const { service, layer, signed } = offering(["erc2612"])
    service.always(
      "build-geo-op",
      Fault.alter((answer) => {
        const { domain: _, permitNonce: __, ...rest } = isObject(answer["payment"]) ? answer["payment"] : {}
        const payment = { ...rest, method: "permit2" }
        return {
          ...answer,
          payment,
          geoOpHash: ChainLibrary.standIn.payments.hashPayment(decoded(Payment.Payment, payment))
        }
      })
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.deepInclude(error, { _tag: "UnsafeOperation", field: "payment" })
      assert.deepStrictEqual(signed, { operations: 0, payments: 0, authorizations: 0 })
    }).pipe(Effect.provide(layer))
  })

  it.effect("with a payment that was not asked for signs the operation", () => {
    const { service, layer, signed } = offering(["delegation", "eip3009"], {}, TestSigner.evm())
    service.delegate(chainId, wallet)
    service.always(
      "build-geo-op",
      Fault.alter((answer) => ({ ...answer, paymentMethod: "eip3009", payment: { method: "eip3009" } }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "ProtocolError")
      service.always(
        "build-geo-op",
        Fault.alter((answer) => ({ ...answer, paymentMethod: "eip3009" }))
      )
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
      assert.deepStrictEqual(signed, { operations: 1, payments: 0, authorizations: 0 })
    }).pipe(Effect.provide(layer))
  })
})

describe("a signer's answer for a payment", () => {
  const signature = `0x${"1".repeat(130)}` as const
  it.effect.each([
    ["permit2", { signature: "0x12" }],
    ["permit2", { signature, permitSignature: signature }],
    ["eip3009", { signature, permitSignature: signature }],
    ["erc2612", { signature }],
    ["erc2612", { signature, permitSignature: "0x12" }],
    ["erc2612", { permitSignature: signature }],
    ["erc2612", undefined]
  ] as const)("with %s is not submitted if it is incomplete (%o)", ([method, answer]) => {
    const signer: Signer.Evm = { ...browser(), signPayment: () => Effect.succeed(answer as never) }
    const { service, layer } = offering([method], { signers: { evm: signer } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag === "SignerError" && error.reason, "invalid")
      assert.lengthOf(service.seen("submit"), 0)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })
})

const refusals = [
  ["410", Fault.refuse(410, "OPERATION_EXPIRED")],
  ["409 NEEDS_DELEGATION", Fault.refuse(409, "NEEDS_DELEGATION")],
  ["422 UNSUPPORTED_DELEGATION", Fault.refuse(422, "UNSUPPORTED_DELEGATION")],
  ["422 PAYMENT_METHOD_UNAVAILABLE", Fault.refuse(422, "PAYMENT_METHOD_UNAVAILABLE")],
  ["422 SLIPPAGE", Fault.refuse(422, "SLIPPAGE")]
] as const

/** A signer that records what it signs: the method, and the nonce of the payment. */
const recording = (inner: Signer.Evm = TestSigner.evm()) => {
  const record: Array<readonly [method: Payment.Method, nonce: unknown]> = []
  const signer: Signer.Evm = {
    ...inner,
    signOperation: (operation) => {
      record.push(["delegation", operation.geoOp?.nonce])
      return inner.signOperation(operation)
    },
    signPayment: (input) => {
      const { payment } = input
      record.push([payment.method, payment.method === "eip3009" ? payment.orderId : payment.nonce])
      return inner.signPayment?.(input) ?? Effect.die("unreachable")
    }
  }
  return { signer, record }
}

describe("a service that collects signatures and refuses them", () => {
  const cases = ["delegation", ...methods].flatMap((method) =>
    refusals.map(([name, refusal]) => [method as Payment.Method, name, refusal] as const)
  )

  it.effect.each(cases)("with %s and %s never gets two methods, or two nonces", ([method, name, refusal]) => {
    const { signer, record } = recording()
    const others = [method, "delegation", ...methods] as const
    const { service, layer } = offering([...new Set(others)], {
      signers: { evm: signer },
      policy: {
        network: ScriptedTransport.make().network,
        paymentMethods: [...new Set(others)]
      }
    })
    service.delegate(chainId, wallet)
    service.always("submit", refusal)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "OutcomeUnknown")
      assert.strictEqual(error.retry, "resume")
      assert.strictEqual(new Set(record.map(([signed]) => signed)).size, 1)
      assert.strictEqual(new Set(record.map(([, nonce]) => String(nonce))).size, 1)
      // A new order with EIP-3009 has a new nonce, and one with ERC-2612 would need another permit.
      if (method === "eip3009" || method === "erc2612") assert.lengthOf(record, 1)
      // These refusals lead to a new quote, and Permit2 and accounts reuse the nonce.
      else if (["410", "422 SLIPPAGE"].includes(name)) assert.isAtLeast(record.length, 2)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not get a second method, even if the policy trusts refusals", () => {
    const { signer, record } = recording(browser())
    const { service, layer } = offering(["eip3009", "permit2", "erc2612"], {
      signers: { evm: signer },
      policy: { network: ScriptedTransport.make().network, afterRefusal: "trust-service" }
    })
    service.always("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
    service.next("build-geo-op", Fault.pass, Fault.refuse(422, "PAYMENT_METHOD_UNAVAILABLE"))
    return Effect.gen(function* () {
      yield* failing(Client.execute(evmRequest))
      assert.deepStrictEqual(
        record.map(([method]) => method),
        ["eip3009"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("gets no second Permit2 signature with another nonce", () => {
    const { signer, record } = recording(browser())
    const service = ScriptedTransport.make()
    const { transport } = service
    const ignoring = {
      ...service,
      transport: {
        ...transport,
        buildGeoOp: ({ geoQuoteToken }: Parameters<typeof transport.buildGeoOp>[0]) =>
          transport.buildGeoOp({ geoQuoteToken, paymentMethod: "permit2" })
      }
    }
    const { layer } = offering(["permit2"], { service: ignoring, signers: { evm: signer } })
    service.always("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "OutcomeUnknown")
      assert.lengthOf(record, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["eip3009", "permit2"] as const)(
    "with %s gets another signature once the own node and the local clock show that the first one expired",
    (method) => {
      const { signer, record } = recording(browser())
      const service = ScriptedTransport.make()
      const { layer } = offering([method], { service, signers: { evm: signer }, readers: service.readers })
      service.next("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
      return Effect.gen(function* () {
        assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
        assert.lengthOf(record, 2)
        assert.lengthOf(service.swaps, 1)
        // A new order with EIP-3009 has a new nonce, so the first one must have expired. Permit2 reuses the nonce.
        if (method === "eip3009") assert.isAtLeast(yield* Clock.currentTimeMillis, 90_000)
        else assert.strictEqual(record[0]?.[1], record[1]?.[1])
      }).pipe(Effect.provide(layer), Effect.provide(patient))
    }
  )

  it.effect("gets no second signature from a reader that cannot read payments", () => {
    const { signer, record } = recording(browser())
    const service = ScriptedTransport.make()
    const { paymentState: _, ...evm } = service.readers.evm
    const { layer } = offering(["eip3009"], { service, signers: { evm: signer }, readers: { evm } })
    service.next("submit", Fault.refuse(410, "OPERATION_EXPIRED"))
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "OutcomeUnknown")
      assert.lengthOf(record, 1)
    }).pipe(Effect.provide(layer), Effect.provide(patient))
  })
})

describe("a service that says that a payment failed", () => {
  it.effect("is not believed if the caller's reader cannot read payments", () => {
    const { signer, record } = recording(browser())
    const service = ScriptedTransport.make()
    const { paymentState: _, ...evm } = service.readers.evm
    const { layer } = offering(["eip3009"], { service, signers: { evm: signer }, readers: { evm } })
    service.ends("failed")
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "WaitTimeout")
      assert.lengthOf(record, 1)
      assert.lengthOf(yield* Client.pending, 1)
    }).pipe(Effect.provide(layer))
  })
})

describe("a caller's objects that change after they were checked", () => {
  it.effect("do not change what is signed", () => {
    const { layer } = offering(["permit2"], {}, TestSigner.evm())
    let asked = 0
    return Effect.gen(function* () {
      const quote = yield* Client.quote({ ...evmRequest, walletAddress: wallet })
      const fickle = Object.defineProperty({ ...quote }, "minOutput", {
        enumerable: true,
        get: () => (asked++ === 0 ? quote.minOutput : 1n)
      })
      const options = {
        quote: fickle,
        acceptQuote: (_: unknown, request: Quote.QuoteRequest) =>
          Effect.sync(() => !Reflect.set(request, "recipient", stranger))
      }
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest, options))).status, "settled")
      assert.strictEqual(asked, 1)
    }).pipe(Effect.provide(layer))
  })
})

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

describe("a process that is killed while it pays", () => {
  /** Runs a swap until the service has received the submit call, then kills the process. */
  const killed = (service: ScriptedTransport.ScriptedTransport, options: Client.RunOptions = {}) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Client.execute(evmRequest, options))
      while (service.seen("submit").length < 1) yield* TestClock.adjust(50)
      yield* Fiber.interrupt(fiber)
    })

  it.effect.each(methods)("with %s is resumed with the same bytes", (method) => {
    const { entries, store } = disk()
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang({ after: true }))
    const before = offering([method], { service, store: store() })
    const after = makeFixture({ service, store: store(), signers: {} })
    return Effect.gen(function* () {
      yield* Effect.provide(killed(service), before.layer)
      yield* Effect.gen(function* () {
        const [flow] = yield* Client.pending
        const { token, vault, ...identity } = flow?.payment ?? assert.fail("The flow has no payment.")
        assert.deepStrictEqual(
          [token, vault],
          [evmRequest.inputToken, Network.find(service.network, chainId)?.deployment?.vault]
        )
        assert.strictEqual(identity.method, method)
        assert.strictEqual((yield* succeeding(Client.resume(flow?.id ?? ""))).status, "settled")
      }).pipe(Effect.provide(after.layer))
      const [first, second, ...more] = service.seen("submit").map(({ body }) => body)
      assert.deepStrictEqual(first, second)
      assert.lengthOf(more, 0)
      assert.lengthOf(service.swaps, 1)
      assert.strictEqual(before.signed.payments, 1)
      assert.strictEqual(entries.size, 0)
    })
  })

  it.effect.each(methods)("with %s and an idempotency key never signs again for a live signature", (method) => {
    const store = Effect.runSync(Store.makeMemory)
    const service = ScriptedTransport.make()
    service.next("submit", Fault.hang())
    const before = offering([method], { service, store })
    const { signer, record } = recording()
    const restarted = makeFixture({
      service,
      store: Store.make(store.records),
      readers: service.readers,
      signers: { evm: signer }
    })
    return Effect.gen(function* () {
      yield* Effect.provide(killed(service, { idempotencyKey: "order-1" }), before.layer)
      service.paymentMethods("delegation", ...methods)
      service.delegate(chainId, wallet)
      service.always("submit", Fault.refuse(422, "INSUFFICIENT_BALANCE"))
      yield* Effect.gen(function* () {
        const again = Client.execute(evmRequest, { idempotencyKey: "order-1" })
        assert.strictEqual((yield* failing(again))._tag, "OutcomeUnknown")
        assert.lengthOf(record, 0)
        // Once the signature has expired unused, the key is released, and another method may be signed.
        yield* passDeadline
        assert.strictEqual((yield* failing(again))._tag, "InsufficientBalance")
        service.always("submit", Fault.pass)
        assert.strictEqual((yield* succeeding(again)).status, "settled")
        assert.deepStrictEqual(
          record.map(([signed]) => signed),
          ["delegation"]
        )
        assert.lengthOf(service.swaps, 1)
      }).pipe(Effect.provide(restarted.layer))
    })
  })

  it.effect("keeps only the payment's identity once the swap is accepted, and asks its own node about it", () => {
    const service = ScriptedTransport.make()
    const asked: Array<ChainReader.PaymentQuery> = []
    const evm: ChainReader.Evm = {
      ...service.readers.evm,
      paymentState: (query) => Effect.sync(() => (asked.push(query), "used" as const))
    }
    service.ends("failed")
    const { layer } = offering(["erc2612"], { service, readers: { evm } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.match(error.message, /but your own node shows that the signed operation was executed/)
      const [flow] = yield* Client.pending
      assert.isUndefined(flow?.submission)
      const [identity] = flow?.signed ?? []
      assert.deepStrictEqual(identity?.payment?.method, "erc2612")
      assert.deepStrictEqual(asked[0], {
        chainId,
        wallet,
        method: "erc2612",
        token: evmRequest.inputToken,
        nonce: identity?.payment?.nonce ?? 0n,
        deadline: identity?.payment?.deadline ?? 0
      })
    }).pipe(Effect.provide(layer))
  })
})

describe("a user who declines", () => {
  it.effect("the second of two signatures submits nothing", () => {
    const declined = new SwapError.SignerError({ reason: "rejected", message: "No." })
    const signer: Signer.Evm = { ...browser(), signPayment: () => Effect.fail(declined) }
    const { service, layer } = offering(["erc2612", "permit2"], { signers: { evm: signer } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag === "SignerError" && error.reason, "rejected")
      assert.lengthOf(service.seen("submit"), 0)
      assert.lengthOf(service.seen("build-geo-op"), 1)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })
})
