import { readFileSync } from "node:fs"
import type { Proof, Swap } from "@geoswap/core/promise"
import { expect, test } from "vitest"
import { endOf, outcomeOf } from "../../src/progress/outcome.js"
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

const swap = (status: Swap["status"], more: Partial<Swap> = {}): Swap => ({ swapId: "swap-1", status, ...more })

const proof = (seen: "delivery" | "refund"): Proof => ({ seen, chainId: 1, txHash: "0x1", amount: 1n })

test("outcomeOf says where the tokens are, if that is proved", () => {
  expect(outcomeOf(swap("settled", { proof: proof("delivery") }), summary)).toEqual({
    title: "0.025\u00a0WETH delivered",
    // The recipient may be an address that is not the user's.
    text: "Delivered to 0x7099…79C8 on there.",
    good: true
  })
  expect(outcomeOf(swap("settled"), summary, "alice")?.text).toBe("Delivered to alice (0x7099…79C8) on there.")
  const refunded = swap("refunded", { failureCode: "SLIPPAGE", proof: proof("refund") })
  expect(outcomeOf(refunded, summary)).toMatchObject({
    title: "Delivery failed: 100\u00a0USDC refunded",
    text: failureReason("SLIPPAGE"),
    good: false
  })
  expect(outcomeOf(swap("failed", { proof: { seen: "expiry", chainId: 1 } }), summary)).toMatchObject({
    title: "Swap failed: nothing was paid",
    good: false
  })
  expect(outcomeOf(swap("pending"), summary)).toBeUndefined()
})

test("outcomeOf repeats what is not proved only as a claim, and warns before another swap", () => {
  expect(outcomeOf(swap("settled"), summary)?.title).toBe("0.025\u00a0WETH delivered, according to the service")
  for (const status of ["refunded", "failed"] as const) {
    expect(outcomeOf(swap(status), summary)).toMatchObject({
      title: expect.stringMatching(/, according to the service$/) as string,
      text: expect.stringMatching(/may still be executed.*forget this swap\.$/) as string
    })
  }
})

test("endOf names an end that is not proved only as a claim", () => {
  expect([undefined, swap("pending")].map(endOf)).toEqual(["Stopped", "Stopped"])
  expect(endOf(swap("settled"))).toBe("Delivered, according to the service")
  expect(endOf(swap("refunded", { proof: proof("refund") }))).toBe("Refunded")
})

test("outcomeOf shows the delivered amount, and warns if it is below the minimum", () => {
  const quotedOutput = { chainId: 2, token: "0x2", amount: 25n }
  const delivered = (amount: bigint) =>
    outcomeOf(swap("settled", { quotedOutput, output: { ...quotedOutput, amount }, minOutput: 24n }), {
      ...summary,
      to: { ...summary.to, decimals: 3 }
    })
  expect(delivered(24n)).toMatchObject({ title: "0.024\u00a0WETH delivered, according to the service", good: true })
  expect(delivered(23n)).toMatchObject({
    title: "0.023\u00a0WETH delivered, according to the service",
    text: expect.stringContaining("less than the minimum") as string,
    good: false
  })
})

test("outcomeOf shows the amount of a partial refund, and why it is not the entire payment", () => {
  const input = { chainId: 1, token: "0x1", amount: 100_000_000n }
  const from = { ...summary.from, decimals: 6 }
  const refunded = swap("refunded", { input, refund: { ...input, amount: 99_500_000n }, proof: proof("refund") })
  expect(outcomeOf(refunded, { ...summary, from })).toMatchObject({
    title: "Delivery failed: 99.5\u00a0USDC refunded",
    text: expect.stringContaining("network cost was deducted") as string
  })
  expect(outcomeOf({ ...refunded, refund: input }, { ...summary, from })?.title).toBe(
    "Delivery failed: 100\u00a0USDC refunded"
  )
})
