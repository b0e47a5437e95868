import type { QuotePreview } from "@geoswap/core/promise"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { PageContext } from "../../src/pageContext.js"
import { SmallestUnits } from "../../src/review/SmallestUnits.js"
import { useConsents } from "../../src/review/useConsents.js"

/** The visible text of a component. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("\u2009", "")
    .replaceAll(/\s+/g, " ")
    .trim()

test("useConsents names the minimum and the amount at risk", () => {
  const quote: QuotePreview = {
    origin: "evm",
    output: 250_000_000n,
    minOutput: 200_000_001n,
    feeBps: 1,
    expiresAt: new Date(0),
    costs: { fee: { bps: 1 }, total: { bps: 1 } }
  }
  const token = { symbol: "USDC", address: "0x1", decimals: 6 }
  const Checks = () => useConsents(quote, token, 2_000).checks
  const value = { config: { service: "/web/api", chains: [] } } as never
  const html = renderToStaticMarkup(createElement(PageContext, { value }, createElement(Checks)))
  expect(html).toContain('type="checkbox"')
  expect(textOf(html)).toBe(
    "I accept receiving only 200.000001 USDC Your slippage puts 49.999999 USDC at risk: 20% of the quoted output."
  )
})

test("SmallestUnits shows the amount and the token contract", () => {
  const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
  const shown = (props: Parameters<typeof SmallestUnits>[0]) =>
    textOf(renderToStaticMarkup(createElement(SmallestUnits, props)))
  expect(shown({ amount: 10_000_000n, token: { address } })).toBe("10000000 units of 0x8335…2913")
  expect(shown({ amount: 10n, minimum: 9n, token: { address } })).toBe("10 units of 0x8335…2913 , at least 9")
  expect(shown({ amount: 5n, token: { address, native: true } })).toBe("5 units")
})
