/** A swap's jobs (collect, deliver, refund), derived from its record. */
import * as Effect from "effect/Effect"
import type { Chain } from "../../chains/Chains.js"
import type { CollectJob, Job, SendJob } from "../../domain/Job.js"
import type { Kind, SwapRecord } from "../../domain/SwapRecord.js"
import type { Worker } from "../Worker.js"

/** The `vault` field of a job, if the vault is known. */
const from = (vault: string | undefined) => vault !== undefined && { vault }

/** The `atRiskUsd` field of a job, if it is known. */
const risk = ({ atRiskCents }: SwapRecord) => atRiskCents !== undefined && { atRiskUsd: atRiskCents / 100 }

/** Returns the job that collects the input from the wallet. */
export const collectOf = (swap: SwapRecord): CollectJob => ({
  kind: "collect",
  orderId: swap.orderId,
  wallet: swap.wallet,
  token: swap.inputToken,
  amount: swap.amount,
  terms: swap.terms,
  operation: swap.operation,
  ...risk(swap)
})

/** Returns the job that delivers the output to the recipient. */
const deliveryOf = (swap: SwapRecord, vault?: string): SendJob => ({
  kind: "deliver",
  orderId: swap.orderId,
  token: swap.outputToken,
  to: swap.recipient,
  amount: swap.output,
  opensAccount: swap.opensAccount,
  ...risk(swap),
  ...from(vault)
})

/** Returns the job that refunds the input to the wallet. The input is refunded in full unless the recipient was at fault. */
const refundOf = (swap: SwapRecord, vault?: string): SendJob => ({
  kind: "refund",
  orderId: swap.orderId,
  token: swap.inputToken,
  to: swap.wallet,
  amount: swap.refundAmount ?? swap.amount,
  // The wallet's token account already exists. If the wallet has closed that account, the refund waits until the
  // account is opened again.
  opensAccount: false,
  ...risk(swap),
  ...from(vault)
})

/**
 * Returns the job of the given kind. A delivery or refund job does not name its vault here, because the existing
 * attempts determine the vault.
 */
export const jobOf = (swap: SwapRecord, kind: Kind): Job =>
  kind === "collect" ? collectOf(swap) : kind === "deliver" ? deliveryOf(swap) : refundOf(swap)

/**
 * Returns the chain on which a job runs. Dies if the chain is no longer configured, so the chain's swaps wait until it
 * is configured again.
 */
export const chainFor = ({ chains }: Pick<Worker, "chains">, swap: SwapRecord, kind: Kind): Chain => {
  const id = kind === "deliver" ? swap.destinationChain : swap.originChain
  const chain = chains.get(id)
  if (chain === undefined)
    throw new Error(`Chain ${id}, which swap ${swap.id} uses, is no longer configured. Add it to the configuration.`)
  return chain
}

/**
 * Returns a delivery or refund job with its vault. A delivery keeps the vault of its first signed attempt, and a refund
 * uses the vault that collected the input. On Solana, there is one vault, and each attempt offers more than the one before.
 */
export const sendJobOf = Effect.fnUntraced(function* (
  worker: Pick<Worker, "chains" | "store">,
  swap: SwapRecord,
  kind: SendJob["kind"]
) {
  const chain = chainFor(worker, swap, kind)
  if (chain.family === "solana") {
    const { length: tries } = yield* worker.store.attempts(swap.id, kind)
    return { ...(kind === "deliver" ? deliveryOf(swap) : refundOf(swap)), tries }
  }
  const signed = chain.vaultOf(yield* worker.store.attempts(swap.id, kind === "deliver" ? "deliver" : "collect"))
  // If the input arrived through a transaction that is not one of our attempts, the input is in the vault that the
  // wallet's operation was signed for.
  const { operation } = swap
  const vault = signed ?? (kind === "refund" && operation._tag === "evm" ? operation.vault : undefined)
  return kind === "deliver" ? deliveryOf(swap, vault) : refundOf(swap, vault)
})
