import { expect, test } from "vitest"
import {
  balanceDigits,
  changeBps,
  formatUsd,
  formatExactAmount,
  formatTokenAmount,
  formatPercent,
  formatDecimal,
  shortenAddress
} from "../../src/format/amounts.js"

test("formatDecimal cuts to six significant digits or two decimal places and never rounds up", () => {
  const shown = [
    ["0.024769847999999999", "0.0247698"],
    ["9999.99999999", "9,999.99"],
    ["1234567.5", "1,234,567.5"],
    ["123456789.987", "123,456,789.98"],
    ["0.000012345678", "0.00001234"],
    ["0.000000000000000001", "<0.00000001"],
    ["10000", "10,000"],
    ["1000", "1,000"],
    ["1.500", "1.5"],
    ["0", "0"]
  ] as const
  expect(shown.map(([text]) => formatDecimal(text))).toEqual(shown.map(([, cut]) => cut))
})

test("formatDecimal shows more digits of a balance on request", () => {
  expect(formatDecimal("10.024979799999999999", balanceDigits)).toBe("10.0249797")
  expect(formatDecimal("9999.99999999", balanceDigits)).toBe("9,999.99999")
})

test("formatExactAmount shows every digit", () => {
  const token = { symbol: "WETH", decimals: 18 }
  expect(formatExactAmount(24_769_847_999_999_999n, token)).toBe("0.024769847999999999\u00a0WETH")
  expect(formatTokenAmount(24_769_847_999_999_999n, token)).toBe("0.0247698\u00a0WETH")
})

test("formatPercent and formatUsd format percentages and dollars", () => {
  expect([8, -484, 12.5, 0].map((bps) => formatPercent(bps))).toEqual(["0.08%", "−4.84%", "0.13%", "0%"])
  expect(["5.00", "12345.6", "0.5"].map((text) => formatUsd(text))).toEqual(["$5.00", "$12,345.60", "$0.50"])
  expect([undefined, "", "1e5", "-3", "NaN"].map((text) => formatUsd(text))).toEqual(Array(5).fill(undefined))
})

test("changeBps returns basis points, even for large numbers", () => {
  expect(changeBps(10n ** 30n, 10n ** 30n - 10n ** 28n)).toBe(-100)
  expect(changeBps(1_000n, 1_003n)).toBe(30)
  expect(changeBps(0n, 5n)).toBe(0)
})

test("shortenAddress keeps both ends of an address", () => {
  expect(shortenAddress("0x15b7BEF3248b3f320A8281941B84D17608dfBE2b")).toBe("0x15b7…BE2b")
  expect(shortenAddress("7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5")).toBe("7Ytt…j2G5")
  expect(shortenAddress("short")).toBe("short")
})
