import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Config from "../../src/config/Config.js"
import type { Asset } from "../../src/domain/Asset.js"
import * as TableVenue from "../../src/venue/TableVenue.js"
import * as Venue from "../../src/venue/Venue.js"

const most = 2n ** 256n - 1n

const asset = (symbol: string, decimals: number): Asset => ({
  chainId: 1,
  address: `0x${symbol}`,
  symbol,
  decimals
})
const usdc = asset("USDC", 6)
const weth = asset("WETH", 18)
const geo = asset("GEO", 18)
const coarse = asset("GOLD", 0)
const fine = asset("FINE", 36)
const assets = [usdc, weth, geo, coarse, fine]

const prices: Config.TableVenue["prices"] = {
  USDC: { usd: "1", depthUsd: "1000000000", showUsd: true },
  WETH: { usd: "4000", depthUsd: "50000000", showUsd: true },
  GEO: { usd: "0.5", depthUsd: "2000000", showUsd: false },
  GOLD: { usd: "2345.67", depthUsd: "1000", showUsd: true },
  FINE: { usd: "0.00000000000000000001", depthUsd: "0.5", showUsd: true },
  FREE: { usd: "0", depthUsd: "1", showUsd: true },
  EMPTY: { usd: "1", depthUsd: "0", showUsd: true }
}
const venue = TableVenue.make({ kind: "table", allowStaticPrices: false, prices }, ({ symbol }) => symbol)
const price = (input: Asset, output: Asset, amount: bigint) => Effect.runSync(venue.price(input, output, amount))
const outputOf = (input: Asset, output: Asset, amount: bigint) => price(input, output, amount).output

/** Amounts of every size up to 256 bits. */
const Units = Schema.Struct({
  bits: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 256 })),
  digits: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: most }))
})
const unitsOf = ({ bits, digits }: typeof Units.Type) => digits & ((1n << BigInt(bits)) - 1n)
const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: assets.length - 1 }))
const assetAt = (index: number) => assets[index] ?? usdc

