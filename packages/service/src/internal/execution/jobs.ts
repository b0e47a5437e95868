/** The three transactions of a swap, from its record alone. */
import type { Chain, CollectJob, Job, SendJob } from "../../Chains.js"
import type { Kind, SwapRecord } from "../../SwapRecord.js"

/** The input from the wallet, as it was signed. */
export const collectOf = ({ amount, inputToken, operation, orderId, terms, wallet }: SwapRecord): CollectJob => ({
  kind: "collect",
  orderId,
  wallet,
  token: inputToken,
  amount,
  terms,
  operation
})

/** The output to the recipient. */
export const deliveryOf = ({ opensAccount, orderId, output, outputToken, recipient }: SwapRecord): SendJob => ({
  kind: "deliver",
  orderId,
  token: outputToken,
  to: recipient,
  amount: output,
  opensAccount
})

/** The input back to the wallet: the whole of it, unless the recipient was at fault. */
export const refundOf = ({ amount, inputToken, orderId, refundAmount, wallet }: SwapRecord): SendJob => ({
  kind: "refund",
  orderId,
  token: inputToken,
  to: wallet,
  amount: refundAmount ?? amount,
  // What was paid from is there, unless the wallet closed it: then it waits for the wallet to open it again.
  opensAccount: false
})

/** What a transaction of that kind does for a swap. */
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
