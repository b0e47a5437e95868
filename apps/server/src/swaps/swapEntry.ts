/** A swap as a flat record for lists and exports, with amounts in the smallest unit and in tokens. */
import { Amount } from "@geoswap/core"
import { SwapRecord } from "@geoswap/service"
import type { Names } from "../output/displayNames.js"
import { formatTime } from "../output/time.js"

/** The divisor for fees, which are given in basis points with at most 4 decimal places. */
const parts = 100_000_000n

/** The fee in the input token, rounded up as in the quote. */
export const feeOf = ({ amount, feeBps }: Pick<SwapRecord.SwapRecord, "amount" | "feeBps">) =>
  (amount * BigInt(Math.round(feeBps * 10_000)) + parts - 1n) / parts

const refunds: ReadonlySet<SwapRecord.State> = new Set(["refund_prepared", "refund_sent", "refunded"])

/** Returns the record of a swap. The amounts come from the quote, and the state shows whether the funds moved. */
export const entryOf = (names: Names, account: string, swap: SwapRecord.SwapRecord) => {
  const { destinationChain, inputToken, originChain, outputToken, state } = swap
  const input = names.token(originChain, inputToken)
  const output = names.token(destinationChain, outputToken)
  const whole = (amount: bigint, token: typeof input) =>
    token === undefined ? null : Amount.format(amount, token.decimals)
  const fee = feeOf(swap)
  return {
    id: swap.id,
    orderId: swap.orderId,
    account,
    state,
    failureCode: swap.failureCode ?? null,
    createdAt: formatTime(swap.createdAt),
    updatedAt: formatTime(swap.updatedAt),
    endedAt: SwapRecord.isTerminal(state) ? formatTime(swap.updatedAt) : null,
    wallet: swap.wallet,
    originChain,
    originChainName: names.chain(originChain),
    inputToken,
    inputSymbol: input?.symbol ?? null,
    amount: swap.amount,
    amountWhole: whole(swap.amount, input),
    feeBps: swap.feeBps,
    fee,
    feeWhole: whole(fee, input),
    networkCost: swap.networkCost,
    networkCostWhole: whole(swap.networkCost, input),
    recipient: swap.recipient,
    destinationChain,
    destinationChainName: names.chain(destinationChain),
    outputToken,
    outputSymbol: output?.symbol ?? null,
    output: swap.output,
    outputWhole: whole(swap.output, output),
    minOutput: swap.minOutput,
    minOutputWhole: whole(swap.minOutput, output),
    // A reorg may have dropped the block of a stored transaction. Transactions that do not match the swap's current
    // state are therefore omitted.
    originTxHash: (state === "failed" ? swap.revertedTxHash : swap.originTxHash) ?? null,
    deliveryTxHash: (refunds.has(state) ? swap.revertedTxHash : swap.deliveryTxHash) ?? null,
    refundTxHash: swap.refundTxHash ?? null,
    refundAmount: swap.refundAmount ?? null
  }
}

export type Entry = ReturnType<typeof entryOf>

/** Formats a swap like `routeOf`, with at most six significant digits per amount. */
export const shortRouteOf = (names: Names, swap: SwapRecord.SwapRecord) =>
  routeOf(names, swap).replaceAll(/\b(\d+)\.(\d+)\b/g, (_, whole: string, fraction: string) => {
    const zeros = fraction.search(/[1-9]|$/)
    const kept = fraction.slice(0, whole === "0" ? zeros + 6 : Math.max(2, 6 - whole.length)).replace(/0+$/, "")
    return kept === "" ? whole : `${whole}.${kept}`
  })

/** Formats a swap as in `10 USDC devnet-a → 0.0025 WETH devnet-b`. */
export const routeOf = (names: Names, swap: SwapRecord.SwapRecord) => {
  const { amount, destinationChain, inputToken, originChain, output, outputToken } = swap
  const from = `${names.amount(originChain, inputToken, amount)} ${names.chain(originChain)}`
  return `${from} → ${names.amount(destinationChain, outputToken, output)} ${names.chain(destinationChain)}`
}
