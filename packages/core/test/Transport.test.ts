import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { Chain, Delegation, Operation, Quote, Swap, SwapError, Transport } from "../src/index.js"
import { ScriptedTransport } from "../src/testing.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const word = `0x${"ab".repeat(32)}` as const
const wallet = evmRequest.walletAddress
const authorization: Delegation.Authorization = {
  chainId: 8453,
  address: `0x${"9a".repeat(20)}`,
  nonce: 7,
  yParity: 1,
  r: word,
  s: word
}
const quoteAnswer = { geoQuoteToken: "gq1", output: "5", feeBps: 1, expiresAt: "2026-01-01T00:00:30.000Z" }

interface Method {
  readonly endpoint: Transport.Endpoint
  readonly call: (transport: Transport.Transport) => Effect.Effect<unknown, SwapError.BuildError>
  /** The request line, and the body. */
  readonly line: string
  readonly body?: unknown
  /** The smallest valid response. */
  readonly answer: unknown
}

const methods: ReadonlyArray<Method> = [
  {
    endpoint: "quote",
    call: ({ quote }) => quote({ ...evmRequest, amount: 2n ** 256n - 1n, recipient: wallet, slippageBps: 50 }),
    line: "POST /swap/quote",
    body: { ...evmRequest, amount: `${2n ** 256n - 1n}`, recipient: wallet, slippageBps: 50 },
    answer: quoteAnswer
  },
  {
    endpoint: "delegation",
    call: ({ delegation }) => delegation({ chainId: 8453, walletAddress: wallet }),
    line: `GET /swap/delegation?chainId=8453&walletAddress=${wallet}`,
    answer: { delegated: true }
  },
  {
    endpoint: "build-geo-op",
    call: ({ buildGeoOp }) => buildGeoOp({ geoQuoteToken: "gq1" }),
    line: "POST /swap/build-geo-op",
    body: { geoQuoteToken: "gq1" },
    answer: { geoOpHash: word, geoOpToken: "go1" }
  },
  {
    endpoint: "build-solana-tx",
    call: ({ buildSolanaTx }) => buildSolanaTx({ geoQuoteToken: "gq1" }),
    line: "POST /swap/build-solana-tx",
    body: { geoQuoteToken: "gq1" },
    answer: { unsignedTransaction: "AQID", geoOpToken: "go1" }
  },
  {
    endpoint: "submit",
    call: ({ submit }) => submit({ geoOpToken: "go1", signature: "0x01" }),
    line: "POST /swap/submit",
    body: { geoOpToken: "go1", signature: "0x01" },
    answer: { swapId: "s/1", status: "pending" }
  },
  {
    endpoint: "submit-solana",
    call: ({ submitSolana }) => submitSolana({ geoOpToken: "go1", signedTransaction: "AQID" }),
    line: "POST /swap/submit-solana",
    body: { geoOpToken: "go1", signedTransaction: "AQID" },
    answer: { swapId: "s/1", status: "pending" }
  },
  {
    endpoint: "status",
    call: ({ status }) => status("s/1"),
    line: "GET /swap/status/s%2F1",
    answer: { swapId: "s/1", status: "settled" }
  },
  {
    endpoint: "chains",
    call: ({ chains }) => chains,
    line: "GET /swap/chains",
    answer: { chains: [] }
  }
]
const methodOf = (endpoint: Transport.Endpoint): Method => {
  const method = methods.find((candidate) => candidate.endpoint === endpoint)
  if (method === undefined) throw new Error(`There is no ${endpoint}.`)
  return method
}
const sealed = ["build-geo-op", "build-solana-tx", "submit", "submit-solana"] as const
const open = ["quote", "delegation", "status", "chains"] as const

/** A transport that always sends the same response, and the requests that it got. */
const answering = (answer: Partial<Transport.HttpResponse>, options?: Transport.Options) => {
  const sent: Array<Transport.HttpRequest> = []
  const transport = Transport.make(
    (request) =>
      Effect.sync(() => {
        sent.push(request)
        return { status: 200, headers: {}, body: "", ...answer }
      }),
    options
  )
  return { transport, sent }
}

/** A transport that responds with this JSON. */
const telling = (json: unknown, status = 200, headers: Transport.HttpResponse["headers"] = {}) =>
  answering({ status, headers, body: JSON.stringify(json) }).transport

/** The error of a call with this response. */
const errorOf = (endpoint: Transport.Endpoint, answer: Partial<Transport.HttpResponse>) =>
  Effect.flip(methodOf(endpoint).call(answering(answer).transport))

/** The same build call at either endpoint. */
const build = (
  endpoint: "build-geo-op" | "build-solana-tx",
  { buildGeoOp, buildSolanaTx }: Transport.Transport,
  request: Transport.BuildRequest
): Effect.Effect<unknown, SwapError.BuildError> =>
  endpoint === "build-geo-op" ? buildGeoOp(request) : buildSolanaTx(request)

/** A message that contains the message of the service. */
const saying = (text: string): unknown => expect.stringContaining(text)

const refusal = (endpoint: Transport.Endpoint, status: number, json: unknown, headers = {}) =>
  errorOf(endpoint, { status, headers, body: typeof json === "string" ? json : JSON.stringify(json) })

