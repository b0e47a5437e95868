import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Chain, Quote } from "../src/index.js"
import { ScriptedTransport } from "../src/testing.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const { evmRequest, solanaRequest } = ScriptedTransport
const least = { geoQuoteToken: "gq1", output: "2500", feeBps: 12.5, expiresAt: "2026-01-01T00:00:30.000Z" }
const instant = new Date("2026-01-01T00:00:30.000Z")

/** A quote with some fields changed. */
const quoted = (fields: Readonly<Record<string, unknown>>) => decoded(Quote.QuoteResponse, { ...least, ...fields })
const unquotable = (fields: Readonly<Record<string, unknown>>) => refuses(Quote.QuoteResponse, { ...least, ...fields })

describe("the models of a quote", () => {
  survivesTheWire("quote", Quote.QuoteResponse)
  survivesTheWire("indicative quote", Quote.IndicativeQuoteResponse)
  survivesTheWire("quote request", Quote.QuoteRequest)
  survivesTheWire("indicative quote request", Quote.IndicativeQuoteRequest)
  survivesTheWire("fee discount", Quote.FeeDiscount)
  survivesTheWire("warning", Quote.Warning)
})

describe("a quote", () => {
  it("needs only the four fields of the protocol", () => {
    expect(quoted({})).toStrictEqual({ geoQuoteToken: "gq1", output: 2500n, feeBps: 12.5, expiresAt: instant })
  })

  it.each(Object.keys(least))("is invalid without %s", (field) => {
    expect(unquotable({ [field]: undefined })).toBe(true)
    expect(unquotable({ [field]: null })).toBe(true)
  })

  it("refuses an empty token", () => {
    expect(unquotable({ geoQuoteToken: "" })).toBe(true)
  })

  it.each([["2500"], [2500], [{ amount: "2500" }], [{ amount: 2500 }]])("decodes the output %j", (output) => {
    const { networkCost, minOutput, ...rest } = quoted({ output, minOutput: output, networkCost: output })
    expect([rest.output, minOutput, networkCost]).toStrictEqual([2500n, 2500n, 2500n])
  })

  it.each([
    [12.5, 12.5],
    [0, 0],
    ["12.5", 12.5],
    ["-3", -3]
  ])("decodes %j as the number %d", (wire, value) => {
    const { feeBps, priceImpactBps } = quoted({ feeBps: wire, priceImpactBps: wire })
    expect([feeBps, priceImpactBps]).toStrictEqual([value, value])
  })

  it.each([["many"], ["5%"], [""], ["1e3"], ["0x10"], ["NaN"], ["1.2.3"], [" 1"], [true], [[1]], [{ bps: 1 }]])(
    "refuses %j as a number",
    (wire) => {
      expect(unquotable({ feeBps: wire })).toBe(true)
      expect(unquotable({ priceImpactBps: wire })).toBe(true)
    }
  )

  it.each([
    ["2026-01-01T00:00:30.000Z"],
    ["2026-01-01T00:00:30Z"],
    ["2026-01-01T01:00:30+01:00"],
    ["2025-12-31T23:00:30.000000-01:00"],
    [instant.getTime()],
    [instant.getTime() / 1000]
  ])("decodes the expiry %j", (expiresAt) => {
    expect(quoted({ expiresAt }).expiresAt).toStrictEqual(instant)
  })

  it("encodes the expiry in UTC with milliseconds", () => {
    const wire = Schema.encodeSync(Quote.QuoteResponse)(quoted({ expiresAt: instant.getTime() / 1000 }))
    expect(wire.expiresAt).toBe("2026-01-01T00:00:30.000Z")
  })

  it.each([["soon"], [""], ["2026-13-41T25:61:61Z"], [8.64e15 + 2], [true], [{}], [[]]])(
    "refuses %j as an expiry",
    (expiresAt) => {
      expect(unquotable({ expiresAt })).toBe(true)
    }
  )

  it("decodes every expiry that it encodes", () => {
    for (const expiresAt of [0, 1, 1e11 - 1, 1e11, 253402300799999, 253402300800000, 8.64e15]) {
      if (unquotable({ expiresAt })) continue
      const quote = quoted({ expiresAt })
      expect(decoded(Quote.QuoteResponse, Schema.encodeSync(Quote.QuoteResponse)(quote))).toStrictEqual(quote)
    }
  })

  it("decodes a discount with a tier and a percentage as string or number", () => {
    const asText = quoted({ feeDiscount: { tier: "gold", discountPercent: 20, baseFeeBps: 15 } })
    expect(asText.feeDiscount).toStrictEqual({ tier: "gold", discountPercent: 20, baseFeeBps: 15 })
    const asNumber = quoted({ feeDiscount: { tier: 3, discountPercent: "20.5", baseFeeBps: "15", until: "June" } })
    expect(asNumber.feeDiscount).toStrictEqual({ tier: "3", discountPercent: 20.5, baseFeeBps: 15, until: "June" })
  })

  it("drops an invalid discount or network cost, which are only for display", () => {
    const quote = quoted({ feeDiscount: { tier: "gold" }, networkCost: "-1" })
    expect(["feeDiscount" in quote, "networkCost" in quote]).toStrictEqual([false, false])
    expect(unquotable({ minOutput: "-1" })).toBe(true)
  })

  it("decodes USD values as strings or numbers, and encodes strings with two decimals", () => {
    const { inputUsd, outputUsd } = quoted({ inputUsd: "5.00", outputUsd: 4.9 })
    expect([inputUsd, outputUsd]).toStrictEqual(["5.00", "4.90"])
  })

  it("decodes warnings with unknown codes, and bare codes", () => {
    const warnings = [{ code: "HIGH_PRICE_IMPACT", message: "m" }, "MOON_IS_FULL", { code: "NEW", level: 2 }]
    expect(quoted({ warnings }).warnings).toStrictEqual([
      { code: "HIGH_PRICE_IMPACT", message: "m" },
      { code: "MOON_IS_FULL" },
      { code: "NEW", level: 2 }
    ])
  })

  it("limits the number of warnings", () => {
    const warnings = Array.from({ length: 200_000 }, (_, index) => `W${index}`)
    expect(quoted({ warnings }).warnings).toHaveLength(20)
  })

  it.each([
    ["minOutput"],
    ["feeDiscount"],
    ["inputUsd"],
    ["outputUsd"],
    ["priceImpactBps"],
    ["warnings"],
    ["origin"],
    ["networkCost"]
  ])("treats null as missing in %s", (field) => {
    expect(field in quoted({ [field]: null })).toBe(false)
  })

  it("keeps unknown fields when it is decoded and encoded", () => {
    const extra = { route: [{ venue: "a" }], rank: 0, note: null, "": "" }
    const quote = quoted(extra)
    expect(quote).toMatchObject(extra)
    expect(Schema.encodeSync(Quote.QuoteResponse)(quote)).toMatchObject(extra)
  })

  it("ignores a __proto__ of the service", () => {
    const text = `{"__proto__":{"minOutput":"1","toString":1},${JSON.stringify(least).slice(1)}`
    const quote = decoded(Quote.QuoteResponse, JSON.parse(text))
    expect(quote.minOutput).toBeUndefined()
    expect(Object.getPrototypeOf(quote)).toBe(Object.prototype)
  })

  it("has its output as minimum if it has no other", () => {
    expect(Quote.minOutputOf(quoted({ minOutput: "2400" }))).toBe(2400n)
    expect(Quote.minOutputOf(quoted({}))).toBe(2500n)
    expect(Quote.minOutputOf(quoted({ minOutput: "0" }))).toBe(0n)
  })

  it("is valid for 30 seconds", () => {
    expect(Quote.lifetimeMillis).toBe(30_000)
  })
})

