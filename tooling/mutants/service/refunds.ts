/** Faults of refunds and who bears their cost. */
import { mutantsFoundBy as foundBy } from "../../testing/mutant.ts"

const src = "packages/service/src"
const tests = "packages/service/test"

export const refunds = [
  foundBy(
    `${tests}/execution/Executor.test.ts`,
    `${src}/execution/steps/destination.ts`,
    ["atFault && amount > networkCost", "amount > networkCost"],
    [
      "destination.recipientAtFault(job, reverted), () => false",
      "destination.recipientAtFault(job, reverted), () => true"
    ]
  ),
  foundBy(`${tests}/execution/Executor.test.ts`, `${src}/execution/steps/settleOrRefund.ts`, [
    "paid ?? swap.refundAmount ?? swap.amount",
    "swap.amount"
  ]),
  foundBy(`${tests}/execution/Executor.test.ts`, `${src}/execution/steps/swapJobs.ts`, [
    "amount: swap.refundAmount ?? swap.amount",
    "amount: swap.amount"
  ]),
  foundBy(
    `${tests}/execution/settleOrRefund.test.ts`,
    `${src}/execution/steps/swapJobs.ts`,
    ['signed ?? (kind === "refund" && operation._tag === "evm" ? operation.vault : undefined)', "signed"],
    ['kind === "deliver" ? "deliver" : "collect"', '"deliver"']
  ),
  foundBy(
    `${tests}/chains/evm/recipientFault.test.ts`,
    `${src}/chains/evm/proof/recipientFault.ts`,
    ["recipientFails && !controlFails", "recipientFails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["(yield* blockAt(number)).hash !== hash", "false"],
    ["reverted === undefined ? fails(job.to) : hasCode", "fails(job.to)"]
  ),
  foundBy(
    `${tests}/chains/solana/prepare.test.ts`,
    `${src}/chains/solana/proof/recipientFault.ts`,
    ["fails && ours.err === null", "fails"],
    ["answers.every(({ value }) => value)", "answers.some(({ value }) => value)"],
    ["theirs.slot !== ours.slot || (account !== undefined && account.slot !== ours.slot)", "false"],
    [" || account?.isTheirs === false", ""]
  )
]
