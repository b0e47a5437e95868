import { assert, describe, it } from "@effect/vitest"
import { Amount, Chain as CoreChain, Quote } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ChainUnavailable } from "../../src/chains/ChainError.js"
import type { CostQuery } from "../../src/chains/Draft.js"
import type * as Config from "../../src/config/Config.js"
import type { Refusal } from "../../src/domain/Refusal.js"
import * as Pricing from "../../src/pricing/Pricing.js"
import * as Venue from "../../src/venue/Venue.js"
import {
  address,
  asset,
  chain,
  config,
  costs,
  free,
  holds,
  price,
  priced,
  recipient,
  refused,
  venue,
  wallet,
  withFee
} from "./fixture.js"

describe("Pricing.price", () => {
  it("returns the venue's price for the input without network cost and fee", () => {
    // Collect: 50e12 wei are 0.10 dollars; the pool keeps a little, so 99,999.99… units are rounded up to 100,000.
    // Deliver: 25e12 wei, 50 000 units. Fee: 100 000 000 × 15.625 / 10 000 = 156 250. Left: 99 693 750.
    // 99.69375 dollars / 2000 = 0.049846875 ether, less a hair.
    const quote = priced({ origin: chain(1, costs(50n * 10n ** 12n)), destination: chain(2, costs(25n * 10n ** 12n)) })
    assert.deepStrictEqual(quote, {
      output: 49_846_874_999_999_999n,
      // × 9950 / 10 000, rounded down.
      minOutput: 49_597_640_624_999_999n,
      feeBps: 15.625,
      networkCost: 150_000n,
      inputUsd: "100.00",
      outputUsd: "99.69",
      // (99.69375 − 100) / 100 = −30.625 basis points.
      priceImpactBps: -31,
      warnings: []
    })
    // All that is missing of a quote is its token and its times.
    const { origin, ...rest } = {
      ...quote,
      geoQuoteToken: "x",
      expiresAt: new Date(0),
      origin: "evm"
    } satisfies Quote.QuoteResponse
    assert.strictEqual(origin, "evm")
    assert.strictEqual(Schema.encodeSync(Quote.QuoteResponse)(rest).minOutput, "49597640624999999")
  })

  it("converts the cost of Solana from its native token", () => {
    // 15 000 lamports are 0.0015 dollars: 1 500 units of 6 decimals. Nothing else is taken.
    const { networkCost, output } = priced(
      { destination: chain(3, costs(15_000n)), outputToken: asset(3, "USDC") },
      withFee(free)
    )
    assert.strictEqual(networkCost, 1_500n)
    // 99.9985 dollars of a token with 9 decimals, less a hair.
    assert.strictEqual(output, 99_998_499_999n)
  })

  it.each<readonly [string, bigint, bigint]>([
    ["nothing", 0n, 0n],
    ["less than a unit of the input", 1n, 1n],
    ["just below a unit", 499_999_999n, 1n],
    ["more than a unit", 500_000_001n, 2n]
  ])("rounds the network cost up: %s", (_, wei, units) => {
    assert.strictEqual(priced({ origin: chain(1, costs(wei)) }).networkCost, units)
  })

  it("requests the cost of each chain, with the payer and the recipient", () => {
    const asked: Array<readonly [number, CostQuery]> = []
    const watch = (id: number) =>
      chain(id, {
        costOf: (query) => {
          asked.push([id, query])
          return Effect.succeed(0n)
        }
      })
    priced({ origin: watch(1), destination: watch(2) })
    const collect = { kind: "collect", token: address("1"), party: wallet, opensAccount: false } as const
    const deliver = { kind: "deliver", token: address("2"), party: recipient, opensAccount: false } as const
    assert.deepStrictEqual(asked, [
      [1, collect],
      [2, deliver]
    ])
    priced({ origin: watch(1), destination: watch(2), deliveryGas: 123_456n })
    assert.deepStrictEqual(asked.slice(2), [
      [1, collect],
      [2, { ...deliver, gas: 123_456n }]
    ])
  })

  it("prices the native token as output", () => {
    const { output } = priced({ outputToken: asset(2, "ETH") }, withFee(free))
    assert.strictEqual(output, 49_999_999_999_999_999n)
  })

  it.each<readonly [number | undefined, bigint, bigint]>([
    [undefined, 99_999_999n, 99_499_999n],
    [0, 99_999_999n, 99_999_999n],
    [1, 99_999_999n, 99_989_999n],
    [10_000, 99_999_999n, 1n]
  ])("subtracts a slippage of %s from the output, down to one unit", (slippageBps, output, minOutput) => {
    const input = { outputToken: asset(2, "USDC"), ...(slippageBps !== undefined && { slippageBps }) }
    assert.deepInclude(priced(input, withFee(free)), { output, minOutput })
  })
})