describe("a request", () => {
  it.effect.each(methods)("of $endpoint is $line", ({ endpoint, call, line, body, answer }) =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: JSON.stringify(answer) })
      yield* call(transport)
      expect(sent.map(({ method, path }) => `${method} ${path}`)).toStrictEqual([line])
      expect(sent[0]?.endpoint).toBe(endpoint)
      expect(sent[0]?.body === undefined ? undefined : JSON.parse(sent[0].body)).toStrictEqual(body)
    })
  )

  it.effect("is sent only when the effect runs, once per run", () =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: JSON.stringify(quoteAnswer) })
      const call = transport.quote(evmRequest)
      expect(sent).toHaveLength(0)
      yield* call
      yield* call
      expect(sent).toHaveLength(2)
    })
  )

  it.effect("for an indicative quote goes to the same endpoint, without a wallet", () =>
    Effect.gen(function* () {
      const { walletAddress: _, ...anyone } = evmRequest
      const { transport, sent } = answering({ body: '{"indicative":true,"output":"5","feeBps":1}' })
      const price = yield* transport.indicativeQuote({ ...anyone, indicative: true })
      expect(price).toStrictEqual({ indicative: true, output: 5n, feeBps: 1 })
      expect(sent).toMatchObject([{ endpoint: "quote", method: "POST", path: "/swap/quote" }])
      expect(JSON.parse(sent[0]?.body ?? "")).toStrictEqual({ ...anyone, amount: "10000000", indicative: true })
    })
  )

  it.effect("for an indicative quote is rejected by a service that requires a wallet", () =>
    Effect.gen(function* () {
      const transport = telling({ code: "VALIDATION", message: "walletAddress is missing." }, 400)
      const { walletAddress: _, ...anyone } = evmRequest
      const error = yield* Effect.flip(transport.indicativeQuote({ ...anyone, indicative: true }))
      expect(error).toMatchObject({ _tag: "Rejected", status: 400, code: "VALIDATION", retry: "never" })
    })
  )

  it.effect("for a delegation can have its parameters in the path", () =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: '{"delegated":true}' }, { delegationPath: "path" })
      yield* transport.delegation({ chainId: 8453, walletAddress: wallet })
      expect(sent[0]?.path).toBe(`/swap/delegation/8453/${wallet}`)
    })
  )

  it.effect.each([
    [{}, "?chainId=1&walletAddress=a%26b%3D%2F%3F%23"],
    [{ delegationPath: "query" }, "?chainId=1&walletAddress=a%26b%3D%2F%3F%23"],
    [{ delegationPath: "path" }, "/1/a%26b%3D%2F%3F%23"]
  ] as const)("for a delegation escapes its parameters, with %j", ([options, rest]) =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: '{"delegated":true}' }, options)
      yield* transport.delegation({ chainId: 1, walletAddress: "a&b=/?#" })
      expect(sent[0]?.path).toBe(`/swap/delegation${rest}`)
    })
  )

  it.effect.each([["a/../../admin"], ["a:b=+c"], ["~/."], ["a/b"]] as const)(
    "for the status of %j stays within its path",
    ([swapId]) =>
      Effect.gen(function* () {
        const { transport, sent } = answering({ body: JSON.stringify({ swapId, status: "pending" }) })
        expect((yield* transport.status(swapId)).swapId).toBe(swapId)
        expect(sent[0]?.path).toBe(`/swap/status/${encodeURIComponent(swapId)}`)
      })
  )

  it.effect.each(["build-geo-op", "build-solana-tx"] as const)(
    "of %s carries an authorization in numbers",
    (endpoint) =>
      Effect.gen(function* () {
        const { transport, sent } = answering({ body: "{}" })
        yield* Effect.flip(build(endpoint, transport, { geoQuoteToken: "gq1", authorization }))
        expect(JSON.parse(sent[0]?.body ?? "")).toStrictEqual({ geoQuoteToken: "gq1", authorization })
      })
  )

  it.effect("of a submit contains only the token and the signature", () =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: '{"swapId":"s","status":"pending"}' })
      const extra = { geoOpToken: "go1", signature: "0x01", signedTransaction: "AQID", family: "evm" }
      yield* transport.submit(extra)
      yield* transport.submitSolana(extra)
      expect(sent.map(({ body }) => JSON.parse(body ?? "") as unknown)).toStrictEqual([
        { geoOpToken: "go1", signature: "0x01" },
        { geoOpToken: "go1", signedTransaction: "AQID" }
      ])
    })
  )

  it.effect("of a Solana origin is sent unchanged", () =>
    Effect.gen(function* () {
      const { transport, sent } = answering({ body: JSON.stringify(quoteAnswer) })
      yield* transport.quote(solanaRequest)
      expect(JSON.parse(sent[0]?.body ?? "")).toStrictEqual({ ...solanaRequest, amount: "5000000" })
    })
  )
})

