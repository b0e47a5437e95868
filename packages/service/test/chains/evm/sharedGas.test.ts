import { describe, expect, it } from "@effect/vitest"
import * as SharedGas from "../../../src/chains/evm/fees/sharedGas.js"

const minute = 60_000

/** Records orders, of which each `perTransaction` share a transaction. */
const recorded = (count: number, perTransaction: number, at = 0) => {
  const shared = SharedGas.make()
  for (let index = 0; index < count; index++) {
    shared.record("deliver", { orderId: `order ${index}`, hash: `hash ${Math.floor(index / perTransaction)}`, at })
  }
  return shared
}

describe("the gas that a quote charges for", () => {
  it("is the gas of a separate transaction until enough swaps have shared theirs", () => {
    expect(recorded(19, 10).charged("deliver", 60_000n, minute)).toBe(60_000n)
    expect(recorded(20, 10).charged("deliver", 60_000n, minute)).toBe(60_000n - 18_900n)
  })

  it("does not change if every swap has a separate transaction", () => {
    expect(recorded(100, 1).charged("deliver", 60_000n, minute)).toBe(60_000n)
  })

  it("falls by the part of the fixed gas that the other swaps pay", () => {
    expect(recorded(100, 2).charged("deliver", 60_000n, minute)).toBe(60_000n - 10_500n)
    expect(recorded(100, 50).charged("deliver", 60_000n, minute)).toBe(60_000n - 20_580n)
  })

  it("never falls below 60 percent", () => {
    expect(recorded(100, 50).charged("deliver", 40_000n, minute)).toBe(24_000n)
  })

  it("depends only on the last ten minutes and the last hundred swaps", () => {
    expect(recorded(100, 10).charged("deliver", 60_000n, 10 * minute)).toBe(60_000n)
    const shared = recorded(100, 10)
    for (let index = 0; index < 100; index++) shared.record("deliver", { orderId: `${index}`, hash: `${index}`, at: 0 })
    expect(shared.charged("deliver", 60_000n, minute)).toBe(60_000n)
  })

  it("counts an order once, and each kind separately", () => {
    const shared = SharedGas.make()
    for (let index = 0; index < 100; index++) shared.record("deliver", { orderId: "same", hash: `${index}`, at: 0 })
    expect(shared.charged("deliver", 60_000n, minute)).toBe(60_000n)
    expect(recorded(100, 10).charged("collect", 60_000n, minute)).toBe(60_000n)
  })
})
