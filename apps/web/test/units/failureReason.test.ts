import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { outcomeOf } from "../../src/progress/outcome.js"
import { failureReason } from "../../src/format/failureReason.js"

const protocol = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8")

/** The failure codes that the protocol lists. */
const codes = Array.from(protocol.matchAll(/^\| `([A-Z_]+)` +\| `(?:failed|refunded)`/gm), ([, code]) => code ?? "")

const summary = {
  from: { chainId: 1, chain: "here", symbol: "USDC", amount: "100" },
  to: { chainId: 2, chain: "there", symbol: "WETH", amount: "0.025" },
  recipient: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
}

test("the protocol lists failure codes", () => {
  expect(codes.length).toBeGreaterThan(8)
})

test.for(codes)("failureReason has a message for %s", (code) => {
  expect(failureReason(code)).toMatch(/^[A-Z].+\.$/)
  expect(failureReason(code)).not.toContain(code)
})

test("failureReason shows an unknown code unchanged", () => {
  expect(failureReason("BRAND_NEW")).toBe("The service reported the failure code BRAND_NEW.")
  expect(failureReason(undefined)).toBeUndefined()
})

test("outcomeOf says where the tokens are", () => {
  expect(outcomeOf({ status: "settled" }, summary)).toEqual({
    title: "0.025\u00a0WETH delivered",
    // The recipient may be an address that is not the user's.
    text: "Delivered to 0x7099…79C8 on there.",
    good: true
  })
  expect(outcomeOf({ status: "settled" }, summary, "alice")?.text).toBe("Delivered to alice (0x7099…79C8) on there.")
  expect(outcomeOf({ status: "refunded", failureCode: "SLIPPAGE" }, summary)).toMatchObject({
    title: "Delivery failed: 100\u00a0USDC refunded",
    text: failureReason("SLIPPAGE"),
    good: false
  })
  expect(outcomeOf({ status: "failed" }, summary)).toMatchObject({
    title: "Swap failed: nothing was paid",
    good: false
  })
  expect(outcomeOf({ status: "pending" }, summary)).toBeUndefined()
})
