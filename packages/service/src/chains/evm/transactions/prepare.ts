/** Simulates a job before its transaction is signed and paid for. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Address, formatTransactionRequest, type RpcTransactionRequest } from "viem"
import { together } from "../../../concurrency/together.js"
import type { CollectJob, Job } from "../../../domain/Job.js"
import type { EvmOperation } from "../../../domain/SwapRecord.js"
import { type ChainUnavailable, Impossible } from "../../ChainError.js"
import { type Draft, nothingPending, type PendingCosts, type Relayers } from "../../Draft.js"
import type { EvmContext } from "../context.js"
import { gasLimit } from "../fees/deliveryGas.js"
import { estimate } from "../fees/estimateGas.js"
import { offer } from "../fees/gasFees.js"
import { relayerBalance, relayerFor } from "../fees/relayerFunds.js"
import { isSpent } from "../payments/spentPayment.js"
import { keyOf } from "./batches.js"
import { explain, insufficientFunds, isRevert, orRevert, type Revert } from "./reverts.js"
import type { Transaction } from "./transactions.js"
import { addressOf, type Call, callOf, paymentOf } from "./vaultCalls.js"

/** The gas limit of a simulated payment. The wallet's code may use up all of it. */
const paymentGas = 400_000n

export const make = (context: EvmContext) => {
  const { config, market, quorum, relayers, vaults } = context
  const { ask, first: reads } = quorum
  const chainId = config.id

  const simulate = (request: RpcTransactionRequest) =>
    ask("eth_call", ({ request: send }) =>
      send({ method: "eth_call", params: [request, "latest"] }).then(() => undefined, orRevert)
    )

  /**
   * Explains a revert. Some nodes return no data if an estimate reverts, so the call is simulated. Many tokens revert
   * without a reason. In that case, the balance is checked.
   */
  const refuse = Effect.fnUntraced(function* (
    vault: Address,
    job: Job,
    reverted: Revert,
    request: RpcTransactionRequest
  ) {
    const revert = reverted.data === "0x" ? ((yield* simulate(request)) ?? reverted) : reverted
    const reason = explain(chainId, job, revert)
    if (reason.code !== "REVERTED") return yield* reason
    const holder = job.kind === "collect" ? job.wallet : vault
    // If the balance cannot be read, report the revert without a reason.
    const balance = yield* Effect.orElseSucceed(reads.balanceOf(job.token, holder), () => job.amount)
    return yield* balance < job.amount ? insufficientFunds(chainId, job) : reason
  })

  /**
   * Simulates the collection of a payment without a delegation. The wallet's code may run, and it must not notice that it
   * is simulated: the call has a relayer as its sender, the fees of a transaction, a gas limit, and the pending state.
   */
  const preparePayment = Effect.fnUntraced(function* (
    vault: Address,
    job: CollectJob,
    operation: EvmOperation,
    call: Call,
    from: Relayers,
    pending: PendingCosts
  ) {
    const fees = yield* offer(market, config.maxFeePerGas)
    const relayer = yield* relayerFor(context, from, job.kind, paymentGas * fees.maxFeePerGas, pending)
    const request = formatTransactionRequest({ ...call, ...fees, gas: paymentGas, from: addressOf(relayer) })
    const gas = yield* Effect.catch(estimate(ask, request, "pending"), (error) =>
      // Some nodes have no pending state.
      error.timeout ? Effect.fail(error) : estimate(ask, request)
    )
    if (!isRevert(gas)) {
      const transaction = { ...call, ...fees, gas: gasLimit(job.token, gas) } satisfies Transaction
      return { job, relayer, plan: transaction, gas }
    }
    // A used payment may have been collected, so it must not be mistaken for one that cannot be.
    if (yield* isSpent(context, job, operation)) {
      const message = "The payment has already been collected, or the wallet has canceled it."
      return yield* new Impossible({ chainId, code: "ALREADY_DONE", message })
    }
    const [, { timestamp }] = yield* quorum.recent
    if (timestamp >= operation.deadline) {
      const message = "The payment's deadline has passed."
      return yield* new Impossible({ chainId, code: "OPERATION_EXPIRED", message })
    }
    return yield* refuse(vault, job, gas, request)
  })

  const prepareFrom = Effect.fnUntraced(function* (
    vault: Address,
    job: Job,
    from: Relayers,
    pending: PendingCosts
  ): Effect.fn.Return<Draft, ChainUnavailable | Impossible> {
    const [first] = from
    const call = yield* Effect.try({
      try: () => callOf(vault, job),
      catch: () =>
        new Impossible({
          chainId,
          code: "REVERTED",
          message: `The signature for the ${job.kind} transaction cannot be encoded for the vault.`
        })
    })
    const payment = paymentOf(job)
    if (payment !== undefined) return yield* preparePayment(vault, ...payment, call, from, pending)
    const request = formatTransactionRequest({ ...call, from: addressOf(first) })
    // Estimating the gas also simulates the call.
    const [gas, fees, shares] = yield* together([
      estimate(ask, request),
      offer(market, config.maxFeePerGas),
      keyOf(context, vault, job, call),
      relayerBalance(context, first)
    ])
    if (isRevert(gas)) return yield* refuse(vault, job, gas, request)
    const transaction = { ...call, ...fees, gas: gasLimit(job.token, gas) } satisfies Transaction
    const relayer = yield* relayerFor(context, from, job.kind, transaction.gas * fees.maxFeePerGas, pending)
    return { job, relayer, plan: transaction, gas, ...(shares !== undefined && { shares }) }
  })

  /**
   * Prepares an order's first delivery attempt with the first vault that can pay for the delivery. If a vault has
   * already paid the order, no other vault is tried.
   */
  const prepareFirst = Effect.fnUntraced(function* (job: Job, from: Relayers, pending: PendingCosts) {
    let refused: Impossible | undefined
    for (const vault of vaults.all) {
      const prepared = yield* Effect.result(prepareFrom(vault, job, from, pending))
      if (Result.isSuccess(prepared)) return prepared.success
      const { failure } = prepared
      if (failure._tag !== "Impossible" || failure.code === "ALREADY_DONE") return yield* failure
      // Report the first vault's error, because the operator needs to know what that vault lacks.
      refused ??= failure
    }
    return yield* refused ?? Effect.die(new TypeError("A chain has a vault."))
  })

  return (job: Job, from = relayers, { of }: PendingCosts = nothingPending) => {
    // The transaction may be combined with others, so its cost is added only when it is about to be signed.
    const pending = { ...nothingPending, of }
    return job.kind === "deliver" && job.vault === undefined
      ? prepareFirst(job, from, pending)
      : Effect.flatMap(vaults.ofJob(job), (vault) => prepareFrom(vault, job, from, pending))
  }
}