describe("the fee", () => {
  const whole = 10n ** 18n

  it.each<readonly [string, bigint, number, Quote.FeeDiscount | undefined]>([
    ["nothing", 0n, 15.625, undefined],
    ["a unit too little for the lowest tier", whole / 2n - 1n, 15.625, undefined],
    [
      "the lowest tier, which gives nothing",
      whole / 2n,
      15.625,
      { tier: "bronze", discountPercent: 0, baseFeeBps: 15.625 }
    ],
    [
      "a unit too little for the next",
      1_000n * whole - 1n,
      15.625,
      { tier: "bronze", discountPercent: 0, baseFeeBps: 15.625 }
    ],
    ["just enough", 1_000n * whole, 12.5, { tier: "silver", discountPercent: 20, baseFeeBps: 15.625 }],
    ["more than any tier asks for", 2n ** 256n - 1n, 0, { tier: "gold", discountPercent: 100, baseFeeBps: 15.625 }]
  ])("depends on the wallet's balance: %s", (_, balance, feeBps, feeDiscount) => {
    const quote = priced({ origin: chain(1, holds(balance)), outputToken: asset(2, "USDC") })
    assert.strictEqual(quote.feeBps, feeBps)
    assert.deepStrictEqual(quote.feeDiscount, feeDiscount)
    assert.strictEqual("feeDiscount" in quote, feeDiscount !== undefined)
    // 100 dollars less the fee, less the hair.
    assert.strictEqual(quote.output, 100_000_000n - BigInt(feeBps * 10_000) - 1n)
  })

  it("reads the wallet's balance of the service's token on the origin chain", () => {
    const asked: Array<readonly [string, string]> = []
    const origin = chain(1, {
      balanceOf: (...query) => {
        asked.push(query)
        return Effect.succeed(0n)
      }
    })
    priced({ origin })
    assert.deepStrictEqual(asked, [[address("3"), wallet]])
  })

  it("has no discount if the origin chain or the configuration has no such token", () => {
    const unasked = { balanceOf: () => Effect.die("balances are not read here") }
    const other = priced({ origin: chain(2, unasked), inputToken: asset(2, "USDC") })
    assert.strictEqual(other.feeBps, 15.625)
    assert.strictEqual(priced({ origin: chain(1, unasked) }, withFee({ baseFeeBps: 1, token: "GEO" })).feeBps, 1)
  })

  it("has no discount if the balance cannot be read, and the quote is still given", () => {
    const origin = chain(1, {
      balanceOf: () => Effect.fail(new ChainUnavailable({ chainId: 1, message: "down", timeout: false }))
    })
    const quote = priced({ origin })
    assert.strictEqual(quote.feeBps, 15.625)
    assert.isUndefined(quote.feeDiscount)
  })

  it.each<readonly [number, number, number]>([
    [12.3456, 10, 11.111],
    // 0.0001 × 0.5 is less than the last digit: the wallet gets it.
    [0.0001, 50, 0],
    [33.3333, 33.3333, 22.2222],
    [5_000, 0.0001, 4_999.995],
    [0.3, 0, 0.3]
  ])("of %s less %s percent is exact to four decimals", (baseFeeBps, discountPercent, feeBps) => {
    const fees = { baseFeeBps, token: "GEO", tiers: [{ tier: "one", minimum: "0", discountPercent }] }
    assert.strictEqual(priced({}, withFee(fees)).feeBps, feeBps)
  })

  it.each<readonly [bigint, number, bigint]>([
    // ceil(amount × bps / 10 000) is taken; the output is that of the rest, less a hair.
    [10_001n, 1, 10_001n - 2n - 1n],
    [10_000n, 1, 10_000n - 1n - 1n],
    [10n ** 12n, 0.0001, 10n ** 12n - 10_000n - 1n],
    [10n ** 12n + 1n, 0.0001, 10n ** 12n + 1n - 10_001n - 1n],
    [5n, 5_000, 5n - 3n - 1n]
  ])("of %s at %s basis points is rounded up", (amount, baseFeeBps, left) => {
    const { output } = priced({ amount, outputToken: asset(2, "USDC") }, withFee({ baseFeeBps }))
    assert.strictEqual(output, left)
  })
})

