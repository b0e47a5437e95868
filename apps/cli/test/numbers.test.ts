import { afterEach, describe, expect, test, vi } from "vitest"
import {
  formatDecimal,
  formatPercent,
  formatRounded,
  formatUsd,
  localeOf,
  roundDecimal
} from "../src/output/numbers.js"
import { formatAgo } from "../src/output/time.js"
import { parsePercent } from "../src/flags/swapFlags.js"

afterEach(() => void vi.unstubAllEnvs())

describe("numbers", () => {
  test("use the locale that the environment names, and English otherwise", () => {
    expect(localeOf({})).toBe("en-US")
    expect(localeOf({ LANG: "C.UTF-8" })).toBe("en-US")
    expect(localeOf({ LANG: "de_DE.UTF-8" })).toBe("de-DE")
    expect(localeOf({ LANG: "de_DE.UTF-8", LC_NUMERIC: "fr_FR@euro" })).toBe("fr-FR")
    expect(localeOf({ LC_ALL: "POSIX", LANG: "de_DE" })).toBe("en-US")
    expect(localeOf({ LANG: "not a locale" })).toBe("en-US")
  })

  test("are grouped, and exact up to the last digit", () => {
    expect(formatDecimal("10000")).toBe("10,000")
    expect(formatDecimal("123456789012345678901234567890.000000000000000001")).toBe(
      "123,456,789,012,345,678,901,234,567,890.000000000000000001"
    )
    expect([formatPercent(8), formatPercent(-125), formatPercent(0.5)]).toEqual(["0.08%", "-1.25%", "0.005%"])
    expect(formatUsd(1234.5)).toBe("$1,234.50")
    vi.stubEnv("LC_ALL", "de_DE.UTF-8")
    expect(formatDecimal("10000.5")).toBe("10.000,5")
    expect(formatPercent(8)).toBe("0,08\u00A0%")
  })

  test("are rounded down to six digits, and costs are rounded up", () => {
    expect(roundDecimal("38881.429999")).toBe("38881.42")
    expect(roundDecimal("0.024998123456")).toBe("0.0249981")
    expect(roundDecimal("0.024998123456", "up")).toBe("0.0249982")
    expect(roundDecimal("0.000000000000000001")).toBe("0.000000000000000001")
    expect(roundDecimal("999999.999", "up")).toBe("1000000")
    expect(roundDecimal("100")).toBe("100")
    expect(roundDecimal("1.50")).toBe("1.50")
    expect(formatRounded("1234567.891")).toBe("1,234,567.89")
  })
})

test("percentages are converted to basis points", () => {
  expect(["0.5%", "0.5", "1 %", "0%", "100%", "12.34%"].map(parsePercent)).toEqual([50, 50, 100, 0, 10_000, 1234])
  expect(["", "%", "abc", "0.001%", "-1%", "101%", "1e2", "0,5%"].map(parsePercent)).toEqual(Array(8).fill(undefined))
})

test("times are relative to now", () => {
  const now = Date.parse("2026-11-17T12:00:00Z")
  const ago = (seconds: number) => formatAgo(now - seconds * 1000, now)
  expect([0, 4, 5, 61, 119, 3_600, 90_000, 29 * 86_400].map(ago)).toEqual([
    "just now",
    "just now",
    "5 seconds ago",
    "1 minute ago",
    "1 minute ago",
    "1 hour ago",
    "1 day ago",
    "29 days ago"
  ])
  expect(ago(30 * 86_400)).toBe("on 2026-10-18")
  expect(formatAgo(Number.NaN, now)).toBe("at an unknown time")
})
