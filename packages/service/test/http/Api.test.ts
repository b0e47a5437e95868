import { describe, expect, it } from "@effect/vitest"
import { Chain, Delegation, Operation, Quote, Swap } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Code, statusOf } from "../../src/domain/Refusal.js"
import { api, openApi } from "../../src/http/api/Api.js"
import { type Example, examples } from "../../src/http/api/examples.js"
import * as responses from "../../src/http/api/responseSchemas.js"
import { webApp } from "./webApp.js"

const spec = openApi("1.2.3")

/** All references in a document. */
const referencesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner)
      )

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], spec)

const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation: operation as NonNullable<typeof item.get>
  }))
)

const swapPaths = operations.map(({ path }) => path).filter((path) => path.startsWith("/swap/"))

const errorsOf = ({ responses }: (typeof operations)[number]["operation"]) =>
  Object.entries(responses).filter(([status]) => status !== "200")

/** The codes that the document names for a path. */
const codesOf = (path: string): ReadonlyArray<string> =>
  operations
    .filter((each) => each.path === path)
    .flatMap(({ operation }) => errorsOf(operation))
    .flatMap(([, { description }]) => description.split(", "))

describe("the OpenAPI document", () => {
  it("has version 3.1 and every endpoint", () => {
    expect(spec.openapi).toBe("3.1.0")
    expect(spec.info).toMatchObject({ title: "GeoSwap", version: "1.2.3" })
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "post /swap/quote",
      "get /swap/delegation",
      "get /swap/delegation/{chainId}/{walletAddress}",
      "post /swap/change-delegation",
      "get /swap/delegation-status/{changeId}",
      "post /swap/build-geo-op",
      "post /swap/build-solana-tx",
      "post /swap/submit",
      "post /swap/submit-solana",
      "get /swap/status/{swapId}",
      "get /swap/chains",
      "get /health/live",
      "get /health/ready"
    ])
  })

  it("requires the key under /swap and nowhere else", () => {
    expect(spec.components.securitySchemes).toMatchObject({
      apiKey: { type: "apiKey", in: "header", name: "x-api-key" }
    })
    const keyed = operations.filter(({ operation }) => JSON.stringify(operation.security) === `[{"apiKey":[]}]`)
    expect(keyed.map(({ path }) => path)).toEqual(swapPaths)
    expect(operations.filter(({ operation }) => operation.security.length === 0)).toHaveLength(2)
  })

  it("describes every operation, with examples", () => {
    for (const { operation, path } of operations) {
      const { description, parameters, requestBody, responses, summary } = operation
      expect(summary).toMatch(/^[A-Z].+/)
      expect(description).toMatch(/^[A-Z].+\.$/)
      const contents = [responses[200]?.content, ...(requestBody ? [requestBody.content] : [])]
      for (const content of contents) {
        const media = content?.["application/json"]
        const variants: Readonly<Record<string, string>> = {
          "/swap/quote": "examples.indicative.value.indicative",
          "/swap/build-geo-op": "examples.payment.value"
        }
        expect(media).toHaveProperty(variants[path] ?? "example")
      }
      for (const parameter of parameters) {
        expect(Object.entries(parameter)).toContainEqual(["description", expect.stringMatching(/^The .+\.$/)])
        expect(parameter).toHaveProperty("example")
      }
    }
  })

  it("names the error codes of every endpoint under their status", () => {
    for (const { operation } of operations) {
      for (const [status, { content, description }] of errorsOf(operation)) {
        const codes = description.split(", ") as ReadonlyArray<Code>
        expect(new Set(codes.map((code) => statusOf[code]))).toEqual(new Set([Number(status)]))
        expect(content?.["application/json"]?.schema).toEqual({
          allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code: { enum: codes } } }]
        })
      }
    }
    expect(codesOf("/swap/build-geo-op")).toEqual(
      expect.arrayContaining(["NEEDS_DELEGATION", "INVALID_AUTHORIZATION", "UNSUPPORTED_DELEGATION", "QUOTE_EXPIRED"])
    )
    expect(codesOf("/swap/quote")).toEqual(
      expect.arrayContaining(["NO_ROUTE", "INSUFFICIENT_BALANCE", "NEEDS_LARGER_SIZE", "NEEDS_SMALLER_SIZE"])
    )
    expect(codesOf("/swap/submit")).toEqual(expect.arrayContaining(["INVALID_SIGNATURE", "QUOTE_ALREADY_USED"]))
    // Operations and authorizations have a nonce. Solana transactions do not.
    const nonces = swapPaths.filter((path) => codesOf(path).includes("NONCE_USED"))
    expect(nonces).toEqual(["/swap/change-delegation", "/swap/build-geo-op", "/swap/submit"])
    expect(codesOf("/swap/change-delegation")).toEqual(
      expect.arrayContaining(["SWAP_IN_PROGRESS", "NOTHING_TO_CHANGE", "GAS_BUDGET_EXCEEDED"])
    )
    expect(codesOf("/swap/delegation-status/{changeId}")).toContain("CHANGE_NOT_FOUND")
    expect(codesOf("/swap/status/{swapId}")).toContain("SWAP_NOT_FOUND")
    for (const path of swapPaths) {
      expect(codesOf(path)).toEqual(expect.arrayContaining(["UNAUTHORIZED", "RATE_LIMITED", "UNAVAILABLE"]))
    }
  })

  it("describes the amounts in errors", () => {
    const { properties } = resolve("#/components/schemas/Error") as {
      properties: Record<string, { properties: object }>
    }
    expect(Object.keys(properties["details"]?.properties ?? {})).toEqual([
      "token",
      "balance",
      "inFlight",
      "required",
      "minimum",
      "maximum"
    ])
  })

  it("has previousGeoOpToken as an optional field of the build, and no maximum length for tokens", () => {
    expect(resolve("#/components/schemas/BuildRequest")).toMatchObject({
      required: ["geoQuoteToken"],
      properties: { previousGeoOpToken: { type: "string", description: expect.stringContaining("nonce") as string } }
    })
    for (const name of ["BuildRequest", "SolanaBuildRequest", "SubmitRequest", "SolanaSubmitRequest"]) {
      const { properties } = resolve(`#/components/schemas/${name}`) as { properties: Record<string, object> }
      const tokens = Object.entries(properties).filter(([field]) => field.endsWith("Token"))
      expect(tokens.map(([, schema]) => "maxLength" in schema)).toEqual(tokens.map(() => false))
    }
  })

  it("requires a wallet for a quote, but not for an indicative quote, which has no token", () => {
    const schemaOf = (name: string) =>
      resolve(`#/components/schemas/${name}`) as {
        readonly required: ReadonlyArray<string>
        readonly properties: Readonly<Record<string, object>>
      }
    expect(schemaOf("QuoteRequest").required).toContain("walletAddress")
    expect(schemaOf("QuoteRequest").required).not.toContain("indicative")
    const { properties, required } = schemaOf("IndicativeQuoteRequest")
    expect(required).toEqual(["originChain", "destinationChain", "inputToken", "outputToken", "amount", "indicative"])
    expect(properties).toHaveProperty("walletAddress")
    expect(schemaOf("Quote").required).toContain("geoQuoteToken")
    expect(Object.keys(schemaOf("IndicativeQuote").properties)).not.toContain("geoQuoteToken")
    const quote = spec.paths["/swap/quote"]?.post
    const schemas = [quote?.requestBody?.content, quote?.responses[200]?.content].map(
      (content) => content?.["application/json"]?.schema
    )
    const anyOf = (...names: ReadonlyArray<string>) => ({
      anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
    })
    expect(schemas).toEqual([anyOf("QuoteRequest", "IndicativeQuoteRequest"), anyOf("Quote", "IndicativeQuote")])
  })

  it("has no dangling references, names parameters as in its paths, and closes no object", () => {
    const references = referencesIn(spec)
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) expect(resolve(reference)).toBeTypeOf("object")
    for (const { operation, path } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
      expect([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)).toEqual(inPath)
    }
    expect(JSON.stringify(spec)).not.toContain("additionalProperties")
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
  })

  it.effect("is served as JSON", () =>
    Effect.gen(function* () {
      const { body, status } = yield* webApp().get("/openapi.json", { "x-api-key": "" })
      expect(status).toBe(200)
      expect(body).toEqual(JSON.parse(JSON.stringify(spec)))
    })
  )
})

