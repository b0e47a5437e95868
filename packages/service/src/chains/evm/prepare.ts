/** Simulates a job before its transaction is signed and paid for. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, formatUnits, type RpcTransactionRequest } from "viem"
import type * as Config from "../../config/Config.js"
import type { EvmOperation } from "../../store/SwapRecord.js"
import { ChainUnavailable, type CollectJob, type Draft, Impossible, type Job, type Relayers } from "../Chains.js"
import type { Batches } from "./batches.js"
import { estimate, leastForNative } from "./deliveryGas.js"
import { type Market, offer } from "./gasFees.js"
import { addressOf, type Call, callOf, isNative } from "./jobs.js"
import type { NodeQuorum } from "./nodeQuorum.js"
import { explain, insufficientFunds, isRevert, orRevert, type Revert } from "./reverts.js"
import type { Ask } from "./rpcNodes.js"
import * as SpentPayment from "./spentPayment.js"
import type { Transaction } from "./transactions.js"
import type { Vaults } from "./vaults.js"

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

/** Creates the error for a relayer whose balance does not cover a transaction. */
export const relayerTooPoor = (
  config: Config.EvmChain,
  relayer: string,
  kind: string,
  balance: bigint,
  cost: bigint
): ChainUnavailable => {
  const formatNative = (amount: bigint) => `${formatUnits(amount, 18)} ${config.native.symbol}`
  const has = `The relayer ${addressOf(relayer)} has ${formatNative(balance)} on chain ${config.id} (${config.name})`
  const message = `${has}, but the ${kind} transaction may cost ${formatNative(cost)}. Top up the relayer.`
  return new ChainUnavailable({ chainId: config.id, message, timeout: false })
}

/** Reads a relayer's native balance, once per block. */
export const relayerBalance = ({ recent }: Pick<NodeQuorum, "recent">, relayer: string) =>
  Effect.flatMap(recent, ([node]) =>
    node.feed.perHead(`balance of ${addressOf(relayer)}`, node.balanceOf(Chain.nativeToken.evm, relayer))
  )

/** Returns the first relayer whose balance covers a cost. */
export const makeRelayerFor = (quorum: NodeQuorum, config: Config.EvmChain) =>
  Effect.fnUntraced(function* (
    [first, ...others]: Relayers,
    kind: string,
    cost: bigint
  ): Effect.fn.Return<string, ChainUnavailable> {
    const balance = yield* relayerBalance(quorum, first)
    if (balance >= cost) return first
    for (const relayer of others) if ((yield* relayerBalance(quorum, relayer)) >= cost) return relayer
    return yield* relayerTooPoor(config, first, kind, balance, cost)
  })

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
  readonly relayerFor: ReturnType<typeof makeRelayerFor>
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
    from: Relayers
  ) {
    const fees = yield* offer(market, config.maxFeePerGas)
    const relayer = yield* relayerFor(from, job.kind, paymentGas * fees.maxFeePerGas)
    const request = formatTransactionRequest({ ...call, ...fees, gas: paymentGas, from: addressOf(relayer) })
    const gas = yield* Effect.catch(estimate(ask, request, "pending"), (error) =>
      // Some nodes have no pending state.
      error.timeout ? Effect.fail(error) : estimate(ask, request)
    )
    if (!isRevert(gas)) {
      const transaction = { ...call, ...fees, gas: (gas * 125n) / 100n } satisfies Transaction
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
    from: Relayers
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
      return yield* preparePayment(vault, job, payment, call, from)
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
    const ample = (gas * 125n) / 100n
    const least = isNative(job.token) ? leastForNative : 0n
    const transaction = { ...call, ...fees, gas: ample > least ? ample : least } satisfies Transaction
    const cost = transaction.gas * fees.maxFeePerGas
    // If a relayer cannot pay for this transaction, no node would accept it, and its nonce would block all of the
    // relayer's later transactions.
    return { job, relayer: yield* relayerFor(from, job.kind, cost), plan: transaction, gas, ...shared(key) }
  })

  /**
   * Prepares an order's first delivery attempt with the first vault that can pay for the delivery. If a vault has
   * already paid the order, no other vault is tried.
   */
  const prepareFirst = (
    [vault, ...others]: Vaults["all"],
    job: Job,
    from: Relayers
  ): ReturnType<typeof prepareFrom> => {
    const prepared = prepareFrom(vault, job, from)
    const [next, ...rest] = others
    if (next === undefined) return prepared
    return Effect.catchTag(prepared, "Impossible", (refused) =>
      refused.code === "ALREADY_DONE"
        ? Effect.fail(refused)
        : Effect.catchTag(prepareFirst([next, ...rest], job, from), "Impossible", (other) =>
            // Report the first vault's error, because the operator needs to know what that vault lacks.
            Effect.fail(other.code === "ALREADY_DONE" ? other : refused)
          )
    )
  }

  return (job: Job, from = relayers): ReturnType<typeof prepareFrom> =>
    job.kind === "deliver" && job.vault === undefined
      ? prepareFirst(all, job, from)
      : Effect.flatMap(ofJob(job), (vault) => prepareFrom(vault, job, from))
}
