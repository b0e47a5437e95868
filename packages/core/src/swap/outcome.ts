/** What is known about how a swap ended, and what may be done next. */
import type { Status, Swap, SwapAmount } from "../Swap.js"
import { isSwapError, type OutcomeUnknown } from "../SwapError.js"

/** Who says how a swap ended. `proved`: the caller's own nodes saw it. `claimed`: only the service says so. */
export type Evidence = "claimed" | "proved"

/** What is known about a swap's status. */
export interface Known {
  readonly status: Status
  readonly evidence: Evidence
}

/**
 * What may be done next. `wait`: the swap has not finished. `resume`: the swap may still be executed, so nothing may be
 * signed instead of it; resume its flow until the outcome is proved. `retry`: the wallet certainly has its tokens, so the
 * swap may be signed again. `none`: the swap has settled.
 */
export type NextAction = "wait" | "resume" | "retry" | "none"

/** Returns what may be done next. */
export const nextAction = ({ evidence, status }: Known): NextAction => {
  switch (status) {
    case "pending":
      return "wait"
    case "settled":
      return "none"
    case "failed":
    case "refunded":
      return evidence === "proved" ? "retry" : "resume"
  }
}

/** An amount that was paid. */
interface Paid {
  readonly amount: SwapAmount
  /** The amount that was agreed, if it is not the one that was paid. */
  readonly agreed: SwapAmount | undefined
  /** Whether the amount is less than agreed, even with the slippage or, for a refund, without the network cost. */
  readonly isBelowMinimum: boolean
}

/** The facts about a swap's outcome. */
export interface Outcome extends Known {
  readonly next: NextAction
  /** What the recipient received, and the quoted amount. */
  readonly received: Paid | undefined
  /** What the wallet got back, and what it had paid. */
  readonly returned: Paid | undefined
  /**
   * Whether the recipient could not receive the output. Only then does a refund exclude the network cost. The same swap
   * would fail again, so it needs another recipient.
   */
  readonly isRecipientAtFault: boolean
}

const paid = (
  amount: SwapAmount | undefined,
  agreed: SwapAmount | undefined,
  minimum: bigint | undefined
): Paid | undefined =>
  amount && {
    amount,
    agreed: agreed?.amount === amount.amount ? undefined : agreed,
    isBelowMinimum: minimum !== undefined && amount.amount < minimum
  }

/** Returns the facts about a swap's outcome. Unless the evidence is `proved`, say that the service claims them. */
export const outcome = (swap: Swap): Outcome => {
  const { input, minOutput, networkCost, output, quotedOutput, refundAmount, status } = swap
  const refund =
    swap.refund ??
    (input && refundAmount !== undefined && refundAmount <= input.amount
      ? { ...input, amount: refundAmount }
      : undefined)
  const known: Known = { status, evidence: swap.proof === undefined ? "claimed" : "proved" }
  const leastRefund = input && networkCost !== undefined ? input.amount - networkCost : undefined
  const returned = status === "refunded" ? paid(refund, input, leastRefund) : undefined
  return {
    ...known,
    next: nextAction(known),
    received: status === "settled" ? paid(output, quotedOutput, minOutput) : undefined,
    returned,
    isRecipientAtFault: returned?.agreed !== undefined && !returned.isBelowMinimum
  }
}

/**
 * Why the outcome of a signed swap is unknown. `unanswered`: the service may have accepted the swap. `unrecorded`: the
 * service accepted the swap, and has no record of it now. `unconfirmed`: the caller's own nodes do not confirm what the
 * service says.
 */
export type UnknownReason = "unanswered" | "unrecorded" | "unconfirmed"

/** Returns why the outcome of a signed swap is unknown. */
export const unknownReason = ({ cause, swapId }: Pick<OutcomeUnknown, "cause" | "swapId">): UnknownReason => {
  if (swapId === undefined) return "unanswered"
  return isSwapError(cause) && cause.code === "SWAP_NOT_FOUND" ? "unrecorded" : "unconfirmed"
}
