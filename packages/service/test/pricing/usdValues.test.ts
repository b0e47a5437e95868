/** The dollar values of a quote, and its warning. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Venue from "../../src/venue/Venue.js"
import { asset, chain, costs, free, priced, withFee } from "./fixture.js"

describe("the dollar values of a quote", () => {
  it("are those of the whole input, even if most of it pays for the network", () => {
    // 2 × 45 dollars of gas of 100: what is left is 10 dollars less the fee of 0.15625.
    const gas = costs(225n * 10n ** 14n)
    const quote = priced({ origin: chain(1, gas), destination: chain(2, gas), outputToken: asset(2, "USDC") })
    assert.deepInclude(quote, { inputUsd: "100.00", outputUsd: "9.84", priceImpactBps: -9_016 })
    assert.deepStrictEqual(quote.warnings, [
      { code: "HIGH_PRICE_IMPACT", message: "This swap loses 90.16% of its value." }
    ])
  })

  it.each<readonly [string, string, string]>([
    ["the input", "DARK", "USDC"],
    ["the output", "USDC", "DARK"]
  ])("are omitted if the venue does not return those of %s", (_, from, to) => {
    const quote = priced({ inputToken: asset(1, from), outputToken: asset(2, to) })
    assert.hasAllKeys(quote, ["output", "minOutput", "feeBps", "networkCost", "warnings"])
    assert.deepStrictEqual(quote.warnings, [])
  })

  it.each<readonly [string, number, bigint, number, string | undefined]>([
    // v dollars into a pool of 1000: v / (1 + v / 1000), so the loss is v / (1000 + v).
    ["just better than the threshold", -300, 30_000_000n, -291, undefined],
    ["at the threshold", -291, 30_000_000n, -291, "This swap loses 2.91% of its value."],
    ["worse than the threshold", -300, 1_000_000_000n, -5_000, "This swap loses 50% of its value."]
  ])("include a warning only for a high loss: %s", (_, highPriceImpactBps, amount, impact, message) => {
    const by = { ...withFee(free), quotes: { defaultSlippageBps: 50, highPriceImpactBps, maxDriftBps: 100 } }
    const quote = priced({ amount, outputToken: asset(2, "THIN") }, by)
    assert.strictEqual(quote.priceImpactBps, impact)
    assert.deepStrictEqual(quote.warnings, message === undefined ? [] : [{ code: "HIGH_PRICE_IMPACT", message }])
  })

  const saying = (input: number, output: number): Venue.Venue => ({
    price: () => Effect.succeed({ output: 7n, usd: { input, output } })
  })

  it.each<readonly [string, number, number, object]>([
    ["a gain", 100, 100.5, { inputUsd: "100.00", outputUsd: "100.50", priceImpactBps: 50 }],
    [
      "no change, which is not a negative zero",
      100,
      99.9999,
      { inputUsd: "100.00", outputUsd: "100.00", priceImpactBps: 0 }
    ],
    [
      "an input of no value, which has nothing to lose",
      0,
      1,
      { inputUsd: "0.00", outputUsd: "1.00", priceImpactBps: 0 }
    ],
    ["two sides of no value", 0, 0, { inputUsd: "0.00", outputUsd: "0.00", priceImpactBps: 0 }],
    ["an input of almost no value", 5e-324, 1, { inputUsd: "0.00", outputUsd: "1.00", priceImpactBps: 0 }],
    [
      "more than a number prints without an exponent",
      2 ** 80,
      2 ** 70,
      { inputUsd: "1208925819614629174706176.00", outputUsd: "1180591620717411303424.00", priceImpactBps: -9_990 }
    ]
  ])("are strings with two decimals: %s", (_, input, output, expected) => {
    const {
      feeBps,
      minOutput,
      networkCost,
      output: given,
      warnings,
      ...dollars
    } = priced({}, withFee(free), saying(input, output))
    assert.deepStrictEqual([feeBps, minOutput, networkCost, given], [0, 6n, 0n, 7n])
    assert.deepStrictEqual(dollars, expected)
    assert.lengthOf(warnings, input > output * 2 ? 1 : 0)
  })

  it("are omitted if they are not numbers", () => {
    assert.notProperty(priced({}, withFee(free), saying(Number.POSITIVE_INFINITY, 1)), "inputUsd")
  })
})
