/** Batches: jobs that share one transaction. The vault runs each job in a separate frame with a gas limit. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, size, toFunctionSelector } from "viem"
import type { Job, SendJob } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { type Draft, nothingPending, type PendingCosts, type Relayers } from "../../Draft.js"
import type { EvmContext } from "../context.js"
import { relayerFor } from "../fees/relayerFunds.js"
import { offer } from "../fees/gasFees.js"
import { maxTransactionGas, parse, type Transaction, transactionGas } from "./transactions.js"
import { addressOf, type Call, isNative, paymentOf } from "./vaultCalls.js"

const { abi } = GeoVault

/** The maximum gas of a byte of a transaction's data. */
const byteGas = 16n
/** What the vault needs for each job in addition to the job's gas: decoding, copying, and an event if the job fails. */
const overheadGas = 6_000n
/** What must be left for the end of the batch: more than the vault's `BATCH_RESERVE`. */
const reserveGas = 20_000n

const names = ["collectMany", "deliverMany", "refundMany"] as const
const selectors: ReadonlyArray<string> = abi.flatMap((item) =>
  item.type === "function" && names.some((name) => name === item.name) ? [toFunctionSelector(item).slice(2)] : []
)

/** Whether an attempt is a batch. A cancellation is not one, even if it replaces a batch. */
export const isBatch = (attempt: Attempt): boolean =>
  // Most transactions contain none of the selectors, and need not be parsed.
  selectors.some((selector) => attempt.raw.includes(selector) && parse(attempt).data.startsWith(`0x${selector}`))

/** Returns how many jobs a batch was signed for. */
export const itemsOf = (batch: Attempt): number => {
  const { args } = decodeFunctionData({ abi, data: parse(batch).data })
  const items: unknown = args?.[0]
  return Array.isArray(items) ? items.length : 1
}

const transferOf = ({ amount, orderId, to, token }: SendJob) => ({
  swapId: orderId as Hex,
  token: addressOf(token),
  to: addressOf(to),
  amount
})

const dataOf = (drafts: ReadonlyArray<Draft>, itemGas: bigint): Hex => {
  const transfers = drafts.flatMap(({ job }) => (job.kind === "collect" ? [] : [transferOf(job)]))
  const kind = drafts[0]?.job.kind
  if (kind !== "collect") {
    const functionName = kind === "deliver" ? "deliverMany" : "refundMany"
    return encodeFunctionData({ abi, functionName, args: [transfers, itemGas] })
  }
  const calls = drafts.map(({ plan }) => (plan as Transaction).data)
  return encodeFunctionData({ abi, functionName: "collectMany", args: [calls, itemGas] })
}

/** The call that does all jobs, with enough gas even if each job uses up its own. */
const callOf = (drafts: ReadonlyArray<Draft>): Pick<Transaction, "to" | "data" | "gas"> | undefined => {
  const plans = drafts.map(({ plan }) => plan as Transaction)
  const [first] = plans
  if (first === undefined || plans.length === 1) return first
  const itemGas = plans.reduce((most, { gas }) => (gas > most ? gas : most), 0n)
  const data = dataOf(drafts, itemGas)
  // A call can pass on 63/64 of the gas.
  const perItem = (itemGas * 64n) / 63n + 1n + overheadGas
  const gas = transactionGas + byteGas * BigInt(size(data)) + perItem * BigInt(plans.length) + reserveGas
  return { to: first.to, data, gas }
}

/**
 * Returns the key of a job that can share a transaction with jobs that have the same key. Returns `undefined` if the
 * job must have a separate transaction. A payment without a delegation must, because only a separate transaction shows
 * what the wallet cost the operator. So must a native delivery to code of others, which could use up the gas of a batch.
 */
export const keyOf = (
  { config, quorum }: EvmContext,
  vault: Address,
  job: Job,
  { authorizationList }: Call
): Effect.Effect<string | undefined> => {
  if (config.maxBatch === 1 || authorizationList !== undefined || paymentOf(job) !== undefined) return Effect.undefined
  const key = `${job.kind} ${vault}`
  if (job.kind === "collect" || !isNative(job.token)) return Effect.succeed(key)
  return quorum.first.codeOf(addressOf(job.to)).pipe(
    Effect.map((code) => (code === "0x" ? key : undefined)),
    // A separate transaction is always possible.
    Effect.orElseSucceed(() => undefined)
  )
}

export const combine = Effect.fnUntraced(function* (
  context: EvmContext,
  drafts: readonly [Draft, ...ReadonlyArray<Draft>],
  relayers: Relayers,
  pending: PendingCosts = nothingPending
) {
  const { config, market, quorum } = context
  const fees = yield* offer(market, config.maxFeePerGas)
  const [, { gasLimit = maxTransactionGas }] = yield* quorum.recent
  const mostGas = gasLimit < maxTransactionGas ? gasLimit : maxTransactionGas
  const [{ job }] = drafts
  for (let count = Math.min(drafts.length, config.maxBatch); ; count = Math.ceil(count / 2)) {
    const call = callOf(drafts.slice(0, count))
    if (call === undefined) return yield* Effect.die(new TypeError("A transaction requires a draft."))
    if (count > 1 && call.gas > mostGas) continue
    const chosen = relayerFor(context, relayers, job.kind, call.gas * fees.maxFeePerGas, pending)
    // A relayer that cannot pay for all may be able to pay for some.
    const signer = yield* count === 1 ? chosen : Effect.orElseSucceed(chosen, () => undefined)
    if (signer !== undefined) return { relayer: signer, plan: { ...call, ...fees } satisfies Transaction, count }
  }
})
