import { describe, expect, it } from "@effect/vitest"
import { type Swap, SwapError, SwapOutcome } from "../../src/index.js"

const { outcome, unknownReason } = SwapOutcome

const usdc = (amount: bigint): Swap.SwapAmount => ({ chainId: 1, token: "0x1", amount })
const weth = (amount: bigint): Swap.SwapAmount => ({ chainId: 2, token: "0x2", amount })
const swap = (fields: Partial<Swap.Swap>): Swap.Swap => ({
  swapId: "s",
  status: "pending",
  input: usdc(100n),
  quotedOutput: weth(50n),
  output: weth(50n),
  refund: usdc(100n),
  ...fields
})
const delivery: Swap.Proof = { seen: "delivery", chainId: 2, txHash: "0xd", amount: 50n }
const refund: Swap.Proof = { seen: "refund", chainId: 1, txHash: "0xe", amount: 100n }
const expiry: Swap.Proof = { seen: "expiry", chainId: 1 }

describe("the outcome of a swap", () => {
  it.each([
    ["pending", undefined, "claimed", "wait"],
    ["settled", undefined, "claimed", "none"],
    ["settled", delivery, "proved", "none"],
    ["failed", undefined, "claimed", "resume"],
    ["failed", expiry, "proved", "retry"],
    ["refunded", undefined, "claimed", "resume"],
    ["refunded", refund, "proved", "retry"]
  ] as const)("that is %s with the proof %o is %s, and the next step is %s", (status, proof, evidence, next) => {
    expect(outcome(swap({ status, ...(proof && { proof }) }))).toMatchObject({ status, evidence, next })
  })

  it("never allows another signature for a swap that only the service says did not pay", () => {
    for (const status of ["pending", "settled", "failed", "refunded"] as const) {
      expect(outcome(swap({ status })).next).not.toBe("retry")
    }
  })

  it("names the amount that was paid, and the agreed one if it differs", () => {
    const settled = (output: bigint) => outcome(swap({ status: "settled", output: weth(output) }))
    expect(settled(50n)).toMatchObject({ received: { amount: weth(50n), agreed: undefined }, returned: undefined })
    expect(settled(49n).received).toMatchObject({ amount: weth(49n), agreed: weth(50n) })
    const refunded = outcome(swap({ status: "refunded", refund: usdc(99n) }))
    expect(refunded).toMatchObject({ received: undefined, returned: { amount: usdc(99n), agreed: usdc(100n) } })
  })

  it("shows an amount below the agreed minimum", () => {
    const received = (output: bigint, minOutput?: bigint) =>
      outcome(swap({ status: "settled", output: weth(output), ...(minOutput && { minOutput }) })).received
    expect([received(48n, 48n), received(47n)].map((one) => one?.isBelowMinimum)).toEqual([false, false])
    expect(received(47n, 48n)?.isBelowMinimum).toBe(true)
    const returned = (refunded: bigint, networkCost?: bigint) =>
      outcome(swap({ status: "refunded", refund: usdc(refunded), ...(networkCost !== undefined && { networkCost }) }))
        .returned
    expect([returned(98n, 2n), returned(97n)].map((one) => one?.isBelowMinimum)).toEqual([false, false])
    expect(returned(97n, 2n)?.isBelowMinimum).toBe(true)
  })

  it("blames the recipient for a refund without the network cost, and for nothing else", () => {
    const isRecipientAtFault = (fields: Partial<Swap.Swap>) => outcome(swap(fields)).isRecipientAtFault
    const refunded = (amount: bigint) =>
      isRecipientAtFault({ status: "refunded", refund: usdc(amount), networkCost: 2n })
    expect([refunded(98n), refunded(99n)]).toEqual([true, true])
    expect([refunded(100n), refunded(97n)]).toEqual([false, false])
    expect(isRecipientAtFault({ status: "settled", output: weth(49n) })).toBe(false)
  })

  it("takes a partial refund from the protocol's own field, if that is not more than the input", () => {
    const returned = (refundAmount: bigint) => {
      const { refund: _, ...rest } = swap({ status: "refunded", refundAmount })
      return outcome(rest).returned
    }
    expect(returned(99n)).toMatchObject({ amount: usdc(99n), agreed: usdc(100n) })
    expect(returned(101n)).toBeUndefined()
  })

  it("has no amounts if nothing was paid", () => {
    for (const status of ["pending", "failed"] as const) {
      expect(outcome(swap({ status }))).toMatchObject({ received: undefined, returned: undefined })
    }
  })
})

describe("the reason for an unknown outcome", () => {
  const unavailable = new SwapError.Unavailable({ message: "no answer", reason: "network" })
  const notFound = new SwapError.Rejected({ message: "unknown", status: 404, code: "SWAP_NOT_FOUND" })

  it.each([
    ["unanswered", undefined, unavailable],
    ["unanswered", undefined, notFound],
    ["unrecorded", "s", notFound],
    ["unconfirmed", "s", unavailable],
    ["unconfirmed", "s", undefined]
  ] as const)("is %s for the swap id %s and the cause %s", (reason, swapId, cause) => {
    expect(unknownReason({ ...(swapId && { swapId }), ...(cause && { cause }) })).toBe(reason)
  })
})
