import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Amount } from "../src/index.js"
import { decoded, refuses, survivesTheWire } from "./roundTrip.js"

const most = 2n ** 256n - 1n
const Units = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: most }))
const Decimals = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

describe("an amount on the wire", () => {
  survivesTheWire("amount", Amount.Amount, 500)
  survivesTheWire("wrapped amount", Amount.Wrapped, 500)

  it.prop("is a decimal string for every value up to 2^256-1", [Units], ([units]) => {
    const wire = Schema.encodeSync(Amount.Amount)(units)
    expect(wire).toBe(units.toString())
    expect(decoded(Amount.Amount, JSON.parse(JSON.stringify(wire)))).toBe(units)
  })

  it("keeps values that floating point would round", () => {
    for (const units of [0n, 1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 128n + 1n, most - 1n, most]) {
      expect(decoded(Amount.Amount, JSON.parse(JSON.stringify(`${units}`)))).toBe(units)
    }
  })

  it("may be a safe JSON integer", () => {
    expect(decoded(Amount.Amount, 0)).toBe(0n)
    expect(decoded(Amount.Amount, Number.MAX_SAFE_INTEGER)).toBe(9007199254740991n)
    expect(refuses(Amount.Amount, Number.MAX_SAFE_INTEGER + 1)).toBe(true)
  })

  it.each([
    ["more than 2^256-1", `${most + 1n}`],
    ["more digits than any amount has", "1".repeat(79)],
    ["a negative text", "-1"],
    ["a negative number", -1],
    ["a fraction", 1.5],
    ["a text of a fraction", "1.5"],
    ["a leading zero", "01"],
    ["hex", "0x10"],
    ["an exponent", "1e18"],
    ["an empty text", ""],
    ["spaces", " 1"],
    ["a line feed at the end", "1\n"],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["null", null],
    ["a boolean", true],
    ["an object", { amount: "1" }],
    ["an array", ["1"]]
  ])("is not %s", (_, wire) => {
    expect(refuses(Amount.Amount, wire)).toBe(true)
  })

  it("may be wrapped in an object", () => {
    expect(decoded(Amount.Wrapped, "5")).toBe(5n)
    expect(decoded(Amount.Wrapped, 5)).toBe(5n)
    expect(decoded(Amount.Wrapped, { amount: "5" })).toBe(5n)
    expect(decoded(Amount.Wrapped, { amount: 5, symbol: "USDC" })).toBe(5n)
    expect(decoded(Amount.Wrapped, { amount: `${most}` })).toBe(most)
    expect(Schema.encodeSync(Amount.Wrapped)(5n)).toBe("5")
  })

  it.each([[{}], [{ amount: null }], [{ amount: "-5" }], [{ amount: { amount: "5" } }], [["5"]], [{ value: "5" }]])(
    "is not hidden in %j",
    (wire) => {
      expect(refuses(Amount.Wrapped, wire)).toBe(true)
    }
  )
})

describe("the largest amount", () => {
  it("is 2^256-1 on an EVM chain and 2^64-1 on Solana", () => {
    expect(Amount.max("evm")).toBe(most)
    expect(Amount.max("solana")).toBe(18446744073709551615n)
  })
})

describe("an amount from a caller", () => {
  it("is a bigint or a decimal string", () => {
    expect(Amount.fromInput(10n)).toBe(10n)
    expect(Amount.fromInput(0n)).toBe(0n)
    expect(Amount.fromInput("10")).toBe(10n)
    expect(Amount.fromInput(`${most}`)).toBe(most)
  })

  it.each([
    [-1n],
    ["-1"],
    ["1.5"],
    [""],
    ["1e6"],
    ["0x1"],
    ["00"],
    ["1".repeat(79)],
    [10],
    [1.5],
    [null],
    [undefined],
    [{}],
    [[]]
  ])("is never %o", (input) => {
    expect(Amount.fromInput(input)).toBeUndefined()
  })
})

describe("an amount in token units", () => {
  it.prop("is parsed back to the same amount for any number of decimals", [Units, Decimals], ([units, decimals]) => {
    expect(Amount.parse(Amount.format(units, decimals), decimals)).toBe(units)
  })

  it.prop("is formatted without trailing zeros", [Units, Decimals], ([units, decimals]) => {
    expect(Amount.format(units, decimals)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
  })

  it("is formatted as a person would write it", () => {
    expect(Amount.format(10_500_000n, 6)).toBe("10.5")
    expect(Amount.format(10_000_000n, 6)).toBe("10")
    expect(Amount.format(1n, 6)).toBe("0.000001")
    expect(Amount.format(0n, 18)).toBe("0")
    expect(Amount.format(120n, 0)).toBe("120")
    expect(Amount.format(1n, 255)).toBe(`0.${"0".repeat(254)}1`)
  })

  it("is parsed as a person writes it", () => {
    expect(Amount.parse("10.5", 6)).toBe(10_500_000n)
    expect(Amount.parse("10", 6)).toBe(10_000_000n)
    expect(Amount.parse("0.000001", 6)).toBe(1n)
    expect(Amount.parse("0", 6)).toBe(0n)
    expect(Amount.parse("007.10", 1)).toBe(71n)
  })

  it("may end in zeros, but in no other digits, beyond the decimals of the token", () => {
    expect(Amount.parse("1.5000000", 6)).toBe(1_500_000n)
    expect(Amount.parse("1.0", 0)).toBe(1n)
    expect(Amount.parse("1.0000001", 6)).toBeUndefined()
    expect(Amount.parse("1.5", 0)).toBeUndefined()
  })

  it.each([
    [""],
    ["."],
    ["1."],
    [".5"],
    ["-1"],
    ["+1"],
    ["1e3"],
    ["1,5"],
    ["1 000"],
    ["0x1"],
    [" 1"],
    ["1\n"],
    ["NaN"]
  ])("is not %j", (text) => {
    expect(Amount.parse(text, 6)).toBeUndefined()
  })
})
