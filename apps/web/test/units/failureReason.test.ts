import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { outcomeOf } from "../../src/progress/outcome.js"
import { failureReason } from "../../src/format/failureReason.js"

const protocol = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8")

/** Every code of a swap that was not delivered, as the protocol lists them. */
const codes = Array.from(protocol.matchAll(/^\| `([A-Z_]+)` +\| `(?:failed|refunded)`/gm), ([, code]) => code ?? "")

const summary = {
  from: { chainId: 1, chain: "here", symbol: "USDC", amount: "100" },
  to: { chainId: 2, chain: "there", symbol: "WETH", amount: "0.025" },
  recipient: "0x1"
}

test("the protocol lists its reasons", () => {
  expect(codes.length).toBeGreaterThan(8)
})

test.for(codes)("the reason %s has words", (code) => {
  expect(failureReason(code)).toMatch(/^[A-Z].+\.$/)
  expect(failureReason(code)).not.toContain(code)
})

test("a reason that nobody knows is shown as it came", () => {
  expect(failureReason("BRAND_NEW")).toBe("The service says: BRAND_NEW.")
  expect(failureReason(undefined)).toBeUndefined()
})

test("an end says where the money is", () => {
  expect(outcomeOf({ status: "settled" }, summary)).toMatchObject({ title: "0.025 WETH delivered", good: true })
  expect(outcomeOf({ status: "refunded", failureCode: "SLIPPAGE" }, summary)).toMatchObject({
    title: "Could not be delivered: your 100 USDC are back",
    text: failureReason("SLIPPAGE"),
    good: false
  })
  expect(outcomeOf({ status: "failed" }, summary)).toMatchObject({
    title: "The swap failed: nothing was paid",
    good: false
  })
  expect(outcomeOf({ status: "pending" }, summary)).toBeUndefined()
})
