import { readFileSync } from "node:fs"
import type { Proof } from "@geoswap/core/promise"
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

const proof = (seen: "delivery" | "refund"): Proof => ({ seen, chainId: 1, txHash: "0x1", amount: 1n })

test("outcomeOf says where the tokens are, if that is proved", () => {
  expect(outcomeOf({ status: "settled", proof: proof("delivery") }, summary)).toEqual({
    title: "0.025\u00a0WETH delivered",
    // The recipient may be an address that is not the user's.
    text: "Delivered to 0x7099…79C8 on there.",
    good: true
  })
  expect(outcomeOf({ status: "settled" }, summary, "alice")?.text).toBe("Delivered to alice (0x7099…79C8) on there.")
  const refunded = { status: "refunded", failureCode: "SLIPPAGE" } as const
  expect(outcomeOf({ ...refunded, proof: proof("refund") }, summary)).toMatchObject({
    title: "Delivery failed: 100\u00a0USDC refunded",
    text: failureReason("SLIPPAGE"),
    good: false
  })
  expect(outcomeOf({ status: "failed", proof: { seen: "expiry", chainId: 1 } }, summary)).toMatchObject({
    title: "Swap failed: nothing was paid",
    good: false
  })
  expect(outcomeOf({ status: "pending" }, summary)).toBeUndefined()
})

test("outcomeOf repeats what is not proved only as a claim, and warns before another swap", () => {
  expect(outcomeOf({ status: "settled" }, summary)?.title).toBe("0.025\u00a0WETH delivered, according to the service")
  for (const status of ["refunded", "failed"] as const) {
    expect(outcomeOf({ status }, summary)).toMatchObject({
      title: expect.stringMatching(/, according to the service$/) as string,
      text: expect.stringMatching(/may still be executed.*forget this swap\.$/) as string
    })
  }
})
