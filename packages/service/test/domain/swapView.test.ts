import { describe, expect, it } from "@effect/vitest"
import type { SwapRecord } from "../../src/domain/SwapRecord.js"
import { viewOf } from "../../src/domain/swapView.js"
import { order } from "../../src/testing/storeContract/fixture.js"

const record = (over: Partial<SwapRecord>): SwapRecord => ({
  ...order(1),
  state: "accepted",
  version: 1,
  updatedAt: 1,
  reserved: false,
  ...over
})

const terms = {
  input: { chainId: 31_337, token: order(1).inputToken, amount: 10n },
  quotedOutput: { chainId: 31_338, token: order(1).outputToken, amount: order(1).output },
  feeBps: order(1).feeBps,
  networkCost: order(1).networkCost,
  recipient: order(1).recipient,
  acceptedAt: new Date(order(1).createdAt)
}
const finished = { finishedAt: new Date(1) }

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
      failureCode: "REVERTED",
      ...terms,
      ...finished
    })
  })

  it("does not include a transaction whose block was undone", () => {
    const failed = record({ state: "failed", failureCode: "OPERATION_EXPIRED", originTxHash: "0xgone" })
    expect(viewOf(failed)).toEqual({
      swapId: "swap-1",
      status: "failed",
      failureCode: "OPERATION_EXPIRED",
      ...terms,
      ...finished
    })
  })

  it("differs from the view of a pending swap", () => {
    expect(viewOf(record({ state: "origin_sent", originTxHash: "0xthere" }))).toEqual({
      swapId: "swap-1",
      status: "pending",
      originTxHash: "0xthere",
      ...terms
    })
  })
})

describe("the view of a swap whose input has arrived", () => {
  const collectedAt = 1_767_225_600_500

  it("includes the time of the arrival, also while it is pending", () => {
    expect(viewOf(record({ state: "origin_final", collectedAt }))).toEqual({
      swapId: "swap-1",
      status: "pending",
      ...terms,
      collectedAt: new Date(collectedAt)
    })
  })

  it("includes what the recipient received once it has settled", () => {
    const settled = record({ state: "settled", collectedAt, deliveryTxHash: "0xb", paidAmount: 19n })
    expect(viewOf(settled)).toEqual({
      swapId: "swap-1",
      status: "settled",
      deliveryTxHash: "0xb",
      ...terms,
      output: { ...terms.quotedOutput, amount: 19n },
      collectedAt: new Date(collectedAt),
      ...finished
    })
  })

  it("includes what the wallet got back once it was refunded, next to a partial refund's amount", () => {
    const partial = {
      state: "refunded",
      collectedAt,
      failureCode: "REVERTED",
      refundAmount: 9n,
      paidAmount: 9n
    } as const
    expect(viewOf(record(partial))).toEqual({
      swapId: "swap-1",
      status: "refunded",
      failureCode: "REVERTED",
      refundAmount: 9n,
      ...terms,
      refund: { ...terms.input, amount: 9n },
      collectedAt: new Date(collectedAt),
      ...finished
    })
    expect(viewOf(record({ state: "refunded", paidAmount: 10n }))).toMatchObject({ refund: terms.input })
    expect(viewOf(record({ state: "refunded", paidAmount: 10n }))).not.toHaveProperty("refundAmount")
  })

  it("includes a delivery that reverted in a final block once it was refunded", () => {
    const hashes = { deliveryTxHash: "0xgone", revertedTxHash: "0xthere" }
    expect(viewOf(record({ state: "refunded", ...hashes }))).toMatchObject({ deliveryTxHash: "0xthere" })
    expect(viewOf(record({ state: "refunded", deliveryTxHash: "0xgone" }))).not.toHaveProperty("deliveryTxHash")
    for (const state of ["refund_prepared", "refund_sent"] as const) {
      expect(viewOf(record({ state, ...hashes }))).not.toHaveProperty("deliveryTxHash")
    }
    const settled = record({ state: "settled", deliveryTxHash: "0xb", revertedTxHash: "0xthere" })
    expect(viewOf(settled)).toMatchObject({ deliveryTxHash: "0xb" })
    expect(viewOf(settled)).not.toHaveProperty("originTxHash")
  })

  it.each(["settled", "refunded"] as const)("that %s without a recorded amount and arrival has neither", (state) => {
    expect(viewOf(record({ state }))).toEqual({ swapId: "swap-1", status: state, ...terms, ...finished })
  })
})
