import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client, Quote } from "../../src/index.js"
import { Fault, ScriptedTransport } from "../../src/testing.js"
import { costsOf } from "../../src/quote/costs.js"
import { makeFixture } from "../fixture.js"

/** The smallest unit of a token with 6 decimals that costs $1. */
const units = (usd: number) => BigInt(Math.round(usd * 1e6))

/** What the service returns: dollars rounded to cents, and the share rounded to whole basis points. */
const response = (paid: number, received: number) => ({
  feeBps: 8,
  networkCost: 606n,
  inputUsd: paid.toFixed(2),
  outputUsd: received.toFixed(2),
  priceImpactBps: Math.round(((received - paid) / paid) * 10_000)
})
const costs = (paid: number, received: number, changes: object = {}) =>
  costsOf({ ...response(paid, received), ...changes }, units(paid))

describe("the costs of a quote", () => {
  it("are positive, and the market's part is what remains of the all-in total", () => {
    expect(costs(10, 9.9, { feeBps: 10, networkCost: 10_000n })).toEqual({
      fee: { bps: 10, usd: 0.01 },
      network: { bps: 10, usd: 0.01 },
      impact: { bps: 80, usd: 0.08 },
      total: { bps: 100, usd: 0.1 }
    })
    expect(costs(10, 11, { feeBps: 0, networkCost: 0n })).toMatchObject({
      impact: { bps: -1_000, usd: -1 },
      total: { bps: -1_000, usd: -1 }
    })
    // Without a network cost, the impact includes it.
    const { network, ...rest } = costs(10, 9.9, { networkCost: undefined })
    expect(network).toBeUndefined()
    expect(rest.impact).toEqual({ bps: 92, usd: 0.092 })
  })

  it.each([
    [20_000, 19_975.62],
    [10_000, 9_989.9],
    [9_000, 8_991.1],
    [100, 99.92],
    [5, 4.9],
    [0.5, 0.38]
  ])("have parts that add up to the total, in shares and in dollars: $%d for $%d", (paid, received) => {
    const { fee, impact, network, total } = costs(paid, received)
    const sum = (unit: "bps" | "usd") =>
      [fee, network, impact].reduce((all, cost) => all + (cost?.[unit] ?? Infinity), 0)
    expect(total?.bps).toBe(-response(paid, received).priceImpactBps)
    expect(Math.abs(sum("bps") - Number(total?.bps))).toBeLessThanOrEqual(0.5)
    expect(Math.abs(sum("usd") - Number(total?.usd))).toBeLessThanOrEqual(0.01)
  })

  it("take the dollars of a large swap from the dollar values, and of a small swap from the share", () => {
    expect(costs(20_000, 19_975.62).total).toEqual({ bps: 12, usd: 24.38 })
    // A difference of one cent would be off by a fifth.
    expect(costs(5, 4.99, { priceImpactBps: -16 }).total).toEqual({ bps: 16, usd: 0.008 })
    expect(costs(1, 1, { priceImpactBps: -14 }).total).toEqual({ bps: 14, usd: 0.0014 })
    // A large swap at the market's price costs nothing.
    expect(costs(20_000, 20_000).total).toEqual({ bps: 0, usd: 0 })
    // 0.5 bps of $200 are one cent.
    expect(costs(200, 199.82, { priceImpactBps: -9 }).total).toEqual({ bps: 9, usd: 0.18 })
    expect(costs(201, 200.82, { priceImpactBps: -9 }).total).toEqual({ bps: 9, usd: 0.18 })
  })

  it("use the share if the dollar values contradict it", () => {
    expect(costs(20_000, 20_000, { priceImpactBps: -200 }).total).toEqual({ bps: 200, usd: 400 })
    expect(costs(20_000, 10_000, { priceImpactBps: 0 }).total).toEqual({ bps: 0, usd: 0 })
    // The values may differ from the share by the rounding of both: $1 for 0.5 bps, and one cent.
    expect(costs(20_000, 19_977.1, { priceImpactBps: -12 }).total?.usd).toBe(24)
    expect(costs(20_000, 19_975, { priceImpactBps: -12 }).total?.usd).toBe(25)
  })

  it("have no impact of the market within the rounding of the total", () => {
    expect(costs(100, 99.92).impact).toEqual({ bps: 0, usd: 0 })
    expect(costs(20_000, 19_984).impact).toEqual({ bps: 0, usd: 0 })
    expect(costs(20_000, 19_983.9).impact).toMatchObject({ bps: 0, usd: 0.099_394 })
  })

  it("have no dollars without a value of the input, and no total without the service's share", () => {
    expect(costs(10, 9.9, { inputUsd: undefined }).total).toEqual({ bps: 100 })
    expect(costs(10, 9.9, { inputUsd: "free" }).total).toEqual({ bps: 100 })
    expect(costs(10, 9.9, { inputUsd: "1e3" }).total).toEqual({ bps: 100 })
    expect(costs(10, 9.9, { priceImpactBps: undefined })).toEqual({
      fee: { bps: 8, usd: 0.008 },
      network: { bps: 0.606, usd: 0.000606 }
    })
    expect(costsOf({ feeBps: 0, networkCost: 1n, priceImpactBps: 0 }, 0n)).toEqual({
      fee: { bps: 0 },
      network: { bps: 0 },
      impact: { bps: 0 },
      total: { bps: 0 }
    })
  })

  it("never round the share that limits depend on", () => {
    expect(costs(10, 9.9, { priceImpactBps: -300.000_000_1 }).total?.bps).toBe(300.000_000_1)
  })

  it.effect(
    "are in every quote of the client, instead of the protocol's signed number and of a service's own field",
    () => {
      const { service, layer } = makeFixture()
      service.always(
        "quote",
        Fault.alter((quote) => ({ ...quote, priceImpactBps: -310, costs: { total: { bps: 1 } } }))
      )
      const { walletAddress: _, ...anyone } = ScriptedTransport.evmRequest
      return Effect.gen(function* () {
        for (const quote of [
          yield* Client.quote(ScriptedTransport.evmRequest),
          yield* Client.indicativeQuote(anyone)
        ]) {
          expect(quote.costs.total).toEqual({ bps: 310 })
          expect(quote).not.toHaveProperty("priceImpactBps")
        }
      }).pipe(Effect.provide(layer))
    }
  )
})

describe("isHighCost", () => {
  it.each([
    [{ total: { bps: 299 } }, [], false],
    [{ total: { bps: 300 } }, [], true],
    [{ total: { bps: -300 } }, [], false],
    [{ total: { bps: 2 } }, [{ code: "HIGH_PRICE_IMPACT" }], true],
    [{ total: { bps: 2 } }, [{ code: "OTHER" }], false],
    // An unknown cost is treated as high.
    [{}, [], true],
    [{ total: { bps: Number.NaN } }, [], true]
  ])("of %j with the warnings %j is %s", (some, warnings, isHigh) => {
    expect(Quote.isHighCost({ costs: { fee: { bps: 1 }, ...some }, warnings })).toBe(isHigh)
  })

  it("compares the total with your own limit", () => {
    const quote = { costs: { fee: { bps: 1 }, total: { bps: 100 } } }
    expect([100, 101].map((limit) => Quote.isHighCost(quote, limit))).toEqual([true, false])
  })
})
