/** Payments without a delegation: what is checked before they are collected, and what is recorded if a collection reverts. */
import { Chain as CoreChain } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { codeAnswer, returnsToWallet } from "../calls/paymentMethods.js"
import type { ChainUnavailable, Impossible, Outcome } from "../chains/Chains.js"
import { countLostCollection } from "../metrics/countPayments.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { EvmOperation, SwapRecord } from "../store/SwapRecord.js"
import { chainFor } from "./jobs.js"
import type { Worker } from "./stepActions.js"

/** Why a collection reverted. */
export type RevertReason = Pick<Impossible, "code" | "signatureRefused" | "tokenPaused">

/**
 * Whether the swap is paid without a delegation. Such a payment does not share its transaction: only a separate
 * transaction shows what the wallet cost the operator.
 */
export const isPayment = ({ operation }: SwapRecord): boolean =>
  operation._tag === "evm" && operation.method !== undefined && operation.method !== "typed"

/**
 * Returns why a payment must not be collected although its simulation succeeds: its method does not allow the recipient,
 * or the wallet's code has changed since the payment was accepted, and that code must not be asked. Call this only after
 * the simulation, which shows that the payment has not been collected yet.
 */
export const refusalOf = Effect.fnUntraced(function* (
  { directory: { chains } }: Worker,
  swap: SwapRecord
): Effect.fn.Return<string | undefined, ChainUnavailable> {
  const { inputToken, operation, wallet } = swap
  const origin = chainFor(chains, swap, "collect")
  if (origin.family !== "evm" || operation._tag !== "evm") return undefined
  const { method } = operation
  if (method === undefined || method === "typed") return undefined
  if (method === "eip3009" && !returnsToWallet({ ...swap, destination: chainFor(chains, swap, "deliver") })) {
    return "the payment method does not allow this recipient"
  }
  const answer = yield* codeAnswer({ origin, token: inputToken }, method, yield* origin.walletState(wallet))
  return answer.works ? undefined : answer.why
})

/** Whether a block was too late to collect a payment. The deadline of an EIP-3009 authorization is exclusive. */
const isLate = ({ deadline, method }: EvmOperation, time: number): boolean =>
  method === "eip3009" ? time >= deadline : time > deadline

/**
 * Returns the contract that the wallet delegates to if its code is why a payment reverted: it still is the wallet's code,
 * and it rejects the signature that it accepted before. Anything else is caused by the wallet, which may have moved its
 * tokens, canceled its approval or changed its delegation.
 */
const targetAtFault = Effect.fnUntraced(function* (
  { directory: { chains } }: Pick<Worker, "directory">,
  swap: SwapRecord,
  { signatureRefused = false }: RevertReason
) {
  const { operation, wallet } = swap
  const origin = chainFor(chains, swap, "collect")
  if (origin.family !== "evm" || operation._tag !== "evm") return undefined
  const { target } = operation
  if (!signatureRefused || target === undefined) return undefined
  const state = yield* Effect.option(origin.walletState(wallet))
  const delegatedTo = Option.getOrUndefined(state)?.delegatedTo
  return delegatedTo !== undefined && CoreChain.sameAddress("evm", delegatedTo, target) ? target : undefined
})

/**
 * Records the reverted collection of a payment. It is a strike against the wallet unless the cause is not the wallet's:
 * the transaction was included too late, or the vault or the token is paused. The record is written before the swap
 * changes to `failed`. If the process stops in between, the next one writes the same record again, which has no effect.
 */
export const recordLoss = Effect.fnUntraced(function* (
  { directory, store }: Worker,
  swap: SwapRecord,
  { gas = 0n, time = 0 }: Extract<Outcome, { readonly _tag: "Dead" }>,
  reason: RevertReason
): Effect.fn.Return<void, StoreUnavailable> {
  const { accountId, id, operation, originChain, wallet } = swap
  const { code, tokenPaused = false } = reason
  if (operation._tag !== "evm" || operation.method === undefined || operation.method === "typed") return
  const lost = {
    swapId: id,
    account: accountId,
    chainId: originChain,
    method: operation.method,
    wallet,
    target: yield* targetAtFault({ directory }, swap, reason),
    gas,
    isStrike: code !== "VAULT_PAUSED" && !tokenPaused && !isLate(operation, time),
    at: yield* Clock.currentTimeMillis
  }
  yield* store.losses.record(lost)
  yield* countLostCollection(lost)
})
