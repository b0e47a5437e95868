/** Simulates a job before its transaction is signed and paid for. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, formatUnits, type RpcTransactionRequest } from "viem"
import type * as Config from "../../../config/Config.js"
import type { CollectJob, Job } from "../../../domain/Job.js"
import type { EvmOperation } from "../../../domain/SwapRecord.js"
import { ChainUnavailable, Impossible } from "../../ChainError.js"
import { type Draft, nothingPending, type PendingCosts, type Relayers } from "../../Draft.js"
import type { Vaults } from "../accounts/vaults.js"
import { estimate, gasLimit } from "../fees/deliveryGas.js"
import { type Market, offer } from "../fees/gasFees.js"
import type { NodeQuorum } from "../nodes/nodeQuorum.js"
import type { Ask } from "../nodes/rpcNodes.js"
import * as SpentPayment from "../payments/spentPayment.js"
import type { Batches } from "./batches.js"
import { explain, insufficientFunds, isRevert, orRevert, type Revert } from "./reverts.js"
import type { Transaction } from "./transactions.js"
import { addressOf, type Call, callOf } from "./vaultCalls.js"

/** The gas limit of a simulated payment. The wallet's code may use up all of it. */
const paymentGas = 400_000n

/** The signed payment of a job that collects without a delegation. */
const paymentOf = (job: Job): EvmOperation | undefined =>
  job.kind === "collect" &&
  job.operation._tag === "evm" &&
  job.operation.method !== undefined &&
  job.operation.method !== "typed"
    ? job.operation
    : undefined

const shared = (shares: string | undefined): { readonly shares?: string } => (shares === undefined ? {} : { shares })

/** Creates the error for a relayer whose balance does not cover a transaction and its pending transactions. */
const relayerTooPoor = (
  config: Config.EvmChain,
  relayer: string,
  kind: string,
  { balance, cost, pending }: Readonly<Record<"balance" | "cost" | "pending", bigint>>
): ChainUnavailable => {
  const formatNative = (amount: bigint) => `${formatUnits(amount, 18)} ${config.native.symbol}`
  const has = `The relayer ${addressOf(relayer)} has ${formatNative(balance)} on chain ${config.id} (${config.name})`
  const needs = `the ${kind} transaction may cost ${formatNative(cost)}`
  const message = `${has}. Its pending transactions may cost ${formatNative(pending)}, and ${needs}. Top up the relayer.`
  return new ChainUnavailable({ chainId: config.id, message, timeout: false })
}

/** Reads a relayer's native balance, once per block. */
const relayerBalance = ({ recent }: Pick<NodeQuorum, "recent">, relayer: string) =>
  Effect.flatMap(recent, ([node]) =>
    node.feed.perHead(`balance of ${addressOf(relayer)}`, node.balanceOf(Chain.nativeToken.evm, relayer))
  )

/**
 * Returns the first relayer whose balance covers a cost and what it has pending. A relayer that cannot pay for all of its
 * transactions is stuck: no node accepts the first one that exceeds the balance, and its nonce blocks all later ones. A
 * balance is read at the latest block and pending costs count until a block is final, so a transaction in a block
 * counts twice until then.
 */
export const makeRelayerFor = (quorum: NodeQuorum, config: Config.EvmChain) =>
  Effect.fnUntraced(function* (
    relayers: Relayers,
    kind: string,
    cost: bigint,
    pending: PendingCosts
  ): Effect.fn.Return<string, ChainUnavailable> {
    const [first, ...others] = relayers
    const held = yield* relayerBalance(quorum, first)
    const covers = (relayer: string, balance: bigint) => {
      if (balance - pending.of(relayer) < cost) return false
      pending.add(relayer, cost, balance)
      return true
    }
    if (covers(first, held)) return first
    for (const relayer of others) if (covers(relayer, yield* relayerBalance(quorum, relayer))) return relayer
    return yield* relayerTooPoor(config, first, kind, { balance: held, pending: pending.of(first), cost })
  })

export type RelayerFor = ReturnType<typeof makeRelayerFor>

export const make = ({
  ask,
  config,
  keyOf,
  market,
  quorum,
  relayerFor,
  relayers,
  vaults: { all, ofJob }
}: {
  readonly ask: Ask
  readonly quorum: NodeQuorum
  readonly market: Market
  readonly config: Config.EvmChain
  readonly relayers: Relayers
  readonly relayerFor: RelayerFor
  readonly vaults: Vaults
  readonly keyOf: Batches["keyOf"]
}) => {
  const chainId = config.id
  const { first: reads } = quorum
  const isSpent = SpentPayment.make(ask, chainId)

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
    const relayer = yield* relayerFor(from, job.kind, paymentGas * fees.maxFeePerGas, pending)
    const request = formatTransactionRequest({ ...call, ...fees, gas: paymentGas, from: addressOf(relayer) })
    const gas = yield* Effect.catch(estimate(ask, request, "pending"), (error) =>
      // Some nodes have no pending state.
      error.timeout ? Effect.fail(error) : estimate(ask, request)
    )
    if (!isRevert(gas)) {
      const transaction = { ...call, ...fees, gas: gasLimit(job.token, gas) } satisfies Transaction
      return { job, relayer, plan: transaction, gas, ...shared(yield* keyOf(vault, job, call)) }
    }
    // A used payment may have been collected, so it must not be mistaken for one that cannot be.
    if (yield* isSpent(job, operation)) {
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
    if (job.kind === "collect" && payment !== undefined) {
      return yield* preparePayment(vault, job, payment, call, from, pending)
    }
    const request = formatTransactionRequest({ ...call, from: addressOf(first) })
    // Estimating the gas also simulates the call.
    const [gas, fees, key] = yield* Effect.all(
      [
        estimate(ask, request),
        offer(market, config.maxFeePerGas),
        keyOf(vault, job, call),
        relayerBalance(quorum, first)
      ],
      { concurrency: "unbounded" }
    )
    if (isRevert(gas)) return yield* refuse(vault, job, gas, request)
    const transaction = { ...call, ...fees, gas: gasLimit(job.token, gas) } satisfies Transaction
    const relayer = yield* relayerFor(from, job.kind, transaction.gas * fees.maxFeePerGas, pending)
    return { job, relayer, plan: transaction, gas, ...shared(key) }
  })

  /**
   * Prepares an order's first delivery attempt with the first vault that can pay for the delivery. If a vault has
   * already paid the order, no other vault is tried.
   */
  const prepareFirst = (
    [vault, ...others]: Vaults["all"],
    job: Job,
    from: Relayers,
    pending: PendingCosts
  ): ReturnType<typeof prepareFrom> => {
    const prepared = prepareFrom(vault, job, from, pending)
    const [next, ...rest] = others
    if (next === undefined) return prepared
    return Effect.catchTag(prepared, "Impossible", (refused) =>
      refused.code === "ALREADY_DONE"
        ? Effect.fail(refused)
        : Effect.catchTag(prepareFirst([next, ...rest], job, from, pending), "Impossible", (other) =>
            // Report the first vault's error, because the operator needs to know what that vault lacks.
            Effect.fail(other.code === "ALREADY_DONE" ? other : refused)
          )
    )
  }

  return (job: Job, from = relayers, { of }: PendingCosts = nothingPending): ReturnType<typeof prepareFrom> => {
    // The transaction may be combined with others, so its cost is added only when it is about to be signed.
    const pending = { ...nothingPending, of }
    return job.kind === "deliver" && job.vault === undefined
      ? prepareFirst(all, job, from, pending)
      : Effect.flatMap(ofJob(job), (vault) => prepareFrom(vault, job, from, pending))
  }
}
