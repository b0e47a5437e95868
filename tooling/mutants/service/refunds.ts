/** Faults of refunds and who bears their cost. */
import { mutantsOf as of } from "../../testing/mutant.ts"

const src = "packages/service/src"

export const refunds = [
  of(
    `${src}/execution/steps/destination.ts`,
    ["atFault && amount > networkCost", "amount > networkCost"],
    [
      "destination.recipientAtFault(job, reverted), () => false",
      "destination.recipientAtFault(job, reverted), () => true"
    ]
  ),
  of(`${src}/execution/steps/settleOrRefund.ts`, ["paid ?? swap.refundAmount ?? swap.amount", "swap.amount"]),
  of(
    `${src}/execution/steps/swapJobs.ts`,
    ["amount: refundAmount ?? amount", "amount"],
    ['signed ?? (kind === "refund" ? collectOf(swap).vault : undefined)', "signed"],
    ['kind === "deliver" ? "deliver" : "collect"', '"deliver"']
  ),
  of(
    `${src}/chains/evm/proof/recipientFault.ts`,
    ["recipientFails && !controlFails", "recipientFails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["(yield* reads.blockAt(number)).hash !== hash", "false"],
    ["reverted === undefined ? fails(job.to) : hasCode", "fails(job.to)"]
  ),
  of(
    `${src}/chains/solana/proof/recipientFault.ts`,
    ["fails && ours.err === null", "fails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["theirs.slot !== ours.slot || (account !== undefined && account.slot !== ours.slot)", "false"],
    [" || account?.isTheirs === false", ""]
  )
]