describe("an amount that is too small", () => {
  const minOutputOf = ({ details }: Refusal) => Schema.decodeUnknownSync(Amount.Amount)(details?.["minimum"])

  it.each<readonly [string, Partial<Pricing.PriceInput>]>([
    ["for the network cost", { origin: chain(1, costs(10n ** 15n)), amount: 2_000_000n }],
    ["for network cost and fee", { origin: chain(1, costs(10n ** 15n)), amount: 2_001_000n }],
    ["for one unit of the output", { outputToken: asset(2, "GOLD"), amount: 1_000_000_000n }]
  ])("is refused with a minimum: %s", (_, fields) => {
    const refusal = refused(fields)
    assert.strictEqual(refusal.code, "NEEDS_LARGER_SIZE")
    const minimum = minOutputOf(refusal)
    assert.isAbove(Number(minimum), Number(fields.amount))
    assert.isTrue(priced({ ...fields, amount: minimum }).output > 0n)
  })

  it("is refused with a message that names the minimum", () => {
    // 2.00 dollars of gas and 10 % of room are 2.200000; two units for the venue, and the fee of 15.625 basis points:
    // 2 200 002 / 0.9984375 = 2 203 444.88…
    const { details, message } = refused({ origin: chain(1, costs(10n ** 15n)), amount: 1n })
    assert.deepStrictEqual(details, { minimum: "2203445" })
    assert.strictEqual(message, "The amount does not cover the network cost and the fee. Swap at least 2.203445 USDC.")
  })

  it("is refused without a request to the venue", () => {
    const asked: Array<bigint> = []
    const watching: Venue.Venue = {
      price: (input, output, amount) => {
        asked.push(amount)
        return venue.price(input, output, amount)
      }
    }
    const fields = { origin: chain(1, costs(10n ** 15n)), amount: 2_000_000n }
    assert.strictEqual(refused(fields, withFee(free), watching).code, "NEEDS_LARGER_SIZE")
    assert.deepStrictEqual(asked, [10n ** 15n, 1n])
  })

  it("is refused with twice the amount if the venue has no price for the minimum", () => {
    const nothing: Venue.Venue = { price: () => Effect.succeed({ output: 0n }) }
    assert.strictEqual(minOutputOf(refused({ amount: 1_000n }, withFee(free), nothing)), 2_000n)
  })

  const Small = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))
  const Fee = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50_000_000 }))
  it.prop(
    "is refused with a sufficient minimum, whatever the cost and the fee",
    [Small, Small, Fee],
    ([amount, gwei, fee]) => {
      const by = { ...config, fees: { baseFeeBps: fee / 10_000, tiers: [] } }
      const fields = { origin: chain(1, costs(BigInt(gwei) * 10n ** 9n)), outputToken: asset(2, "GOLD") }
      const result = Effect.runSync(Effect.result(price({ ...fields, amount: BigInt(amount) }, by)))
      if (result._tag === "Success") return
      const minimum = minOutputOf(result.failure)
      assert.isTrue(priced({ ...fields, amount: minimum }, by).output > 0n)
    }
  )
})

describe("a pair that cannot be swapped", () => {
  const unavailable = (timeout: boolean): Venue.Venue => ({
    price: () => Effect.fail(new Venue.VenueUnavailable({ message: "https://venue/key says no", timeout }))
  })
  const unreachable = (id: number, timeout: boolean) =>
    chain(id, {
      costOf: () => Effect.fail(new ChainUnavailable({ chainId: id, message: "https://node/key says no", timeout }))
    })
  const unpriced = { ...asset(2, "WETH"), address: address("9") }
  const nativeless: Venue.Venue = {
    price: (input, output, amount) =>
      input.address === CoreChain.nativeToken.evm
        ? Effect.fail(new Venue.NoPrice({ message: "no" }))
        : venue.price(input, output, amount)
  }

  it.each<readonly [string, string, RegExp, Parameters<typeof price>]>([
    ["the output has no price", "NO_ROUTE", /no price for this pair/, [{ outputToken: unpriced }]],
    ["gas has no price", "NO_ROUTE", /no price/, [{ origin: chain(1, costs(1n)) }, config, nativeless]],
    ["the venue does not answer", "UNAVAILABLE", /No prices are available/, [{}, config, unavailable(false)]],
    ["the venue is too slow", "UPSTREAM_TIMEOUT", /No prices are available/, [{}, config, unavailable(true)]],
    [
      "the venue is gone when gas is priced",
      "UNAVAILABLE",
      /No prices/,
      [{ origin: chain(1, costs(1n)) }, config, unavailable(false)]
    ],
    ["the origin does not answer", "UNAVAILABLE", /^Chain 1 cannot be reached/, [{ origin: unreachable(1, false) }]],
    [
      "the destination is too slow",
      "UPSTREAM_TIMEOUT",
      /^Chain 2 cannot be reached/,
      [{ destination: unreachable(2, true) }]
    ]
  ])("is refused if %s", (_, code, words, args) => {
    const refusal = refused(...args)
    assert.strictEqual(refusal.code, code)
    assert.match(refusal.message, words)
    assert.notInclude(JSON.stringify(refusal), "key")
  })

  it("is refused if the destination cannot represent the output", () => {
    const toSolana = (amount: bigint) => ({
      destination: chain(3),
      outputToken: asset(3, "USDC"),
      amount
    })
    // 2^64 units of 9 decimals are 18 446 744 073.709551616 dollars, of which the pools keep about 3.4 units of 9
    // decimals.
    assert.strictEqual(refused(toSolana(18_446_744_083_709_551n), withFee(free)).code, "NO_ROUTE")
    const { output } = priced(toSolana(18_446_744_063_709_551n), withFee(free))
    assert.isTrue(output < 2n ** 64n && output > 2n ** 64n - 20_000_000_000n)
  })
})