describe("the examples", () => {
  it("match the schemas of the endpoints", () => {
    const decode = (schema: Schema.Constraint, value: unknown) =>
      Schema.decodeUnknownSync(schema as Schema.ConstraintDecoder<unknown>)(value)
    for (const endpoint of Object.values(api.groups.swap.endpoints)) {
      const example: Example = examples[endpoint.identifier]
      const [payload] = endpoint.payload.values()
      if (payload) decode(payload.schemas[0], example.request)
      if (example.variant) decode(payload?.schemas[1] ?? payload?.schemas[0] ?? Schema.Never, example.variant.request)
      if (endpoint.query) decode(endpoint.query, example.parameters)
      if (endpoint.params) decode(endpoint.params, example.parameters)
      for (const success of endpoint.success) {
        decode(success, example.answer)
        if (example.variant) decode(success, example.variant.answer)
      }
    }
  })
})

describe("the wire format", () => {
  const encoded = <A>(schema: Schema.Codec<A, unknown>, value: A) => Schema.encodeSync(schema)(value)

  it.prop("of a quote is the one of core", [Schema.toType(responses.QuoteAnswer)], ([value]) => {
    expect(encoded(responses.QuoteAnswer, value)).toEqual(encoded(Quote.QuoteResponse, value))
  })

  it.prop("of an indicative quote is the one of core", [Schema.toType(responses.IndicativeQuoteAnswer)], ([value]) => {
    expect(encoded(responses.IndicativeQuoteAnswer, value)).toEqual(encoded(Quote.IndicativeQuoteResponse, value))
  })

  it.prop("of a delegation is the one of core", [Schema.toType(responses.DelegationAnswer)], ([value]) => {
    expect(encoded(responses.DelegationAnswer, value)).toEqual(encoded(Delegation.Delegation, value))
  })

  it.prop("of a delegation change is the one of core", [Schema.toType(responses.DelegationChangeAnswer)], ([value]) => {
    expect(encoded(responses.DelegationChangeAnswer, value)).toEqual(encoded(Delegation.Change, value))
  })

  it.prop("of an operation is the one of core", [Schema.toType(responses.BuildAnswer)], ([value]) => {
    expect(encoded(responses.BuildAnswer, value)).toEqual(encoded(Operation.BuiltOperation, value))
  })

  it.prop("of a transaction is the one of core", [Schema.toType(responses.SolanaBuildAnswer)], ([value]) => {
    expect(encoded(responses.SolanaBuildAnswer, value)).toEqual(encoded(Operation.BuiltTransaction, value))
  })

  it.prop("of a swap is the one of core", [Schema.toType(responses.SwapAnswer)], ([value]) => {
    expect(encoded(responses.SwapAnswer, value)).toEqual(encoded(Swap.Swap, value))
  })

  it.prop("of chains is the one of core", [Schema.toType(responses.ChainsAnswer)], ([{ chains }]) => {
    const wire = encoded(Schema.Array(Chain.Chain), chains)
    expect(encoded(responses.ChainsAnswer, { chains })).toEqual({ chains: wire })
  })
})

