/** Verifies that a transaction did its job, based on the balances before and after the transaction. */
import * as Effect from "effect/Effect"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { type ChainContext, isNative } from "../context.js"
import type { Meta } from "../nodes/rpcSchemas.js"
import { type Payment, paymentsIn } from "../transactions/batches.js"
import { memoOf } from "../transactions/instructions.js"
import { read } from "../transactions/wireTransaction.js"

/** How much a token balance increased, or `undefined` if the node does not report the balance after the transaction. */
const tokenGrowth = ({ postTokenBalances, preTokenBalances }: Meta, accountIndex: number, mint: string) => {
  const amountIn = (balances: Meta["preTokenBalances"]) => {
    const found = balances?.find((each) => each.accountIndex === accountIndex && each.mint === mint)
    return found && BigInt(found.uiTokenAmount.amount)
  }
  const after = amountIn(postTokenBalances)
  // An account that the transaction created has no prior balance.
  return after === undefined ? undefined : after - (amountIn(preTokenBalances) ?? 0n)
}

const lamportGrowth = ({ postBalances, preBalances }: Meta, accountIndex: number) => {
  const [before, after] = [preBalances[accountIndex], postBalances[accountIndex]]
  return before === undefined || after === undefined ? undefined : after - before
}

/**
 * How much the payee must have received. A batch must contain the job's payment. If it pays the payee several times, that
 * is the sum. Returns `undefined` if the batch does not contain the payment.
 */
const dueTo = (account: string, job: Job, payments: ReadonlyArray<Payment>) => {
  if (job.kind === "collect" || payments.length <= 1) return job.amount
  const toPayee = payments.filter((payment) => payment.account === account && payment.token === job.token)
  return toPayee.some(({ amount, memo }) => amount === job.amount && memo === memoOf(job))
    ? toPayee.reduce((sum, { amount }) => sum + amount, 0n)
    : undefined
}

/** Whether the payee received exactly what the transaction pays. The payee of a collection is the vault. */
export const isProven = Effect.fnUntraced(function* (context: ChainContext, job: Job, attempt: Attempt, meta: Meta) {
  const vault = context.vault.address
  const to = job.kind === "collect" ? vault : job.to
  const account = isNative(job.token) ? to : yield* context.tokenAccountOf(to, job.token)
  const due = dueTo(account, job, paymentsIn(attempt))
  if (due === undefined) return false
  // If the payer is also the payee, the balance proves nothing and is not checked.
  const ownPocket = job.kind !== "collect" && (to === vault || (isNative(job.token) && to === context.relayer.address))
  if (ownPocket) return true
  const index = read(attempt.raw)?.compiled.staticAccounts.findIndex((each) => each === account) ?? -1
  const growth = isNative(job.token) ? lamportGrowth(meta, index) : tokenGrowth(meta, index, job.token)
  return growth === due
})
