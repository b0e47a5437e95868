import { describe, expect, it } from "@effect/vitest"
import { viewOf } from "../../src/calls/swapView.js"
import type { SwapRecord } from "../../src/store/SwapRecord.js"
import { order } from "../../src/testing/storeContract/fixture.js"

const record = (over: Partial<SwapRecord>): SwapRecord => ({
  ...order(1),
  state: "accepted",
  version: 1,
  updatedAt: 1,
  reserved: false,
  ...over
})

describe("the view of a failed swap", () => {
  it("includes its transaction if it is on the chain and reverted", () => {
    const failed = record({
      state: "failed",
      failureCode: "REVERTED",
      originTxHash: "0xgone",
      revertedTxHash: "0xthere"
    })
    expect(viewOf(failed)).toEqual({
      swapId: "swap-1",
      status: "failed",
      originTxHash: "0xthere",
      failureCode: "REVERTED"
    })
  })

  it("does not include a transaction whose block was undone", () => {
    const failed = record({ state: "failed", failureCode: "OPERATION_EXPIRED", originTxHash: "0xgone" })
    expect(viewOf(failed)).toEqual({ swapId: "swap-1", status: "failed", failureCode: "OPERATION_EXPIRED" })
  })

  it("differs from the view of a pending swap", () => {
    expect(viewOf(record({ state: "origin_sent", originTxHash: "0xthere" }))).toEqual({
      swapId: "swap-1",
      status: "pending",
      originTxHash: "0xthere"
    })
  })
})