describe("the reference page", () => {
  const page = Effect.flatMap(webApp().send("GET", "/docs", { headers: { "x-api-key": "" } }), (response) =>
    Effect.map(
      Effect.promise(() => response.text()),
      (text) => ({ text, headers: response.headers })
    )
  )

  it.effect("shows every endpoint with its examples and errors", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* page
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
      for (const { method, path } of operations) expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
      for (const name of Object.keys(spec.components.schemas)) expect(text).toContain(`id="${name}"`)
      expect(text).toContain("&quot;originChain&quot;: 8453")
      expect(text).toContain("&quot;indicative&quot;: true")
      expect(text).toContain('<a href="#QuoteRequest">QuoteRequest</a> | <a href="#IndicativeQuoteRequest">')
      expect(text).toContain("NEEDS_DELEGATION")
    })
  )

  it.effect("loads and runs nothing, and has no dangling links", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* page
      expect(text).not.toMatch(/<script|<link|<img|<iframe|<form| on[a-z]+=|https?:|@import|url\(|undefined|\[object/i)
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
      for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
      const [, styles = ""] = /<style>([^]*)<\/style>/.exec(text) ?? []
      const hash = yield* Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(styles)))
      expect(headers.get("content-security-policy")).toBe(
        `default-src 'none'; style-src 'sha256-${Buffer.from(hash).toString("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
      )
    })
  )
})
