/** Payments without a delegation: what is checked before they are collected, and what is recorded if a collection reverts. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { returnsToWallet } from "../calls/paymentMethods.js"
import type { Impossible, Outcome } from "../chains/Chains.js"
import { countLostCollection } from "../metrics/countPayments.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { EvmOperation, SwapRecord } from "../store/SwapRecord.js"
import { chainFor } from "./jobs.js"
import type { Worker } from "./stepActions.js"

/** Why a collection reverted. */
export type RevertReason = Pick<Impossible, "code" | "tokenPaused">

/** Whether a swap's payment method allows its recipient. The same was checked in the quote and in the build. */
export const mayCollect = ({ directory }: Worker, swap: SwapRecord): boolean =>
  swap.operation._tag !== "evm" ||
  swap.operation.method !== "eip3009" ||
  returnsToWallet({ ...swap, destination: chainFor(directory.chains, swap, "deliver") })

/** Whether a block was too late to collect a payment. The deadline of an EIP-3009 authorization is exclusive. */
const isLate = ({ deadline, method }: EvmOperation, time: number): boolean =>
  method === "eip3009" ? time >= deadline : time > deadline

/**
 * Records the reverted collection of a payment. It is a strike unless the cause is not the wallet's: the transaction was
 * included too late, or the vault or the token is paused. The record is written before the swap changes to `failed`. If
 * the process stops in between, the next one writes the same record again, which has no effect.
 */
export const recordLoss = Effect.fnUntraced(function* (
  { store }: Worker,
  { accountId, id, operation, originChain, wallet }: SwapRecord,
  { gas = 0n, time = 0 }: Extract<Outcome, { readonly _tag: "Dead" }>,
  { code, tokenPaused = false }: RevertReason
): Effect.fn.Return<void, StoreUnavailable> {
  if (operation._tag !== "evm" || operation.method === undefined || operation.method === "typed") return
  const lost = {
    swapId: id,
    account: accountId,
    chainId: originChain,
    method: operation.method,
    wallet,
    // A balance that is too low is not caused by the code.
    target: code === "INSUFFICIENT_BALANCE" ? undefined : operation.target,
    gas,
    isStrike: code !== "VAULT_PAUSED" && !tokenPaused && !isLate(operation, time),
    at: yield* Clock.currentTimeMillis
  }
  yield* store.losses.record(lost)
  yield* countLostCollection(lost)
})
