import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { type ChainReader, Client, Signer, SwapError, type SwapEvent } from "../src/index.js"
import { Fault, ScriptedTransport, TestSigner } from "../src/testing.js"
import { countingSigner, evmReader, failing, succeeding, makeFixture } from "./fixture.js"

const { evmRequest, solanaRequest } = ScriptedTransport

describe("a whole swap", () => {
  it.effect("from a new wallet reads the delegation once and reports every step", () => {
    const { service, layer } = makeFixture()
    const events: Array<SwapEvent.SwapEvent> = []
    return Effect.gen(function* () {
      const swap = yield* succeeding(
        Client.execute(evmRequest, { onProgress: (event) => Effect.sync(() => void events.push(event)) })
      )
      assert.strictEqual(swap.status, "settled")
      assert.isDefined(swap.deliveryTxHash)
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["quoted", "authorizing", "built", "verified", "signed", "submitted", "status", "done"]
      )
      assert.deepStrictEqual(
        service.requests.map(({ endpoint }) => endpoint),
        ["quote", "build-geo-op", "delegation", "build-geo-op", "submit", "status"]
      )
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("from a delegated wallet needs no authorization", () => {
    const { service, layer } = makeFixture()
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(evmRequest))
      assert.lengthOf(service.seen("delegation"), 0)
      assert.lengthOf(service.seen("build-geo-op"), 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("from Solana signs a transaction", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(solanaRequest))
      assert.strictEqual(swap.status, "settled")
      assert.deepStrictEqual(
        service.requests.map(({ endpoint }) => endpoint),
        ["quote", "build-solana-tx", "submit-solana", "status"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("uses the wallet of the signer if the request has none", () => {
    const { service, layer } = makeFixture()
    const { walletAddress, ...request } = evmRequest
    return Effect.gen(function* () {
      yield* succeeding(Client.execute(request))
      assert.strictEqual(service.seen("quote")[0]?.body["walletAddress"], walletAddress)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each(["settled", "failed", "refunded"] as const)("that ends %s is a result", (status) => {
    const { service, layer } = makeFixture()
    service.ends(status)
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest))
      assert.strictEqual(swap.status, status)
    }).pipe(Effect.provide(layer))
  })

  it.effect("has no token and no signature in its events", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const events = yield* succeeding(Stream.runCollect(Client.executeStream(evmRequest)))
      const text = JSON.stringify(events, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))
      const { geoOpToken, signature } = service.seen("submit")[0]?.body ?? {}
      for (const secret of [geoOpToken, signature, service.seen("build-geo-op")[0]?.body["geoQuoteToken"]]) {
        assert.isString(secret)
        assert.notInclude(text, String(secret))
      }
    }).pipe(Effect.provide(layer))
  })
})

describe("executeStream", () => {
  it.effect("emits the steps in order and ends with done", () => {
    const { layer } = makeFixture()
    return Effect.gen(function* () {
      const events = yield* succeeding(Stream.runCollect(Client.executeStream(solanaRequest)))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["quoted", "built", "verified", "signed", "submitted", "status", "done"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("emits the steps before an error, then fails with it", () => {
    const { service, layer } = makeFixture()
    service.always("build-geo-op", Fault.refuse(422, "UNSUPPORTED_DELEGATION"))
    return Effect.gen(function* () {
      const seen: Array<string> = []
      const error = yield* failing(
        Stream.runForEach(Client.executeStream(evmRequest), ({ type }) => Effect.sync(() => void seen.push(type)))
      )
      assert.strictEqual(error._tag, "Unsupported")
      assert.deepStrictEqual(seen, ["quoted"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("stops the swap when it is closed before anything was submitted", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const events = yield* succeeding(Stream.runCollect(Stream.take(Client.executeStream(evmRequest), 1)))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["quoted"]
      )
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("the single calls", () => {
  it.effect("send one request each, without retries", () => {
    const { service, layer } = makeFixture()
    service.next("quote", Fault.unavailable())
    return Effect.gen(function* () {
      const error = yield* failing(Client.quote(evmRequest))
      assert.strictEqual(error._tag, "Unavailable")
      assert.lengthOf(service.requests, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("can be combined to a whole swap", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const signer = TestSigner.solana()
      const quote = yield* Client.quote(solanaRequest)
      const built = yield* Client.build({ originChain: solanaRequest.originChain, geoQuoteToken: quote.geoQuoteToken })
      if (built.family !== "solana") return assert.fail("a Solana origin builds a transaction")
      const { geoOpToken, unsignedTransaction } = built
      const signedTransaction = yield* signer.signTransaction({ request: solanaRequest, quote, unsignedTransaction })
      const { swapId } = yield* Client.submit({ family: "solana", geoOpToken, signedTransaction })
      const swap = yield* succeeding(Client.wait(swapId))
      assert.strictEqual(swap.status, "settled")
      assert.strictEqual((yield* Client.status(swapId)).status, "settled")
      assert.lengthOf(service.swaps, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("price a swap without a wallet, at the price of a quote, and the price cannot be built", () => {
    const { service, layer } = makeFixture()
    const { walletAddress: _, ...anyone } = evmRequest
    service.price(9_000)
    return Effect.gen(function* () {
      const price = yield* Client.indicativeQuote({ ...anyone, slippageBps: 100 })
      const quote = yield* Client.quote({ ...evmRequest, slippageBps: 100 })
      assert.isTrue(price.indicative)
      assert.strictEqual(price.output, 9_000_000n)
      assert.deepStrictEqual([price.output, price.minOutput], [quote.output, quote.minOutput])
      assert.notProperty(price, "geoQuoteToken")
      assert.notProperty(price, "expiresAt")
      const [sent] = service.seen("quote")
      assert.deepStrictEqual(sent?.body, { ...anyone, amount: "10000000", slippageBps: 100, indicative: true })
    }).pipe(Effect.provide(layer))
  })

  it.effect("drop the token if a service answers a request for a price with a quote", () => {
    const { service, layer } = makeFixture()
    service.next(
      "quote",
      Fault.alter((price) => ({ ...price, indicative: undefined, geoQuoteToken: "gq1", expiresAt: 1_767_225_630 }))
    )
    return Effect.gen(function* () {
      const price = yield* Client.indicativeQuote(evmRequest)
      assert.isTrue(price.indicative)
      assert.notProperty(price, "geoQuoteToken")
      assert.notProperty(price, "expiresAt")
    }).pipe(Effect.provide(layer))
  })

  it.effect("fail with Rejected if a service requires a wallet for a price", () => {
    const { service, layer } = makeFixture()
    service.next("quote", Fault.refuse(400, "VALIDATION"))
    const { walletAddress: _, ...anyone } = evmRequest
    return Effect.gen(function* () {
      const error = yield* failing(Client.indicativeQuote(anyone))
      assert.strictEqual(error._tag, "Rejected")
      assert.lengthOf(service.requests, 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("read the delegation and the chains", () => {
    const { layer } = makeFixture()
    return Effect.gen(function* () {
      const { originChain: chainId, walletAddress } = evmRequest
      const state = yield* Client.delegation({ chainId, walletAddress })
      assert.isFalse(state.delegated)
      assert.isDefined(state.delegationTarget)
      assert.include(
        (yield* Client.chains()).map(({ id }) => id),
        chainId
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("time out after 25 seconds", () => {
    const { service, layer } = makeFixture()
    service.next("quote", Fault.hang())
    return Effect.gen(function* () {
      const error = yield* failing(Client.quote(evmRequest))
      if (error._tag !== "Unavailable") return assert.fail(error._tag)
      assert.strictEqual(error.reason, "timeout")
      assert.strictEqual(yield* Clock.currentTimeMillis, 25_000)
    }).pipe(Effect.provide(layer))
  })
})

describe("invalid input", () => {
  const solanaAddress = solanaRequest.walletAddress
  const cases: ReadonlyArray<readonly [name: string, field: string, change: object]> = [
    ["a zero amount", "amount", { amount: 0n }],
    ["a negative amount", "amount", { amount: -1n }],
    ["a negative amount as text", "amount", { amount: "-1" }],
    ["a fractional amount", "amount", { amount: "1.5" }],
    ["a number in place of an amount", "amount", { amount: 1.5 }],
    ["an amount in another notation", "amount", { amount: "1e6" }],
    ["an amount beyond 2^256", "amount", { amount: 2n ** 256n }],
    ["no amount", "amount", { amount: undefined }],
    ["a wallet of the other family", "walletAddress", { walletAddress: solanaAddress }],
    ["a wallet that is not the signer's", "walletAddress", { walletAddress: evmRequest.inputToken }],
    ["an input token of the other family", "inputToken", { inputToken: solanaAddress }],
    ["an output token of the other family", "outputToken", { outputToken: solanaAddress }],
    ["a recipient of the other family", "recipient", { recipient: solanaAddress }],
    ["the native token as input", "inputToken", { inputToken: "0x0000000000000000000000000000000000000000" }],
    [
      "the same token on the same chain",
      "outputToken",
      { destinationChain: 8453, outputToken: evmRequest.inputToken.toUpperCase().replace("0X", "0x") }
    ],
    ["a chain id that is not a number", "originChain", { originChain: "8453" }],
    ["a chain id of zero", "destinationChain", { destinationChain: 0 }],
    ["more than all of it as slippage", "slippageBps", { slippageBps: 10_001 }],
    ["half a basis point of slippage", "slippageBps", { slippageBps: 0.5 }]
  ]
  it.effect.each(cases)("%s is refused with a message before anything is sent", ([, field, change]) => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute({ ...evmRequest, ...change }))
      if (error._tag !== "InvalidInput") return assert.fail(`${error._tag}: ${error.message}`)
      assert.strictEqual(error.field, field)
      assert.include(error.message, field)
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  const toSolana = { destinationChain: 792703809, outputToken: solanaAddress }

  it.effect("a missing recipient across families is refused without a signer for the other family", () => {
    const { service, layer } = makeFixture({ signers: { evm: TestSigner.evm() } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute({ ...evmRequest, ...toSolana }))
      assert.deepInclude(error, {
        _tag: "InvalidInput",
        field: "recipient",
        message: "recipient: expected a valid Solana address, because the wallet has no address on this chain."
      })
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a missing recipient across families defaults to the client's own signer there", () => {
    const solana = TestSigner.solana()
    const { service, layer } = makeFixture({ signers: { evm: TestSigner.evm(), solana } })
    return Effect.gen(function* () {
      yield* succeeding(Client.execute({ ...evmRequest, ...toSolana }))
      const [quote] = service.requests
      assert.deepInclude(quote?.body, { recipient: solana.address })
    }).pipe(Effect.provide(layer))
  })

  it.effect("a default recipient is checked against the allowed recipients", () => {
    const allowedRecipients = [evmRequest.walletAddress]
    const { service, layer } = makeFixture({ policy: { allowedRecipients } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute({ ...evmRequest, ...toSolana }))
      assert.deepInclude(error, { _tag: "PolicyViolation", rule: "allowedRecipients" })
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an amount beyond 2^64 is refused on Solana", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute({ ...solanaRequest, amount: 2n ** 64n }))
      assert.strictEqual(error._tag, "InvalidInput")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([{ request: null }, { request: undefined }, { request: 7 }, { request: "swap" }, { request: [] }])(
    "$request in place of a request is refused",
    ({ request }) => {
      const { service, layer } = makeFixture()
      return Effect.gen(function* () {
        const error = yield* failing(Client.execute(request as never))
        assert.strictEqual(error._tag, "InvalidInput")
        const quoteError = yield* failing(Client.quote(request as never))
        assert.strictEqual(quoteError._tag, "InvalidInput")
        assert.lengthOf(service.requests, 0)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("a chain without a signer is refused", () => {
    const { service, layer } = makeFixture({ signers: { evm: TestSigner.evm() } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      if (error._tag !== "SignerError") return assert.fail(error._tag)
      assert.strictEqual(error.reason, "missing")
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("an empty token or swap id is refused", () => {
    const { service, layer } = makeFixture()
    return Effect.gen(function* () {
      const errors = [
        yield* failing(Client.build({ originChain: 8453, geoQuoteToken: "" })),
        yield* failing(Client.submit({ family: "evm", geoOpToken: "", signature: "0x" })),
        yield* failing(Client.status("")),
        yield* failing(Client.wait("")),
        yield* failing(Client.resume("nothing")),
        yield* failing(Client.delegation({ chainId: 8453, walletAddress: solanaAddress }))
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        Array.from({ length: 6 }, () => "InvalidInput" as const)
      )
      assert.lengthOf(service.requests, 0)
    }).pipe(Effect.provide(layer))
  })
})

describe("a wallet that cannot sign a delegation", () => {
  const injected = TestSigner.evm({ capabilities: { authorization: false } })

  it.effect("fails before a quote is used", () => {
    const { service, layer } = makeFixture({ signers: { evm: injected } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "SignerError") return assert.fail(error._tag)
      assert.strictEqual(error.reason, "incapable")
      assert.deepStrictEqual(
        service.requests.map(({ endpoint }) => endpoint),
        ["delegation"]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("can swap if it is already delegated", () => {
    const { service, layer } = makeFixture({ signers: { evm: injected } })
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(Effect.provide(layer))
  })
})

describe("a signer with an invalid result", () => {
  const { signOperation: _, ...rest } = TestSigner.evm()
  const cases: ReadonlyArray<readonly [string, Partial<Signer.Evm>]> = [
    ["a signature that is too short", { signOperation: () => Effect.succeed("0x1234") }],
    ["no signature", { signOperation: () => Effect.succeed(undefined as never) }],
    [
      "an authorization for another nonce",
      {
        signAuthorization: (asked) =>
          TestSigner.evm().signAuthorization?.({ ...asked, nonce: asked.nonce + 1 }) ?? Effect.die("unreachable")
      }
    ],
    [
      "an authorization for another chain",
      {
        signAuthorization: (asked) =>
          TestSigner.evm().signAuthorization?.({ ...asked, chainId: 10 }) ?? Effect.die("unreachable")
      }
    ],
    [
      "an authorization of another contract",
      {
        signAuthorization: (asked) =>
          TestSigner.evm().signAuthorization?.({ ...asked, address: `0x${"ab".repeat(20)}` }) ??
          Effect.die("unreachable")
      }
    ],
    ["no authorization", { signAuthorization: () => Effect.succeed(undefined as never) }]
  ]
  it.effect.each(cases)("%s is not submitted", ([, broken]) => {
    const evm = { ...rest, signOperation: TestSigner.evm().signOperation, ...broken }
    const { service, layer } = makeFixture({ signers: { evm } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "SignerError") return assert.fail(error._tag)
      assert.strictEqual(error.reason, "invalid")
      assert.lengthOf(service.seen("submit"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("does not submit a Solana transaction that the signer returned unsigned", () => {
    const solana: Signer.Solana = {
      ...TestSigner.solana(),
      signTransaction: ({ unsignedTransaction }) => Effect.succeed(unsignedTransaction)
    }
    const { service, layer } = makeFixture({ signers: { solana } })
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(solanaRequest))
      assert.strictEqual(error._tag, "SignerError")
      assert.lengthOf(service.seen("submit-solana"), 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends the swap without a submit if the user declines", () => {
    const evm = Signer.evmFromPromise({
      address: evmRequest.walletAddress,
      capabilities: { authorization: false },
      verifyOperation: () => undefined,
      signOperation: async () => {
        throw new Error("User rejected the request")
      }
    })
    const { service, layer } = makeFixture({ signers: { evm } })
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      assert.strictEqual(error._tag, "SignerError")
      assert.include(error.message, "User rejected")
      assert.lengthOf(service.seen("submit"), 0)
      assert.deepStrictEqual(yield* Client.pending, [])
    }).pipe(Effect.provide(layer))
  })
})

it.effect("signs once per swap if there are no errors", () => {
  const { signer, signed } = countingSigner()
  const { layer } = makeFixture({ signers: { evm: signer } })
  return Effect.gen(function* () {
    yield* succeeding(Client.execute(evmRequest))
    assert.deepStrictEqual(signed, { operations: 1, payments: 0, authorizations: 1 })
    yield* succeeding(Client.execute(evmRequest))
    assert.deepStrictEqual(signed, { operations: 2, payments: 0, authorizations: 1 })
  }).pipe(Effect.provide(layer))
})

describe("a listener that dies", () => {
  it.effect("is logged, and the swap continues", () => {
    const { service, layer } = makeFixture()
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    return Effect.gen(function* () {
      const swap = yield* succeeding(Client.execute(evmRequest, { onProgress: () => Effect.die("broken") }))
      assert.strictEqual(swap.status, "settled")
      assert.lengthOf(service.swaps, 1)
      assert.isAtLeast(logged.length, 5)
    }).pipe(Effect.provide(Layer.merge(layer, Logger.layer([logger]))))
  })
})

describe("the nonce of a delegation", () => {
  const reader = (...nonces: ReadonlyArray<number>): ChainReader.Evm => {
    const answers = [...nonces]
    return {
      ...evmReader("open"),
      accountNonce: () => Effect.sync(() => (answers.length > 1 ? (answers.shift() ?? 0) : (answers[0] ?? 0)))
    }
  }

  it.effect("is not signed if the caller's own node has another one", () => {
    const { signer, signed } = countingSigner()
    const { service, layer } = makeFixture({ signers: { evm: signer }, readers: { evm: reader(0) } })
    service.always(
      "delegation",
      Fault.alter((state) => ({ ...state, accountNonce: 1 }))
    )
    return Effect.gen(function* () {
      const error = yield* failing(Client.execute(evmRequest))
      if (error._tag !== "UnsafeOperation") return assert.fail(error._tag)
      assert.deepStrictEqual([error.field, error.found], ["accountNonce", "1"])
      assert.strictEqual(signed.authorizations, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is signed if the caller's own node has it one block later", () => {
    const { service, layer } = makeFixture({ readers: { evm: reader(0, 1) } })
    service.moveNonce(evmRequest.originChain, evmRequest.walletAddress)
    return Effect.gen(function* () {
      assert.strictEqual((yield* succeeding(Client.execute(evmRequest))).status, "settled")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not signed while the caller's own node does not answer", () => {
    const { signer, signed } = countingSigner()
    const evm: ChainReader.Evm = {
      ...evmReader("open"),
      accountNonce: () => Effect.fail(new SwapError.ReaderError({ message: "No answer." }))
    }
    const { layer } = makeFixture({ signers: { evm: signer }, readers: { evm } })
    return Effect.gen(function* () {
      assert.strictEqual((yield* failing(Client.execute(evmRequest)))._tag, "ReaderError")
      assert.strictEqual(signed.authorizations, 0)
    }).pipe(Effect.provide(layer))
  })
})