describe("any price", () => {
  const Sized = Schema.Struct({
    bits: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 256 })),
    digits: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 256n - 1n }))
  })
  const amountOf = ({ bits, digits }: typeof Sized.Type) => digits & ((1n << BigInt(bits)) - 1n)
  const TenThousandths = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50_000_000 }))
  const Percent = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
  const symbols = ["USDC", "WETH", "GOLD", "THIN", "DARK"]
  const Symbol = Schema.Literals(symbols)
  const outputOf = (fields: Partial<Pricing.PriceInput>, fees: Config.Config["fees"]) =>
    Effect.runSync(Effect.result(price(fields, { ...config, fees })))
  const given = (result: ReturnType<typeof outputOf>): bigint =>
    result._tag === "Success" ? result.success.output : 0n

  it.prop(
    "falls as the fee rises, and rises with the discount",
    [Sized, Symbol, Symbol, TenThousandths, TenThousandths, Percent],
    ([some, from, to, one, other, discountPercent]) => {
      const fields = {
        amount: amountOf(some),
        inputToken: asset(1, from),
        outputToken: asset(2, to),
        origin: chain(1, { ...costs(10n ** 12n), ...holds(1n) })
      }
      const [low, high] = [Math.min(one, other) / 10_000, Math.max(one, other) / 10_000]
      const cheap = given(outputOf(fields, { baseFeeBps: low, tiers: [] }))
      const dear = given(outputOf(fields, { baseFeeBps: high, tiers: [] }))
      const tiers = [{ tier: "x", minimum: "0", discountPercent }]
      const discounted = given(outputOf(fields, { baseFeeBps: high, token: "GEO", tiers }))
      assert.isTrue(cheap >= dear)
      assert.isTrue(discounted >= dear)
    }
  )

  it.prop(
    "is never worth more than the input, and its minimum is never above it",
    [Sized, Symbol, Symbol],
    ([some, from, to]) => {
      const fields = { amount: amountOf(some), inputToken: asset(1, from), outputToken: asset(2, to) }
      const result = outputOf(fields, config.fees)
      const most = Effect.runSync(venue.price(fields.inputToken, fields.outputToken, fields.amount)).output
      assert.isTrue(given(result) <= most)
      if (result._tag === "Success") {
        assert.isTrue(result.success.minOutput > 0n && result.success.minOutput <= result.success.output)
        assert.isDefined(
          Schema.encodeSync(Quote.QuoteResponse)({ geoQuoteToken: "x", expiresAt: new Date(0), ...result.success })
        )
      } else assert.strictEqual(result.failure.code, "NEEDS_LARGER_SIZE")
    }
  )

  it.prop(
    "is the same when the swap is priced again at the same prices",
    [Sized, Symbol, Symbol],
    ([some, from, to]) => {
      const fields = {
        amount: amountOf(some),
        inputToken: asset(1, from),
        outputToken: asset(2, to),
        origin: chain(1, costs(10n ** 13n))
      }
      const result = outputOf(fields, config.fees)
      if (result._tag === "Failure") return
      const { feeBps, networkCost, output } = result.success
      assert.strictEqual(
        Effect.runSync(Pricing.fromVenue(config, venue).reprice({ ...fields, feeBps, networkCost })),
        output
      )
    }
  )
})
