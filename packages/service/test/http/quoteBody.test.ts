import type { Quote } from "@geoswap/core"
import { describe, expect, it } from "vitest"
import { api } from "../../src/http/Api.js"
import { encoderOf } from "../../src/http/compileEndpoint.js"
import { quoteBody } from "../../src/http/quoteBody.js"
import * as Result from "effect/Result"

const bySchema = encoderOf(api.groups.swap.endpoints.quote)

const usual: Quote.QuoteResponse = {
  geoQuoteToken: 'gq1.k1.token"\\\u2028',
  output: 2n ** 256n - 1n,
  minOutput: 0n,
  feeBps: 12.5,
  expiresAt: new Date("2026-01-01T00:00:30.123Z"),
  origin: "evm",
  networkCost: 4_200n,
  inputUsd: "10.00",
  outputUsd: "9.99",
  priceImpactBps: -10,
  warnings: []
}

describe("the body of a quote", () => {
  it("is exactly what the schema writes", () => {
    const { inputUsd: _, outputUsd: __, priceImpactBps: ___, ...priceless } = usual
    const { origin: ____, ...originless } = usual
    for (const quote of [usual, priceless, originless, { ...usual, priceImpactBps: 0, feeBps: 0 }]) {
      const body = quoteBody(quote)
      expect(body).toBeTypeOf("string")
      expect(Result.succeed(body)).toEqual(bySchema(quote))
    }
  })

  it("is left to the schema if the quote has rare or invalid fields", () => {
    const others: ReadonlyArray<Readonly<Record<string, unknown>>> = [
      { feeDiscount: { tier: "gold", discountPercent: 10, baseFeeBps: 10 } },
      { warnings: [{ code: "HIGH_PRICE_IMPACT" }] },
      { warnings: undefined },
      { output: -1n },
      { output: 2n ** 256n },
      { output: "1" },
      { minOutput: undefined },
      { networkCost: 1 },
      { geoQuoteToken: "" },
      { geoQuoteToken: 1 },
      { feeBps: Number.NaN },
      { feeBps: Number.POSITIVE_INFINITY },
      { priceImpactBps: Number.NaN },
      { expiresAt: new Date(Number.NaN) },
      { expiresAt: new Date(-1) },
      { expiresAt: "2026-01-01T00:00:30.123Z" },
      { origin: 1 },
      { inputUsd: 10 },
      { outputUsd: null }
    ]
    for (const other of others) expect(quoteBody({ ...usual, ...other })).toBe(undefined)
  })
})
