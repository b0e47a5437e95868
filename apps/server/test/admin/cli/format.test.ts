import { afterEach, describe, expect, it, vi } from "vitest"
import { row } from "../../../src/export/csv.js"
import * as Names from "../../../src/output/displayNames.js"
import { formatDecimal, localeOf } from "../../../src/output/numbers.js"
import { oneLine } from "../../../src/output/oneLine.js"
import { table } from "../../../src/output/table.js"
import { parseTime, formatAge, formatElapsed } from "../../../src/output/time.js"

const now = Date.UTC(2026, 10, 15, 12)

describe("parseTime", () => {
  it.each([
    ["2026-11-01", Date.UTC(2026, 10, 1)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2026-11-01T10:00Z", Date.UTC(2026, 10, 1, 10)],
    ["2026-11-01T10:00:05.5+02:00", Date.UTC(2026, 10, 1, 8, 0, 5, 500)],
    ["90s", now - 90_000],
    ["30m", now - 1_800_000],
    ["24h", now - 86_400_000],
    ["7d", now - 604_800_000],
    ["2w", now - 1_209_600_000]
  ])("parses %s", (text, millis) => expect(parseTime(text, now)).toBe(millis))

  it.each([
    "",
    "now",
    "24",
    "h",
    "-1h",
    "1.5h",
    "2026",
    "2026-13-01",
    "2026-02-29",
    "2026-11-01T10:00",
    "2026-11-01T25:00Z"
  ])("refuses %j", (text) => expect(parseTime(text, now)).toBeUndefined())
})

afterEach(() => void vi.unstubAllEnvs())

describe("numbers", () => {
  it("use the locale that the environment names, and English otherwise", () => {
    expect([{}, { LANG: "C.UTF-8" }, { LANG: "not a locale" }].map(localeOf)).toEqual(["en-US", "en-US", "en-US"])
    expect(localeOf({ LANG: "de_DE.UTF-8", LC_NUMERIC: "fr_FR@euro" })).toBe("fr-FR")
    expect(localeOf({ LANG: "de_DE.UTF-8", LC_NUMERIC: "fr_FR", LC_ALL: "C" })).toBe("en-US")
  })

  it("are grouped, and exact up to the last digit", () => {
    const amount = "123456789012345678901.000000000000000001"
    expect(formatDecimal(amount, {})).toBe("123,456,789,012,345,678,901.000000000000000001")
    expect(formatDecimal(amount, { LANG: "de_DE" })).toBe("123.456.789.012.345.678.901,000000000000000001")
    expect(formatDecimal("-1234.5", { LANG: "en_IN" })).toBe("-1,234.5")
    expect(formatDecimal("0", { LANG: "ar_EG" })).toBe("0")
  })
})

describe("durations", () => {
  it("are formatted in their largest unit", () => {
    expect([-5, 999, 59_999, 60_000, 3_599_999, 86_399_999, 864_000_000].map(formatAge)).toEqual([
      "0s",
      "0s",
      "59s",
      "1m",
      "59m",
      "23h",
      "10d"
    ])
  })

  it("are formatted more precisely the shorter they are", () => {
    expect([0, 412, 12_340, 304_000, 7_500_000].map(formatElapsed)).toEqual([
      "+0.000s",
      "+0.412s",
      "+12.3s",
      "+5m 4s",
      "+2h 5m"
    ])
  })
})

describe("CSV rows", () => {
  it("quote special characters and put an apostrophe before formulas", () => {
    expect(row(["a", 'say "b"', "c,d", "e\r\nf", null, 12.5])).toBe('a,"say ""b""","c,d","e\r\nf",,12.5\r\n')
    expect(row(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", -1, "a=1"])).toBe(
      "'=1+1,'+1,'-1,'@SUM(A1),'\t=1,\"'\r=1\",-1,a=1\r\n"
    )
  })
})

describe("tables", () => {
  it("have aligned columns and no control characters", () => {
    expect(
      table([
        ["a", "b"],
        ["longer", "c\u001B[2Jd\n"]
      ])
    ).toBe("a       b\nlonger  c [2Jd")
    expect(oneLine("a\r\n\u0007b")).toBe("a b")
  })
})

describe("display names", () => {
  const chain = {
    kind: "evm",
    id: 1,
    name: "One",
    native: { symbol: "ETH" },
    tokens: [{ symbol: "USDC", decimals: 6, address: "0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa" }]
  }
  const names = Names.make({ chains: [chain] } as never)

  it("format amounts of tokens and of the native token, ignoring the case of addresses", () => {
    expect(names.amount(1, `0x${"a".repeat(40)}`, 10_500_000n)).toBe("10.5 USDC")
    expect(names.amount(1, `0x${"0".repeat(40)}`, -(10n ** 17n))).toBe("-0.1 ETH")
    expect(names.chain(1)).toBe("One")
  })

  it("format amounts and durations in the reader's locale", () => {
    vi.stubEnv("LC_ALL", "de_DE.UTF-8")
    expect(names.amount(1, `0x${"a".repeat(40)}`, 12_345_500_000n)).toBe("12.345,5 USDC")
    expect(names.amount(1, `0x${"b".repeat(40)}`, 12_345n)).toBe("12.345 of 0xbbbb…bbbb")
    expect(formatElapsed(412)).toBe("+0,412s")
  })

  it("format unknown tokens in their smallest unit with a shortened address", () => {
    expect(names.amount(1, `0x1234${"b".repeat(32)}cdef`, 7n)).toBe("7 of 0x1234…cdef")
    expect(names.amount(2, `0x${"a".repeat(40)}`, 7n)).toBe("7 of 0xaaaa…aaaa")
    expect(names.chain(2)).toBe("chain 2")
  })
})