describe("a response", () => {
  it.effect.each(methods)("of $endpoint is decoded from any 2xx", ({ call, answer }) =>
    Effect.gen(function* () {
      for (const status of [200, 201, 202, 299]) yield* call(telling(answer, status))
    })
  )

  it.effect("keeps unknown fields, and treats null as missing", () =>
    Effect.gen(function* () {
      const extra = { new: { field: [1, null] } }
      expect(yield* telling({ ...quoteAnswer, ...extra, minOutput: null }).quote(evmRequest)).toStrictEqual({
        ...quoteAnswer,
        ...extra,
        output: 5n,
        expiresAt: new Date(quoteAnswer.expiresAt)
      })
      const odd = { delegated: false, delegatedTo: "\u001b[2J0.004 WETH" }
      expect(yield* telling(odd).delegation({ chainId: 1, walletAddress: "w" })).toStrictEqual({ delegated: false })
      const state = { delegated: true, delegatedTo: null, ...extra }
      expect(yield* telling(state).delegation({ chainId: 1, walletAddress: "w" })).toStrictEqual({
        delegated: true,
        ...extra
      })
      const built = { geoOpHash: word, geoOpToken: "go1", geoOp: null, ...extra }
      expect(yield* telling(built).buildGeoOp({ geoQuoteToken: "q" })).toStrictEqual({
        geoOpHash: word,
        geoOpToken: "go1",
        ...extra
      })
      const transaction = { unsignedTransaction: "AQID", geoOpToken: "go1", ...extra }
      expect(yield* telling(transaction).buildSolanaTx({ geoQuoteToken: "q" })).toStrictEqual(transaction)
      const swap = { swapId: "s", status: "refunded", failureCode: "UNHEARD_OF", ...extra }
      expect(yield* telling(swap).submit({ geoOpToken: "t", signature: "s" })).toStrictEqual(swap)
      expect(yield* telling(swap).submitSolana({ geoOpToken: "t", signedTransaction: "s" })).toStrictEqual(swap)
      expect(yield* telling({ ...swap, originTxHash: null }).status("s")).toStrictEqual(swap)
    })
  )

  it.effect("keeps unknown fields and codes when it is encoded again", () =>
    Effect.gen(function* () {
      const wire = { ...quoteAnswer, warnings: [{ code: "UNHEARD_OF", since: 1 }], venue: null }
      const quote = yield* telling(wire).quote(evmRequest)
      expect(Schema.encodeSync(Quote.QuoteResponse)(quote)).toStrictEqual(wire)
      const swap = yield* telling({ swapId: "s", status: "failed", failureCode: "ODD", x: 1 }).status("s")
      expect(Schema.encodeSync(Swap.Swap)(swap)).toStrictEqual({
        swapId: "s",
        status: "failed",
        failureCode: "ODD",
        x: 1
      })
      const state = yield* telling({ delegated: false, nonce: "0x1", y: [] }).delegation({
        chainId: 1,
        walletAddress: "w"
      })
      expect(Schema.encodeSync(Delegation.Delegation)(state)).toStrictEqual({
        delegated: false,
        accountNonce: 1,
        y: []
      })
      const built = yield* telling({ geoOpHash: word, geoOpToken: "t", z: {} }).buildGeoOp({ geoQuoteToken: "q" })
      expect(Schema.encodeSync(Operation.BuiltOperation)(built)).toStrictEqual({
        geoOpHash: word,
        geoOpToken: "t",
        z: {}
      })
    })
  )

  it.effect("is decoded in every form that the protocol allows", () =>
    Effect.gen(function* () {
      const quote = yield* telling({
        geoQuoteToken: "gq1",
        output: { amount: 7 },
        minOutput: 6,
        feeBps: "12.5",
        expiresAt: 1767225630,
        feeDiscount: { tier: 2, discountPercent: "15.5", baseFeeBps: 15 },
        inputUsd: 5,
        outputUsd: 4.987,
        priceImpactBps: "-26",
        warnings: ["HIGH_PRICE_IMPACT", { code: "OTHER" }]
      }).quote(evmRequest)
      expect(quote).toStrictEqual({
        geoQuoteToken: "gq1",
        output: 7n,
        minOutput: 6n,
        feeBps: 12.5,
        expiresAt: new Date("2026-01-01T00:00:30.000Z"),
        feeDiscount: { tier: "2", discountPercent: 15.5, baseFeeBps: 15 },
        inputUsd: "5.00",
        outputUsd: "4.99",
        priceImpactBps: -26,
        warnings: [{ code: "HIGH_PRICE_IMPACT" }, { code: "OTHER" }]
      })
      const state = { delegated: false, contractAddress: authorization.address, nonce: "0x2a" }
      expect(yield* telling(state).delegation({ chainId: 1, walletAddress: "w" })).toStrictEqual({
        delegated: false,
        delegationTarget: authorization.address,
        accountNonce: 42
      })
      expect((yield* telling({ swapId: "s", status: "in_flight" }).status("s")).status).toBe("pending")
    })
  )

  it.effect("with chains may be a list, or an object with a list", () =>
    Effect.gen(function* () {
      const chain = { id: 8453, name: "Base", tokens: [], explorer: "e" }
      const listed = { ...chain, kind: "evm" }
      const decoded = { ...chain, family: "evm" }
      expect(yield* telling([listed]).chains).toStrictEqual([decoded])
      expect(yield* telling({ chains: [listed], version: 2 }).chains).toStrictEqual([decoded])
      expect(yield* telling([]).chains).toStrictEqual([])
      expect((yield* Effect.flip(telling({}).chains))._tag).toBe("ProtocolError")
      expect((yield* Effect.flip(telling({ chains: {} }).chains))._tag).toBe("ProtocolError")
      expect(Schema.is(Schema.Array(Schema.toType(Chain.Chain)))(yield* telling([listed]).chains)).toBe(true)
    })
  )

  it.effect.each([["s/2"], ["S/1"], ["s/1 "]] as const)("about another swap %j is refused", ([swapId]) =>
    Effect.gen(function* () {
      const error = yield* refusal("status", 200, { swapId, status: "settled" })
      expect(error).toMatchObject({ _tag: "ProtocolError", endpoint: "status", field: "swapId" })
    })
  )

  it.effect.each(methods)("of $endpoint that is nested too deep is a ProtocolError without a field", ({ endpoint }) =>
    Effect.gen(function* () {
      const body = `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
      expect(yield* errorOf(endpoint, { body })).toMatchObject({ _tag: "ProtocolError", field: "" })
    })
  )

  it.effect.each(methods)("of $endpoint that is not JSON is a ProtocolError without a field", ({ endpoint }) =>
    Effect.gen(function* () {
      const garbage = [
        "",
        " ",
        "<html></html>",
        "{",
        '{"a":1',
        "undefined",
        "NaN",
        "{'a':1}",
        "\ufeff{}",
        "{}{}",
        "[1,]"
      ]
      for (const body of garbage) {
        const error = yield* errorOf(endpoint, { body, headers: { "x-request-id": "r1" } })
        expect(error).toMatchObject({ _tag: "ProtocolError", endpoint, field: "", requestId: "r1", retry: "never" })
      }
    })
  )

  it.effect.each(methods)("of $endpoint that is JSON of another kind is a ProtocolError", ({ endpoint }) =>
    Effect.gen(function* () {
      for (const json of [null, true, 0, "text", [null], { error: "x" }, [[]]]) {
        expect(yield* refusal(endpoint, 200, json)).toMatchObject({ _tag: "ProtocolError", endpoint })
      }
    })
  )

  it.effect.each([
    ["quote", { ...quoteAnswer, output: "-1" }, "output"],
    ["quote", { ...quoteAnswer, expiresAt: "soon" }, "expiresAt"],
    ["quote", { ...quoteAnswer, geoQuoteToken: 1 }, "geoQuoteToken"],
    ["delegation", { delegated: 1 }, "delegated"],
    ["delegation", { delegated: false, nonce: "x" }, "accountNonce"],
    ["build-geo-op", { geoOpHash: "0x", geoOpToken: "t" }, "geoOpHash"],
    ["build-geo-op", { geoOpHash: word, geoOpToken: "t", geoOp: { chainId: "x" } }, "geoOp.chainId"],
    ["build-solana-tx", { unsignedTransaction: "***", geoOpToken: "t" }, "unsignedTransaction"],
    ["submit", { swapId: "s" }, "status"],
    ["submit-solana", { status: "pending" }, "swapId"],
    ["status", { swapId: "s/1", status: 1 }, "status"]
  ] as const)("of %s with an invalid field is a ProtocolError with that field: %j", ([endpoint, json, field]) =>
    Effect.gen(function* () {
      const error = yield* refusal(endpoint, 200, json, { "x-request-id": "r1" })
      expect(error).toMatchObject({ _tag: "ProtocolError", endpoint, field, requestId: "r1" })
      expect(error.message).toContain(field)
    })
  )

  it.effect("that is huge or truncated is handled", () =>
    Effect.gen(function* () {
      const long = yield* telling({ ...quoteAnswer, note: "x".repeat(5_000_000) }).quote(evmRequest)
      expect(long).toMatchObject({ output: 5n })
      const text = JSON.stringify(quoteAnswer)
      for (let length = 0; length < text.length; length++) {
        const error = yield* errorOf("quote", { body: text.slice(0, length) })
        expect(error).toMatchObject({ _tag: "ProtocolError", field: "" })
      }
    })
  )

  it.effect.each([[100], [199], [300], [302], [304], [0]] as const)("with status %d is a ProtocolError", ([status]) =>
    Effect.gen(function* () {
      for (const { endpoint, answer } of methods) {
        expect(yield* refusal(endpoint, status, answer)).toMatchObject({ _tag: "ProtocolError", endpoint })
      }
    })
  )
})

/** §7, row by row: with the code, and with the HTTP status alone. */
const rows = [
  ["NeedsDelegation", 409, "NEEDS_DELEGATION", "reauthorize"],
  ["Unsupported", 422, "UNSUPPORTED_DELEGATION", "never"],
  ["Expired", 410, "QUOTE_EXPIRED", "requote"],
  ["InvalidToken", 401, "INVALID_TOKEN", "requote"]
] as const

describe("§7 at the build calls", () => {
  for (const endpoint of ["build-geo-op", "build-solana-tx"] as const) {
    it.effect.each(rows)(
      `%s of ${endpoint} is recognized by %d %s, and by the status alone`,
      ([tag, status, code, retry]) =>
        Effect.gen(function* () {
          const coded = yield* refusal(endpoint, status, { code, message: "Said.", requestId: "r1" })
          expect(coded).toMatchObject({ _tag: tag, code, message: saying("Said."), requestId: "r1", retry })
          for (const body of ["", "{}", "<h1>No</h1>", "null", "No."]) {
            const bare = yield* refusal(endpoint, status, body)
            expect(bare).toMatchObject({ _tag: tag, retry })
            expect(bare.code).toBeUndefined()
            expect(bare.message).not.toBe("")
          }
        })
    )

    it.effect(
      `InvalidAuthorization of ${endpoint} is recognized by its code, or by a bare 409 to an authorization`,
      () =>
        Effect.gen(function* () {
          const body = { code: "INVALID_AUTHORIZATION", message: "Stale." }
          expect(yield* refusal(endpoint, 409, body)).toMatchObject({
            _tag: "InvalidAuthorization",
            code: body.code,
            message: saying(body.message),
            retry: "reauthorize"
          })
          const { transport } = answering({ status: 409 })
          const attached = yield* Effect.flip(build(endpoint, transport, { geoQuoteToken: "q", authorization }))
          expect(attached._tag).toBe("InvalidAuthorization")
          const bare = yield* Effect.flip(build(endpoint, transport, { geoQuoteToken: "q" }))
          expect(bare._tag).toBe("NeedsDelegation")
        })
    )

    it.effect(`a code takes precedence over an attached authorization at ${endpoint}`, () =>
      Effect.gen(function* () {
        const { transport } = answering({ status: 409, body: '{"code":"NEEDS_DELEGATION"}' })
        const error = yield* Effect.flip(build(endpoint, transport, { geoQuoteToken: "q", authorization }))
        expect(error._tag).toBe("NeedsDelegation")
      })
    )
  }

  it.effect("an expired quote is reported as a quote", () =>
    Effect.gen(function* () {
      for (const json of [{}, { code: "QUOTE_EXPIRED" }, { code: "GONE" }]) {
        expect(yield* refusal("build-geo-op", 410, json)).toMatchObject({ _tag: "Expired", what: "quote" })
      }
    })
  )

  it.effect.each([
    [409, "QUOTE_ALREADY_USED"],
    [422, "SLIPPAGE"],
    [422, "LIMIT_EXCEEDED"],
    [400, "VALIDATION"]
  ] as const)("a %d %s is none of these errors", ([status, code]) =>
    Effect.gen(function* () {
      expect(yield* refusal("build-geo-op", status, { code })).toMatchObject({ _tag: "Rejected", status, code })
    })
  )
})

describe("§7 at the submit calls", () => {
  for (const endpoint of ["submit", "submit-solana"] as const) {
    it.effect.each([
      ["InvalidAuthorization", 409, "INVALID_AUTHORIZATION", {}],
      ["Unsupported", 422, "UNSUPPORTED_DELEGATION", {}],
      ["Expired", 410, "OPERATION_EXPIRED", { what: "operation" }],
      ["Expired", 410, "QUOTE_EXPIRED", { what: "quote" }],
      ["Expired", 410, undefined, { what: "operation" }],
      ["InvalidToken", 401, "INVALID_TOKEN", {}],
      ["InvalidToken", 401, undefined, {}],
      ["Rejected", 409, undefined, { status: 409 }],
      ["Rejected", 409, "QUOTE_ALREADY_USED", { status: 409 }],
      ["NeedsDelegation", 409, "NEEDS_DELEGATION", { retry: "reauthorize" }],
      ["Rejected", 422, undefined, { status: 422 }],
      ["Rejected", 422, "INVALID_SIGNATURE", { status: 422 }],
      ["Rejected", 422, "TRANSACTION_MODIFIED", { status: 422 }]
    ] as const)(`%s of ${endpoint} is recognized by %d %s`, ([tag, status, code, fields]) =>
      Effect.gen(function* () {
        const error = yield* refusal(endpoint, status, code === undefined ? "" : { code })
        expect(error).toMatchObject({ _tag: tag, ...fields })
        expect(error.code).toBe(code)
      })
    )
  }
})

describe("the codes of §7 at other endpoints", () => {
  it.effect.each(open)("leave a refusal of %s as Rejected", (endpoint) =>
    Effect.gen(function* () {
      for (const [, status, code] of rows) {
        if (status === 401) continue
        expect(yield* refusal(endpoint, status, { code })).toMatchObject({ _tag: "Rejected", status, code })
        expect(yield* refusal(endpoint, status, "")).toMatchObject({ _tag: "Rejected", status })
      }
    })
  )
})

describe("a refusal of the swap itself", () => {
  const request = { ...evmRequest, amount: 10n }
  const { inputToken: token } = request

  /** The error of a quote of 10 units, or of a build call, in which nothing is known of the swap. */
  const quoted = (code: string, details: unknown) => Effect.flip(telling({ code, details }, 422).quote(request))
  const built = (code: string, details: unknown) => refusal("build-geo-op", 422, { code, details })

  it.effect.each([
    ["NO_ROUTE", "NoRoute"],
    ["INSUFFICIENT_BALANCE", "InsufficientBalance"],
    ["NEEDS_LARGER_SIZE", "AmountTooSmall"],
    ["NEEDS_SMALLER_SIZE", "AmountTooLarge"]
  ] as const)("is typed by its code %s in the calls that are about a swap", ([code, tag]) =>
    Effect.gen(function* () {
      for (const endpoint of ["quote", ...sealed] as const) {
        for (const status of [400, 404, 409, 422]) {
          const error = yield* refusal(endpoint, status, { code, message: "m", requestId: "r1" })
          expect(error).toMatchObject({ _tag: tag, code, requestId: "r1", retry: "never", message: saying("m") })
        }
      }
      for (const endpoint of ["delegation", "status", "chains"] as const) {
        expect(yield* refusal(endpoint, 422, { code })).toMatchObject({ _tag: "Rejected", code })
      }
      expect(yield* refusal("quote", 503, { code })).toMatchObject({ _tag: "Unavailable", code })
    })
  )

  it.effect("has the amounts of the service", () =>
    Effect.gen(function* () {
      const details = { token, balance: "9", inFlight: "6", required: "10" }
      for (const call of [quoted, built]) {
        expect(yield* call("INSUFFICIENT_BALANCE", details)).toMatchObject({ token, has: 3n, needs: 10n })
        expect(yield* call("INSUFFICIENT_BALANCE", { ...details, inFlight: "11" })).toMatchObject({ has: 0n })
        expect(yield* call("NEEDS_LARGER_SIZE", { minimum: "11" })).toMatchObject({ minimum: 11n })
        expect(yield* call("NEEDS_SMALLER_SIZE", { maximum: "9" })).toMatchObject({ maximum: 9n })
      }
    })
  )

  it.effect("has the token and the amount of the request in the error of a quote, whatever the service says", () =>
    Effect.gen(function* () {
      for (const details of [
        undefined,
        { required: "999999", balance: "3" },
        { token: token.toLowerCase(), balance: "3" }
      ]) {
        expect(yield* quoted("INSUFFICIENT_BALANCE", details)).toMatchObject({ token, needs: 10n })
      }
      const other = yield* quoted("INSUFFICIENT_BALANCE", { token: wallet, balance: "3" })
      expect(other).toMatchObject({ token, needs: 10n })
      expect(other).not.toHaveProperty("has")
    })
  )

  it.effect("has no amounts that contradict the request", () =>
    Effect.gen(function* () {
      expect(yield* quoted("INSUFFICIENT_BALANCE", { balance: "10" })).not.toHaveProperty("has")
      expect(yield* built("INSUFFICIENT_BALANCE", { balance: "10", required: "10" })).not.toHaveProperty("has")
      expect(yield* quoted("NEEDS_LARGER_SIZE", { minimum: "10" })).not.toHaveProperty("minimum")
      expect(yield* quoted("NEEDS_SMALLER_SIZE", { maximum: "10" })).not.toHaveProperty("maximum")
    })
  )

  it.effect.each([
    ["a number", 5],
    ["negative", "-1"],
    ["a fraction", "1.5"],
    ["in scientific notation", "1e3"],
    ["hexadecimal", "0x5"],
    ["with a leading zero", "05"],
    ["longer than any amount", "9".repeat(78)],
    ["endless", "9".repeat(60_000)],
    ["a sentence", "Send 5 to 0x1"],
    ["empty", ""],
    ["null", null],
    ["a list", ["5"]],
    ["an object", { amount: "5" }]
  ] as const)("ignores an amount that is %s", ([, amount]) =>
    Effect.gen(function* () {
      const details = {
        token: amount,
        balance: amount,
        inFlight: amount,
        required: amount,
        minimum: amount,
        maximum: amount
      }
      for (const code of ["INSUFFICIENT_BALANCE", "NEEDS_LARGER_SIZE", "NEEDS_SMALLER_SIZE"]) {
        const error = yield* built(code, details)
        for (const field of ["token", "has", "needs", "minimum", "maximum"]) expect(error).not.toHaveProperty(field)
      }
    })
  )

  it.effect.each([
    ["a list", ["5"]],
    ["a string", "5"],
    ["null", null],
    ["a number", 5]
  ] as const)("ignores details that are %s", ([, details]) =>
    Effect.gen(function* () {
      expect(yield* quoted("NEEDS_LARGER_SIZE", details)).toMatchObject({ _tag: "AmountTooSmall" })
      expect(yield* built("INSUFFICIENT_BALANCE", details)).toMatchObject({ _tag: "InsufficientBalance" })
    })
  )
})

describe("a bad API key and a bad sealed token", () => {
  it.effect.each(sealed)("are distinguished by code at %s; without a code it is the token", (endpoint) =>
    Effect.gen(function* () {
      expect(yield* refusal(endpoint, 401, { code: "UNAUTHORIZED" })).toMatchObject({
        _tag: "Unauthorized",
        retry: "never"
      })
      expect(yield* refusal(endpoint, 401, { code: "INVALID_API_KEY" })).toMatchObject({ _tag: "Unauthorized" })
      expect(yield* refusal(endpoint, 401, { code: "INVALID_TOKEN" })).toMatchObject({ _tag: "InvalidToken" })
      expect(yield* refusal(endpoint, 401, "")).toMatchObject({ _tag: "InvalidToken", retry: "requote" })
    })
  )

  it.effect.each(open)("are distinguished by endpoint: %s takes no token", (endpoint) =>
    Effect.gen(function* () {
      expect((yield* refusal(endpoint, 401, ""))._tag).toBe("Unauthorized")
      expect((yield* refusal(endpoint, 401, { code: "UNAUTHORIZED" })).code).toBe("UNAUTHORIZED")
    })
  )

  it.effect.each(methods)("are distinguished at $endpoint for a 403, which is the key", ({ endpoint }) =>
    Effect.gen(function* () {
      expect(yield* refusal(endpoint, 403, "")).toMatchObject({ _tag: "Unauthorized" })
      expect(yield* refusal(endpoint, 403, { code: "FORBIDDEN", message: "m" })).toMatchObject({
        _tag: "Unauthorized",
        code: "FORBIDDEN",
        message: saying("m")
      })
    })
  )
})

describe("the body of a refusal", () => {
  const shape = (json: unknown, headers = {}) => refusal("quote", 422, json, headers)

  it.effect("in the format of the protocol has a code, message, request id and details", () =>
    Effect.gen(function* () {
      const body = { code: "SLIPPAGE", message: "Try another.", requestId: "r1", details: { min: "5" } }
      const error = yield* shape(body)
      expect(error).toMatchObject({
        _tag: "Rejected",
        status: 422,
        retry: "never",
        ...body,
        message: saying(body.message)
      })
    })
  )

  it.effect.each([
    [
      "nested",
      { error: { code: "SLIPPAGE", message: "m", requestId: "r1", details: [1] } },
      { details: [1], requestId: "r1" }
    ],
    ["with errorCode", { errorCode: "SLIPPAGE", message: "m" }, {}],
    [
      "nested beside fields that are null",
      { code: null, message: null, error: { code: "SLIPPAGE", message: "m" } },
      {}
    ],
    ["nested with errorCode", { error: { errorCode: "SLIPPAGE", message: "m" } }, {}],
    ["with the code for an error", { error: "SLIPPAGE", message: "m" }, {}],
    ["as a problem with a code", { type: "https://e.example/no-route", title: "t", detail: "m", code: "SLIPPAGE" }, {}],
    ["as a problem whose type is the code", { type: "SLIPPAGE", title: "m" }, {}]
  ] as const)("is decoded %s", ([, json, fields]) =>
    Effect.gen(function* () {
      expect(yield* shape(json)).toMatchObject({ _tag: "Rejected", code: "SLIPPAGE", message: saying("m"), ...fields })
    })
  )

  it.effect("as an RFC 9457 problem has its detail or its title as message", () =>
    Effect.gen(function* () {
      const problem = { type: "about:blank", title: "Unprocessable", status: 422, instance: "/r/1" }
      const titled = yield* shape(problem)
      expect(titled.message).toContain("Unprocessable")
      expect(titled.code).toBeUndefined()
      expect((yield* shape({ ...problem, detail: "Too small." })).message).toContain("Too small.")
    })
  )

  it.effect.each([
    ["text", "No route for this pair.", "No route for this pair."],
    ["a JSON text", '"No route for this pair."', "No route for this pair."],
    ["an error as a string", '{"error":"No route for this pair."}', "No route for this pair."]
  ] as const)("of %s is the message", ([, body, message]) =>
    Effect.gen(function* () {
      const error = yield* shape(body)
      expect(error).toMatchObject({ _tag: "Rejected", message: saying(message) })
      expect(error.code).toBeUndefined()
    })
  )

  it.effect.each([
    ["HTML", "<!doctype html><html><body>502</body></html>"],
    ["HTML after a space", "\n <html>"],
    ["nothing", ""],
    ["a number", "5"],
    ["null", "null"],
    ["a list", '["SLIPPAGE"]'],
    ["fields of other types", '{"code":5,"message":{},"error":7,"title":[],"detail":null,"requestId":1}'],
    ["empty fields", '{"code":"","message":" ","error":{"code":""}}']
  ] as const)("of %s gets a default message", ([, body]) =>
    Effect.gen(function* () {
      const error = yield* shape(body)
      expect(error._tag).toBe("Rejected")
      expect([error.code, error.requestId]).toStrictEqual([undefined, undefined])
      expect(error.message).toContain("422")
      expect(error.message).not.toContain("<")
    })
  )

  it.effect.each([
    ["UNHEARD_OF"],
    ["lower_case"],
    ["with-dashes.and.dots"],
    ["E1"],
    ["toString"],
    ["__proto__"]
  ] as const)("keeps its code %j unchanged", ([code]) =>
    Effect.gen(function* () {
      for (const { endpoint } of methods) {
        expect(yield* refusal(endpoint, 418, { code })).toMatchObject({ _tag: "Rejected", status: 418, code })
      }
    })
  )

  it.effect("has no code if the code has no visible characters", () =>
    Effect.gen(function* () {
      const error = yield* refusal("build-geo-op", 409, { code: "\u200b", message: "\u200b" })
      expect(error._tag).toBe("NeedsDelegation")
      expect(error.code).toBeUndefined()
      expect(error.message).not.toBe("")
    })
  )

  it.effect("cannot flood a log or forge log lines", () =>
    Effect.gen(function* () {
      const error = yield* shape({
        code: "C".repeat(9_000),
        message: `a\r\nb\u001b[31m\u202e${"c".repeat(9_000)}`,
        requestId: "r\n2"
      })
      expect(error.message).toContain("a b [31m c")
      expect(error.message.length).toBeLessThan(600)
      expect(error.code?.length).toBeLessThanOrEqual(300)
      expect(error.requestId).toBe("r 2")
    })
  )

  it.effect("cannot add fields through a __proto__", () =>
    Effect.gen(function* () {
      const error = yield* shape('{"__proto__":{"code":"NO_ROUTE","message":"forged"}}')
      expect(error.code).toBeUndefined()
      expect(error.message).not.toContain("forged")
      expect(Object.keys(Object.prototype)).toStrictEqual([])
    })
  )
})

describe("the request id", () => {
  it.effect.each([
    [401, ""],
    [403, ""],
    [404, { code: "SWAP_NOT_FOUND" }],
    [409, { code: "NEEDS_DELEGATION" }],
    [409, { code: "INVALID_AUTHORIZATION" }],
    [410, ""],
    [422, { code: "UNSUPPORTED_DELEGATION" }],
    [429, ""],
    [500, "<html>"],
    [503, { code: "UNAVAILABLE" }],
    [200, "not JSON"],
    [200, {}],
    [302, ""]
  ] as const)("of the header is kept for %d %j", ([status, json]) =>
    Effect.gen(function* () {
      const error = yield* refusal("build-geo-op", status, json, { "x-request-id": "from-the-header" })
      expect(error.requestId).toBe("from-the-header")
      expect((yield* refusal("build-geo-op", status, json)).requestId).toBeUndefined()
    })
  )

  it.effect("of the header is kept if the response is about another swap", () =>
    Effect.gen(function* () {
      const json = { swapId: "other", status: "pending" }
      expect((yield* refusal("status", 200, json, { "x-request-id": "r1" })).requestId).toBe("r1")
    })
  )

  it.effect("of the body takes precedence over that of the header", () =>
    Effect.gen(function* () {
      const headers = { "x-request-id": "from-the-header" }
      expect((yield* refusal("quote", 500, { requestId: "from-the-body" }, headers)).requestId).toBe("from-the-body")
      expect((yield* refusal("quote", 500, { requestId: 5 }, headers)).requestId).toBe("from-the-header")
      expect((yield* refusal("quote", 500, "", { "x-request-id": "" })).requestId).toBeUndefined()
      expect((yield* refusal("quote", 500, "", { "x-request-id": "\u009b2J\u202er" })).requestId).toBe("2J r")
    })
  )
})

describe("a rate-limited service", () => {
  const date = "Thu, 01 Jan 2026 00:00:00 GMT"

  it.effect.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["no wait at all", { "retry-after": "0" }, 0],
    ["spaces around seconds", { "retry-after": " 7 " }, 7_000],
    ["a fraction of a second", { "retry-after": "0.5" }, 500],
    ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT", date }, 30_000],
    ["a date that is now", { "retry-after": date, date }, 0],
    ["RateLimit of the current draft", { ratelimit: '"default";r=0;t=12' }, 12_000],
    ["RateLimit of an earlier draft", { ratelimit: "limit=10, remaining=0, reset=12" }, 12_000],
    ["RateLimit-Reset", { "ratelimit-reset": "3" }, 3_000],
    ["Retry-After before all others", { "retry-after": "1", ratelimit: "r=0;t=2", "ratelimit-reset": "3" }, 1_000],
    ["RateLimit before RateLimit-Reset", { ratelimit: "r=0;t=2", "ratelimit-reset": "3" }, 2_000],
    ["RateLimit where Retry-After says nothing", { "retry-after": "soon", ratelimit: "r=0;t=2" }, 2_000]
  ] as const)("is recognized with %s", ([, headers, retryAfter]) =>
    Effect.gen(function* () {
      for (const { endpoint } of methods) {
        expect(yield* refusal(endpoint, 429, { code: "RATE_LIMITED" }, headers)).toMatchObject({
          _tag: "RateLimited",
          code: "RATE_LIMITED",
          retryAfter,
          retry: "later"
        })
      }
      expect(yield* refusal("quote", 503, "", headers)).toMatchObject({ _tag: "Unavailable", retryAfter })
    })
  )

  it.effect.each([
    ["nothing", {}],
    ["words", { "retry-after": "soon" }],
    ["a negative number", { "retry-after": "-5", date }],
    ["infinity", { "retry-after": "Infinity" }],
    ["not a number", { "retry-after": "NaN" }],
    ["hex", { "retry-after": "0x10" }],
    ["an exponent", { "retry-after": "1e400" }],
    ["more digits than there is time", { "retry-after": "9".repeat(400) }],
    ["a date in the past", { "retry-after": "Wed, 31 Dec 2025 23:59:59 GMT", date }],
    ["a policy without a time", { ratelimit: '"default";r=0', "ratelimit-reset": "later" }]
  ] as const)("has no retryAfter with %s", ([, headers]) =>
    Effect.gen(function* () {
      const error = yield* refusal("status", 429, "", headers)
      expect(error._tag).toBe("RateLimited")
      expect("retryAfter" in error).toBe(false)
    })
  )
})

describe("an unavailable service", () => {
  it.effect.each([
    [500, "server"],
    [501, "server"],
    [502, "server"],
    [503, "server"],
    [504, "timeout"],
    [599, "server"],
    [408, "timeout"],
    [425, "server"]
  ] as const)("is recognized by %d, with reason %s, at every endpoint", ([status, reason]) =>
    Effect.gen(function* () {
      for (const { endpoint } of methods) {
        const error = yield* refusal(endpoint, status, { code: "UPSTREAM", message: "m" })
        expect(error).toMatchObject({
          _tag: "Unavailable",
          status,
          reason,
          code: "UPSTREAM",
          message: saying("m"),
          retry: "later"
        })
      }
    })
  )

  it.effect.each(sealed)("is not trusted with its code for %s: a 5xx decides nothing", (endpoint) =>
    Effect.gen(function* () {
      const codes = [
        "QUOTE_EXPIRED",
        "OPERATION_EXPIRED",
        "INVALID_AUTHORIZATION",
        "UNSUPPORTED_DELEGATION",
        "INVALID_TOKEN"
      ]
      for (const code of codes) {
        expect(yield* refusal(endpoint, 500, { code })).toMatchObject({ _tag: "Unavailable", code })
      }
    })
  )

  it.effect.each(["Unavailable", "ProtocolError"] as const)("fails the call with the %s of the transport", (tag) =>
    Effect.gen(function* () {
      const cut =
        tag === "Unavailable"
          ? new SwapError.Unavailable({ reason: "network", message: "cut" })
          : new SwapError.ProtocolError({ endpoint: "quote", field: "", message: "too long" })
      const transport = Transport.make(() => Effect.fail(cut))
      for (const { call } of methods) expect(yield* Effect.flip(call(transport))).toBe(cut)
    })
  )
})

const coded = (code: string): Error => Object.assign(new Error("connect"), { code })

const circular = (): Error => {
  const error = new Error("x")
  error.cause = error
  return error
}

describe("a transport from promises", () => {
  const ok: Transport.HttpResponse = { status: 200, headers: {}, body: JSON.stringify(quoteAnswer) }

  it.effect("sends the same requests and decodes the same responses, with its options", () =>
    Effect.gen(function* () {
      const sent: Array<Transport.HttpRequest> = []
      const transport = Transport.fromPromise({
        delegationPath: "path",
        send: async (request) => {
          sent.push(request)
          return { ...ok, body: '{"delegated":true}' }
        }
      })
      expect(yield* transport.delegation({ chainId: 1, walletAddress: "w" })).toStrictEqual({ delegated: true })
      expect(sent).toMatchObject([{ endpoint: "delegation", method: "GET", path: "/swap/delegation/1/w" }])
    })
  )

  it.effect.each([
    { name: "nothing", reason: undefined },
    { name: "an object without words", reason: Object.create(null) as unknown },
    { name: "an error that is its own cause", reason: circular() }
  ])("treats a rejection with $name as a broken connection", ({ reason }) =>
    Effect.gen(function* () {
      const transport = Transport.fromPromise({ send: () => Promise.reject(reason) })
      const error = yield* Effect.flip(transport.status("swap"))
      expect(error).toMatchObject({ _tag: "Unavailable", reason: "network" })
    })
  )

  it.effect.each(["thrown", "rejected"] as const)(
    "treats anything that is %s as a broken connection, and keeps the message of the cause",
    (how) =>
      Effect.gen(function* () {
        const cause = new TypeError("fetch failed")
        const transport = Transport.fromPromise({
          send: () => {
            if (how === "thrown") throw cause
            return Promise.reject(cause)
          }
        })
        const error = yield* Effect.flip(transport.quote(evmRequest))
        expect(error).toMatchObject({ _tag: "Unavailable", reason: "network", retry: "later" })
        expect((error as SwapError.Unavailable).cause).toBe("fetch failed")
      })
  )

  it.effect.each([
    ["the code of a cause", new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }), ": ECONNREFUSED"],
    [
      "the code of the first address",
      new TypeError("fetch failed", { cause: new AggregateError([coded("ENETUNREACH"), coded("ECONNREFUSED")]) }),
      ": ENETUNREACH"
    ],
    ["no code that could be a secret", new TypeError("fetch failed", { cause: coded("sk_live_1234") }), ""],
    ["no code if there is none", new TypeError("fetch failed"), ""]
  ] as const)("names the host and %s", ([, cause, code]) =>
    Effect.gen(function* () {
      const transport = Transport.fromPromise({ host: "swap.example", send: () => Promise.reject(cause) })
      const error = yield* Effect.flip(transport.quote(evmRequest))
      expect(error.message).toBe(`The service at swap.example could not be reached${code}.`)
    })
  )

  it.effect("passes on only the typed errors that a transport can fail with", () =>
    Effect.gen(function* () {
      const failing = (cause: Error) =>
        Effect.flip(Transport.fromPromise({ send: () => Promise.reject(cause) }).quote(evmRequest))
      const timeout = new SwapError.Unavailable({ reason: "timeout", message: "m" })
      const garbled = new SwapError.ProtocolError({ endpoint: "quote", field: "", message: "m" })
      expect(yield* failing(timeout)).toBe(timeout)
      expect(yield* failing(garbled)).toBe(garbled)
      const expired = yield* failing(new SwapError.Expired({ what: "quote", message: "m" }))
      expect(expired).toMatchObject({ _tag: "Unavailable", reason: "network" })
    })
  )

  it.effect("aborts the request when its result is no longer needed", () =>
    Effect.gen(function* () {
      const signals: Array<AbortSignal> = []
      const transport = Transport.fromPromise({
        send: (_, { signal }) => {
          signals.push(signal)
          return new Promise(() => {})
        }
      })
      const fiber = yield* Effect.forkChild(transport.quote(evmRequest), { startImmediately: true })
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false])
      yield* Fiber.interrupt(fiber)
      expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true])
    })
  )

  it.effect("sends the caller's trace, if there is one", () =>
    Effect.gen(function* () {
      const headers: Array<Transport.HttpRequest["headers"]> = []
      const transport = Transport.fromPromise({
        send: async (request) => {
          headers.push(request.headers)
          return ok
        }
      })
      yield* transport.quote(evmRequest)
      const span = yield* Effect.withSpan(Effect.andThen(transport.quote(evmRequest), Effect.currentSpan), "caller")
      expect(headers).toStrictEqual([{}, { traceparent: `00-${span.traceId}-${span.spanId}-01` }])
    })
  )
})
