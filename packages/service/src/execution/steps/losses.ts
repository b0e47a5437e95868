/**
 * What is recorded if a collection does not collect the input: what it cost, and whether the wallet or its code is the
 * cause. A loss limits what the wallet, its account and the chain can still lose (see `admission/paymentMethods.ts`).
 */
import { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Impossible } from "../../chains/ChainError.js"
import type { EvmChain } from "../../chains/Chains.js"
import { type EvmOperation, paymentMethodOf, type SwapRecord } from "../../domain/SwapRecord.js"
import { countLostCollection } from "../../metrics/countPayments.js"
import type { Worker } from "../Worker.js"
import { chainFor, collectOf } from "./swapJobs.js"

/** Why a collection fails. */
export type Reason = Pick<Impossible, "code" | "signatureRefused" | "tokenPaused">

/** A transaction that does not collect the input. */
interface Loss {
  readonly hash: string
  readonly gas: bigint
  readonly isFinal: boolean
  /** Whether the swap shares the transaction, and so its gas, with the other swaps of its batch. */
  readonly isBatch?: boolean
  /** The time of the transaction's block in Unix seconds, if it is known. */
  readonly time?: number | undefined
}

/** The gas of a transaction that only uses up a nonce. */
const cancellationGas = 21_000n

/** Whether a block was too late to collect an operation. The deadline of an EIP-3009 authorization is exclusive. */
const isLate = ({ deadline, method }: EvmOperation, time: number): boolean =>
  method === "eip3009" ? time >= deadline : time > deadline

/**
 * Returns the contract that the wallet delegates to if its code is why a payment reverted: it still is the wallet's code,
 * and it rejects the signature that it accepted before. Anything else is caused by the wallet, which may have moved its
 * tokens, canceled its approval or changed its delegation.
 */
const targetAtFault = Effect.fnUntraced(function* (
  origin: EvmChain,
  wallet: string,
  { target }: EvmOperation,
  { signatureRefused = false }: Reason
) {
  if (!signatureRefused || target === undefined) return undefined
  const state = yield* Effect.option(origin.walletState(wallet))
  const delegatedTo = Option.getOrUndefined(state)?.delegatedTo
  return delegatedTo !== undefined && CoreChain.sameAddress("evm", delegatedTo, target) ? target : undefined
})

/** Whether the wallet or its code can be the cause, and not the service: neither the vault nor the token is paused. */
const isCausedByWallet = ({ code, tokenPaused = false }: Reason): boolean => code !== "VAULT_PAUSED" && !tokenPaused

/**
 * Records a loss, and counts it once it is final. Without a reason, it is not a strike. The record is written before the
 * swap changes, so the same loss is recorded again after a restart, or while the swap waits for its next try.
 */
export const record = Effect.fnUntraced(function* (
  worker: Worker,
  swap: SwapRecord,
  { gas, hash, isBatch = false, isFinal, time }: Loss,
  reason: Reason | undefined
) {
  const { accountId, id, operation, originChain, visitor, wallet } = swap
  const origin = chainFor(worker, swap, "collect")
  if (origin.family !== "evm" || operation._tag !== "evm") return
  const members = isBatch ? yield* worker.store.batches.members(id, "collect") : []
  const at = yield* Clock.currentTimeMillis
  const lost = {
    swapId: id,
    hash,
    account: accountId,
    visitor,
    chainId: originChain,
    method: paymentMethodOf(operation) ?? "delegation",
    wallet,
    target: reason === undefined ? undefined : yield* targetAtFault(origin, wallet, operation, reason),
    gas: members.length > 1 ? gas / BigInt(members.length) : gas,
    isStrike: reason !== undefined && isCausedByWallet(reason) && !isLate(operation, time ?? at / 1000),
    isFinal,
    at
  }
  if ((yield* worker.store.losses.record(lost)) && isFinal) yield* countLostCollection(lost)
})

/** Records the cancellation of a collection. It is a strike if all nodes refused the collection because of the wallet. */
export const recordCancellation = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, hash: string) {
  const attempts = yield* worker.store.attempts(swap.id, "collect")
  const isRefused = attempts.some((attempt) => worker.refused.has(attempt.hash))
  const loss = { hash, gas: cancellationGas, isFinal: true }
  yield* record(worker, swap, loss, isRefused ? { code: "REVERTED" } : undefined)
})

/** Records that a transaction that is still pending is expected to fail. It may not, so it is not a strike. */
export const recordDoubt = Effect.fnUntraced(function* (worker: Worker, swap: SwapRecord, hash: string) {
  const { operation } = swap
  const origin = chainFor(worker, swap, "collect")
  if (origin.family !== "evm" || operation._tag !== "evm") return
  const reason = yield* Effect.option(Effect.flip(origin.prepare(collectOf(swap))))
  if (Option.isNone(reason) || reason.value._tag !== "Impossible" || reason.value.code === "ALREADY_DONE") return
  yield* record(worker, swap, { hash, gas: origin.exposureOf(operation), isFinal: false }, undefined)
})