describe("an indicative quote", () => {
  const price = { indicative: true, output: "2500", feeBps: 12.5 }
  const priced = (fields: Readonly<Record<string, unknown>>) =>
    decoded(Quote.IndicativeQuoteResponse, { ...price, ...fields })

  it("has the same fields as a quote, except for the token and the expiry", () => {
    const { geoQuoteToken: _, expiresAt: __, ...rest } = least
    const details = {
      minOutput: 2400,
      networkCost: { amount: "3" },
      inputUsd: 5,
      outputUsd: "4.90",
      priceImpactBps: "-20",
      warnings: ["NEW"],
      feeDiscount: { tier: 3, discountPercent: "20", baseFeeBps: 15 },
      origin: "evm"
    }
    const { geoQuoteToken: ___, expiresAt: ____, ...firm } = quoted(details)
    expect(priced({ ...rest, ...details })).toStrictEqual({ ...firm, indicative: true })
    expect(refuses(Quote.IndicativeQuoteResponse, { ...price, output: undefined })).toBe(true)
    expect(refuses(Quote.IndicativeQuoteResponse, { ...price, feeBps: "many" })).toBe(true)
    expect(refuses(Quote.IndicativeQuoteResponse, [])).toBe(true)
  })

  it("drops the token and the expiry of a quote, which a service may send that does not know the field", () => {
    expect(decoded(Quote.IndicativeQuoteResponse, least)).toStrictEqual({
      indicative: true,
      output: 2500n,
      feeBps: 12.5
    })
    expect(priced({ ...least, indicative: false, route: "a" })).toStrictEqual({
      indicative: true,
      output: 2500n,
      feeBps: 12.5,
      route: "a"
    })
  })

  it("is encoded with the field that marks it", () => {
    expect(Schema.encodeSync(Quote.IndicativeQuoteResponse)(priced({ minOutput: "0" }))).toStrictEqual({
      ...price,
      minOutput: "0"
    })
  })
})

