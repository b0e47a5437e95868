import { describe, expect, it } from "vitest"
import { uiAmount } from "../src/internal/solana/token.js"

describe("uiAmount", () => {
  it.each([
    [0n, 6, "0"],
    [1n, 6, "0.000001"],
    [1_500_000n, 6, "1.5"],
    [10_000_000n, 6, "10"],
    [7n, 0, "7"],
    [2n ** 64n - 1n, 9, "18446744073.709551615"]
  ])("formats %s with %s decimals as %s", (amount, decimals, text) => {
    expect(uiAmount(amount, decimals)).toEqual({
      amount: amount.toString(),
      decimals,
      uiAmount: Number(text),
      uiAmountString: text
    })
  })
})
