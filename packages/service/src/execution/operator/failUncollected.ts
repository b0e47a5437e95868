/** Fails a swap at the operator's request if its input provably never arrived. */
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import type { Collection } from "../../chains/Outcome.js"
import type { State, SwapRecord } from "../../domain/SwapRecord.js"
import type * as Store from "../../store/Store.js"
import { neverCollected } from "../steps/settleOrRefund.js"
import { chainFor, collectOf } from "../steps/swapJobs.js"
import { finishSwap, notProven } from "./operatorChange.js"

/** The proof that no transaction has collected the input and that none can collect it in the future. */
export type Proof = Omit<Extract<Collection, { readonly _tag: "Never" }>, "_tag">

const beforeFunds: ReadonlySet<State> = new Set(["accepted", "origin_prepared", "origin_sent"])

const prove = Effect.fnUntraced(function* (chain: Chain, store: Store.Store, swap: SwapRecord) {
  if (!beforeFunds.has(swap.state)) {
    return yield* notProven(
      `The swap's state is ${swap.state}. Only a swap whose input has not arrived can be marked as failed.`
    )
  }
  if (chain.family !== "evm") {
    return yield* notProven(
      "The swap starts on Solana. The swap's transaction expires with its blockhash, and the service then finishes the swap."
    )
  }
  const job = collectOf(swap)
  const attempts = yield* store.attempts(swap.id, "collect")
  // A pending transaction must use up its nonce first, because the relayer's later transactions wait for that nonce.
  if (attempts.length > 0 && (yield* chain.observe(job, attempts))._tag !== "Dead") {
    return yield* notProven(
      "One of the swap's transactions can still be included in a block. Keep a server running until it has replaced the transaction, which it does after the deadline. Then try again."
    )
  }
  const found = yield* chain.collection(job)
  if (found._tag === "Never") return found
  return yield* notProven(
    found._tag === "Collected" ? `The input has arrived: ${found.hash}. The swap continues.` : found.message
  )
})

/**
 * Changes the swap to `failed` and records the proof. The requirements are the same as when the service itself changes
 * a swap to `failed`: a finalized block shows that no signed transaction can still be included, and a quorum of nodes
 * agrees that, as of a finalized block past the deadline, the vault has emitted no `Collected` event for this order.
 */
export const failUncollected = Effect.fn("Executor.failUncollected")(function* (
  chains: ReadonlyMap<number, Chain>,
  store: Store.Store,
  swap: SwapRecord
) {
  const { _tag, ...proof } = yield* prove(chainFor({ chains }, swap, "collect"), store, swap)
  const ended = yield* finishSwap(store, swap, {
    to: "failed",
    detail: `failed by the operator: ${neverCollected({ _tag, ...proof })}`,
    failureCode: "OPERATION_EXPIRED"
  })
  return { swap: ended, proof }
})