const max = { evm: 2n ** 256n - 1n, solana: 2n ** 64n - 1n }

describe("a request", () => {
  it.effect("that is valid is returned with the amount as a bigint and no other fields", () =>
    Effect.gen(function* () {
      const foreign = { ...evmRequest, amount: "10000000", extra: 1, recipient: undefined }
      expect(yield* Quote.request(foreign)).toStrictEqual({ ...evmRequest, slippageBps: 50 })
      expect(yield* Quote.request(solanaRequest)).toStrictEqual({ ...solanaRequest, slippageBps: 50 })
    })
  )

  it.effect.each([
    ["the largest amount of an EVM chain", { ...evmRequest, amount: max.evm }],
    ["the largest amount of Solana", { ...solanaRequest, amount: max.solana }],
    ["the smallest amount", { ...evmRequest, amount: 1n }],
    ["no slippage", { ...evmRequest, slippageBps: 0 }],
    ["any slippage", { ...evmRequest, slippageBps: 10_000 }],
    ["the native token as output", { ...evmRequest, outputToken: Chain.nativeToken.evm }],
    ["another token on the same chain", { ...evmRequest, destinationChain: 8453 }],
    ["the same token on another chain", { ...evmRequest, outputToken: evmRequest.inputToken }],
    ["a recipient on a chain of the same family", { ...evmRequest, recipient: evmRequest.inputToken }],
    ["an address in upper case", { ...evmRequest, walletAddress: `0x${"AB".repeat(20)}` }]
  ] as const)("may have %s", ([, input]) => Quote.request(input))

  it.effect.each([
    ["originChain", "a chain id of zero", { ...evmRequest, originChain: 0 }],
    ["originChain", "a fractional chain id", { ...evmRequest, originChain: 1.5 }],
    ["originChain", "a chain id in a text", { ...evmRequest, originChain: "8453" }],
    ["originChain", "the name of an object's property for a chain id", { ...evmRequest, originChain: "toString" }],
    ["originChain", "nothing at all", undefined],
    ["destinationChain", "a negative destination", { ...evmRequest, destinationChain: -1 }],
    ["destinationChain", "no destination", { ...evmRequest, destinationChain: undefined }],
    ["recipient", "no recipient across families", { ...solanaRequest, recipient: undefined }],
    ["recipient", "a recipient of the wrong family", { ...evmRequest, recipient: solanaRequest.walletAddress }],
    ["recipient", "an empty recipient", { ...evmRequest, recipient: "" }],
    ["recipient", "the zero address as recipient", { ...evmRequest, recipient: Chain.nativeToken.evm }],
    ["recipient", "null for a recipient", { ...evmRequest, recipient: null }],
    ["walletAddress", "a wallet of the wrong family", { ...evmRequest, walletAddress: solanaRequest.walletAddress }],
    ["walletAddress", "no wallet", { ...evmRequest, walletAddress: undefined }],
    ["inputToken", "an input token of the wrong family", { ...evmRequest, inputToken: solanaRequest.inputToken }],
    ["inputToken", "the native token as input", { ...evmRequest, inputToken: Chain.nativeToken.evm }],
    ["inputToken", "Solana's native token as input", { ...solanaRequest, inputToken: Chain.nativeToken.solana }],
    ["outputToken", "an output token of the wrong family", { ...evmRequest, outputToken: solanaRequest.inputToken }],
    [
      "outputToken",
      "the same token on the same chain in another case",
      { ...evmRequest, destinationChain: 8453, outputToken: `0x${evmRequest.inputToken.slice(2).toUpperCase()}` }
    ],
    ["amount", "a zero amount", { ...evmRequest, amount: 0n }],
    ["amount", "a zero in a text", { ...evmRequest, amount: "0" }],
    ["amount", "a negative amount", { ...evmRequest, amount: -1n }],
    ["amount", "a fractional amount", { ...evmRequest, amount: "1.5" }],
    ["amount", "an amount in a number", { ...evmRequest, amount: 10 }],
    ["amount", "no amount", { ...evmRequest, amount: undefined }],
    ["amount", "more than an EVM chain holds", { ...evmRequest, amount: max.evm + 1n }],
    ["amount", "more than Solana holds", { ...solanaRequest, amount: max.solana + 1n }],
    ["slippageBps", "negative slippage", { ...evmRequest, slippageBps: -1 }],
    ["slippageBps", "slippage beyond everything", { ...evmRequest, slippageBps: 10_001 }],
    ["slippageBps", "fractional slippage", { ...evmRequest, slippageBps: 0.5 }],
    ["slippageBps", "slippage that is not a number", { ...evmRequest, slippageBps: Number.NaN }],
    ["slippageBps", "slippage in a text", { ...evmRequest, slippageBps: "50" }]
  ] as const)("is refused because of %s: %s", ([field, , input]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Quote.request(input as unknown as Quote.QuoteInput))
      expect(error).toMatchObject({ _tag: "InvalidInput", field, retry: "never" })
      expect(error.message).toMatch(new RegExp(`^${field}: .+\\.$`))
    })
  )

  it.effect.each(["walletAddress", "inputToken", "outputToken", "recipient"] as const)(
    "with a typo in the checksum of %s is refused with a message about the checksum",
    (field) =>
      Effect.gen(function* () {
        // A typo in the last digit of a valid address.
        const mistyped = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267"
        const error = yield* Effect.flip(Quote.request({ ...ScriptedTransport.evmRequest, [field]: mistyped }))
        expect(error).toMatchObject({ _tag: "InvalidInput", field })
        expect(error.message).toContain("EIP-55")
        yield* Quote.request({ ...ScriptedTransport.evmRequest, [field]: mistyped.toLowerCase() })
      })
  )

  it.effect("uses the configured chain families", () =>
    Effect.gen(function* () {
      const input = { ...solanaRequest, originChain: 900 }
      expect((yield* Effect.flip(Quote.request(input))).field).toBe("walletAddress")
      const request = yield* Effect.provideService(Quote.request(input), Chain.Families, (id) =>
        id === 900 ? "solana" : "evm"
      )
      expect(request.originChain).toBe(900)
    })
  )
})

