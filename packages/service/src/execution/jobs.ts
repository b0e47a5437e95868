/** The three transactions of a swap, from its record and from what was signed for it. */
import * as Effect from "effect/Effect"
import type { Chain, CollectJob, Job, SendJob } from "../chains/Chains.js"
import type { StoreUnavailable } from "../store/Store.js"
import type { Kind, SwapRecord } from "../store/SwapRecord.js"
import type { Worker } from "./worker.js"

/** Names the vault of a job, if it is known. */
const from = (vault: string | undefined) => vault !== undefined && { vault }

/** The input from the wallet, as it was signed. */
export const collectOf = ({ amount, inputToken, operation, orderId, terms, wallet }: SwapRecord): CollectJob => ({
  kind: "collect",
  orderId,
  wallet,
  token: inputToken,
  amount,
  terms,
  operation,
  ...from(operation._tag === "evm" ? operation.vault : undefined)
})

/** The output to the recipient. */
const deliveryOf = (
  { opensAccount, orderId, output, outputToken, recipient }: SwapRecord,
  vault?: string
): SendJob => ({
  kind: "deliver",
  orderId,
  token: outputToken,
  to: recipient,
  amount: output,
  opensAccount,
  ...from(vault)
})

/** The input back to the wallet: the whole of it, unless the recipient was at fault. */
const refundOf = ({ amount, inputToken, orderId, refundAmount, wallet }: SwapRecord, vault?: string): SendJob => ({
  kind: "refund",
  orderId,
  token: inputToken,
  to: wallet,
  amount: refundAmount ?? amount,
  // What was paid from is there, unless the wallet closed it: then it waits for the wallet to open it again.
  opensAccount: false,
  ...from(vault)
})

/** What a transaction of that kind does for a swap. The vault of attempts that exist is known from them. */
export const jobOf = (swap: SwapRecord, kind: Kind): Job =>
  kind === "collect" ? collectOf(swap) : kind === "deliver" ? deliveryOf(swap) : refundOf(swap)

/** Where it happens. */
const chainIdOf = (swap: SwapRecord, kind: Kind): number =>
  kind === "deliver" ? swap.destinationChain : swap.originChain

/** A chain that the configuration lost is a defect: swaps on it wait until it is back. */
export const chainFor = (chains: ReadonlyMap<number, Chain>, swap: SwapRecord, kind: Kind): Chain => {
  const id = chainIdOf(swap, kind)
  const chain = chains.get(id)
  if (chain === undefined) throw new Error(`Chain ${id} of swap ${swap.id} is not configured any more.`)
  return chain
}

/**
 * What is sent for a swap, with its vault: a delivery stays with the vault of the first one that was signed, and a refund
 * leaves from the vault that collected.
 */
export const sendJobOf = Effect.fnUntraced(function* (
  { directory, store }: Pick<Worker, "directory" | "store">,
  swap: SwapRecord,
  kind: SendJob["kind"]
): Effect.fn.Return<SendJob, StoreUnavailable> {
  const chain = chainFor(directory.chains, swap, kind)
  const signed =
    chain.family === "evm"
      ? chain.vaultOf(yield* store.attempts(swap.id, kind === "deliver" ? "deliver" : "collect"))
      : undefined
  // An input that arrived without an attempt of ours is in the vault that the wallet signed for.
  const vault = signed ?? (kind === "refund" ? collectOf(swap).vault : undefined)
  return kind === "deliver" ? deliveryOf(swap, vault) : refundOf(swap, vault)
})