describe("TableVenue", () => {
  it.each<readonly [string, Asset, Asset, bigint, bigint]>([
    // v = 10; v·D₁D₂ / (D₁D₂ + v(D₁+D₂)) = 10 / (1 + 10·(1/1e9 + 1/5e7)) = 9.99999790000044… dollars, / 4000.
    ["ten dollars at next to no impact", usdc, weth, 10_000_000n, 2_499_999_475_000_110n],
    // v = 50 million: 5e7 / (1 + 0.05 + 1) = 24 390 243.9024… dollars, / 4000 = 6 097.56097560975609756… ether.
    ["as much as the pool is deep", usdc, weth, 50_000_000_000_000n, 6_097_560_975_609_756_097_560n],
    // v = 4000 from the other side: 4000 / (1 + 4000·(1/5e7 + 1/1e9)) = 3999.664028… dollars.
    ["one ether", weth, usdc, 10n ** 18n, 3_999_664_028n],
    // v = 2345.67 at a depth of 1000, then of 1e9: 2345.67 / (1 + 2.34567 + 0.00000234567) = 701.105714… dollars.
    ["one that is larger than its pool", coarse, usdc, 1n, 701_105_714n],
    // 1000.000001 dollars give 1000.000001 / (1 + 1.000000001 + 0.00000100…) = 499.999… dollars: not one whole token.
    ["less than one unit of the output", usdc, coarse, 1_000_000_001n, 0n],
    ["nothing", usdc, weth, 0n, 0n]
  ])("prices like a pool of that depth: %s", (_, input, output, amount, expected) => {
    assert.strictEqual(outputOf(input, output, amount), expected)
  })

  it("rounds down only once, at the end", () => {
    // 1 unit of a token with 36 decimals and 20 digits of price is 1e-56 dollars; 1e50 of them are 1e-6 dollars.
    assert.strictEqual(outputOf(fine, usdc, 10n ** 50n), 0n)
    assert.strictEqual(outputOf(fine, usdc, 2n * 10n ** 50n), 1n)
  })

  it("returns dollar values of input and output at the mid price", () => {
    const { output, usd } = price(usdc, weth, 50_000_000_000_000n)
    assert.strictEqual(output, 6_097_560_975_609_756_097_560n)
    assert.strictEqual(usd?.input, 50_000_000)
    assert.closeTo(usd?.output ?? 0, 24_390_243.902439, 1e-6)
  })

  it.each([
    ["the input", geo, usdc],
    ["the output", usdc, geo]
  ])("returns no dollar values if %s hides them, but still a price", (_, input, output) => {
    const priced = price(input, output, 10n ** 9n)
    assert.isFalse("usd" in priced)
    assert.isAbove(Number(outputOf(usdc, geo, 10n ** 9n)), 0)
  })

  it.effect.each([
    ["an input that it does not know", asset("OTHER", 6), usdc],
    ["an output that it does not know", usdc, asset("toString", 6)],
    ["a token without value", usdc, asset("FREE", 6)],
    ["a pool that is empty", asset("EMPTY", 6), usdc]
  ] as const)("has no price for %s", ([, input, output]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(venue.price(input, output, 1n))
      assert.instanceOf(error, Venue.NoPrice)
      assert.include(error.message, input === usdc ? output.symbol : input.symbol)
    })
  )

  it.effect("uses the name of a token in the table", () =>
    Effect.gen(function* () {
      const { price } = TableVenue.make({ kind: "table", allowStaticPrices: false, prices }, ({ symbol }) =>
        symbol === "USD Coin" ? "USDC" : symbol
      )
      assert.strictEqual((yield* price(asset("USD Coin", 6), weth, 10_000_000n)).output, 2_499_999_475_000_110n)
    })
  )

  it.prop("never gives less output for more input", [Index, Index, Units, Units], ([from, to, some, more]) => {
    const [input, output, amount] = [assetAt(from), assetAt(to), unitsOf(some)]
    assert.isTrue(outputOf(input, output, amount) <= outputOf(input, output, amount + unitsOf(more)))
  })

  it.prop(
    "never gives more than the mid price, nor more than the pool has",
    [Index, Index, Units],
    ([from, to, some]) => {
      const [input, output, amount] = [assetAt(from), assetAt(to), unitsOf(some)]
      const received = outputOf(input, output, amount)
      const worth = ({ symbol, decimals }: Asset, units: bigint) => {
        const [whole = "", part = ""] = (prices[symbol]?.usd ?? "").split(".")
        return units * BigInt(whole + part.padEnd(20, "0")) * 10n ** BigInt(36 - decimals)
      }
      assert.isTrue(worth(output, received) <= worth(input, amount))
      const depth = BigInt(Math.round(Number(prices[output.symbol]?.depthUsd) * 10)) * 10n ** 55n
      assert.isTrue(worth(output, received) < depth)
    }
  )

  it.prop("gains nothing by a detour", [Index, Index, Index, Units], ([first, second, third, some]) => {
    const [a, b, c, amount] = [assetAt(first), assetAt(second), assetAt(third), unitsOf(some)]
    assert.isTrue(outputOf(b, a, outputOf(a, b, amount)) <= amount)
    assert.isTrue(outputOf(c, a, outputOf(b, c, outputOf(a, b, amount))) <= amount)
  })

  it.prop(
    "gives at least as much for two parts as for the whole",
    [Index, Index, Units, Units],
    ([from, to, some, more]) => {
      // Each part alone moves the price less. Rounding costs at most one unit.
      const [input, output, x, y] = [assetAt(from), assetAt(to), unitsOf(some), unitsOf(more)]
      assert.isTrue(outputOf(input, output, x) + outputOf(input, output, y) + 1n >= outputOf(input, output, x + y))
    }
  )

  it("prices the largest amounts, with dollar values", () => {
    for (const input of assets) assert.isAbove(Number(outputOf(input, usdc, most)), 0)
    const { usd } = price(weth, usdc, most)
    assert.isTrue(Number.isFinite(usd?.input) && Number.isFinite(usd?.output))
    // 2^256 / 1e18 × 4000
    assert.closeTo((usd?.input ?? 0) / 4.631683569492648e62, 1, 1e-12)
  })

  it("keeps the digits of very small dollar values", () => {
    const { usd } = price(fine, fine, 3n)
    assert.closeTo((usd?.input ?? 0) / 3e-56, 1, 1e-12)
  })
})