describe("a request for an indicative quote", () => {
  const { walletAddress: _, ...anyone } = evmRequest
  const { walletAddress: __, recipient: ___, ...anyoneOnSolana } = solanaRequest

  it.effect("needs neither a wallet nor a recipient, also across families", () =>
    Effect.gen(function* () {
      expect(yield* Quote.indicativeRequest({ ...anyone, amount: "10000000", recipient: undefined })).toStrictEqual({
        ...anyone,
        slippageBps: 50,
        indicative: true
      })
      expect(yield* Quote.indicativeRequest(anyoneOnSolana)).toMatchObject({ ...anyoneOnSolana, indicative: true })
      const whole = { ...solanaRequest, slippageBps: 7 }
      expect(yield* Quote.indicativeRequest(whole)).toStrictEqual({ ...whole, indicative: true })
    })
  )

  it.effect.each([
    ["walletAddress", { ...evmRequest, walletAddress: "" }],
    ["walletAddress", { ...evmRequest, walletAddress: null }],
    ["walletAddress", { ...evmRequest, walletAddress: solanaRequest.walletAddress }],
    ["recipient", { ...anyone, recipient: solanaRequest.walletAddress }],
    ["recipient", { ...anyone, recipient: Chain.nativeToken.evm }],
    ["inputToken", { ...anyone, inputToken: Chain.nativeToken.evm }],
    ["amount", { ...anyone, amount: 0n }],
    ["slippageBps", { ...anyone, slippageBps: 10_001 }],
    ["originChain", undefined]
  ] as const)("is refused with an invalid %s", ([field, input]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Quote.indicativeRequest(input as Quote.IndicativeQuoteInput))
      expect(error).toMatchObject({ _tag: "InvalidInput", field })
    })
  )

  it.effect("does not make the wallet of a quote optional", () =>
    Effect.gen(function* () {
      const input = { ...anyone, indicative: true } as unknown as Quote.QuoteInput
      expect(yield* Effect.flip(Quote.request(input))).toMatchObject({ field: "walletAddress" })
    })
  )
})
