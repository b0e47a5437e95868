import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { outcomeOf } from "../../src/progress/outcome.js"
import { reasonOf } from "../../src/words/ends.js"

const protocol = readFileSync(new URL("../../../../docs/protocol.md", import.meta.url), "utf8")

/** Every code of a swap that was not delivered, as the protocol lists them. */
const codes = Array.from(protocol.matchAll(/^\| `([A-Z_]+)` +\| `(?:failed|refunded)`/gm), ([, code]) => code ?? "")

const trip = {
  from: { chainId: 1, chain: "here", symbol: "USDC", amount: "100" },
  to: { chainId: 2, chain: "there", symbol: "WETH", amount: "0.025" },
  recipient: "0x1"
}

test("the protocol lists its reasons", () => {
  expect(codes.length).toBeGreaterThan(8)
})

test.for(codes)("the reason %s has words", (code) => {
  expect(reasonOf(code)).toMatch(/^[A-Z].+\.$/)
  expect(reasonOf(code)).not.toContain(code)
})

test("a reason that nobody knows is shown as it came", () => {
  expect(reasonOf("BRAND_NEW")).toBe("The service says: BRAND_NEW.")
  expect(reasonOf(undefined)).toBeUndefined()
})

test("an end says where the money is", () => {
  expect(outcomeOf({ status: "settled" }, trip)).toMatchObject({ title: "0.025 WETH delivered", good: true })
  expect(outcomeOf({ status: "refunded", failureCode: "SLIPPAGE" }, trip)).toMatchObject({
    title: "Could not be delivered: your 100 USDC are back",
    text: reasonOf("SLIPPAGE"),
    good: false
  })
  expect(outcomeOf({ status: "failed" }, trip)).toMatchObject({
    title: "The swap failed: nothing was paid",
    good: false
  })
  expect(outcomeOf({ status: "pending" }, trip)).toBeUndefined()
})
