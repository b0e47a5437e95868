/** The report on one swap, as text and as JSON. The report never contains what the wallet signed. */
import type { Store, SwapRecord } from "@geoswap/service"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { entryOf, feeOf, routeOf } from "./swapEntry.js"
import { formatWhole, type Names } from "../output/displayNames.js"
import { formatDecimal } from "../output/numbers.js"
import { oneLine } from "../output/oneLine.js"
import { table } from "../output/table.js"
import { formatTime, formatAge, formatElapsed } from "../output/time.js"
import { costEntries, costFields, costTable, totalsOf } from "./swapCosts.js"
import { adviceFor, describeFailure, waitsFor } from "./swapAdvice.js"

const kinds = ["collect", "deliver", "refund"] as const

const indent = (text: string) => text.replaceAll(/^/gm, "  ")

const feesOf = ({ lastValidBlockHeight, maxFeePerGas, maxPriorityFeePerGas }: SwapRecord.Attempt) => {
  if (lastValidBlockHeight !== undefined) return `until block height ${lastValidBlockHeight}`
  const gwei = (wei: bigint | undefined) => formatWhole(wei ?? 0n, 9)
  return `at most ${gwei(maxFeePerGas)} gwei, tip ${gwei(maxPriorityFeePerGas)} gwei`
}

/** Reads everything that is stored about a swap. */
export const swapReport = Effect.fnUntraced(function* (
  store: Store.Store,
  names: Names,
  account: string,
  swap: SwapRecord.SwapRecord
) {
  const { destinationChain, operation, originChain } = swap
  const events = yield* store.events(swap.id)
  const transactions = (yield* Effect.forEach(kinds, (kind) =>
    Effect.map(store.attempts(swap.id, kind), (attempts) =>
      attempts.map((attempt) => ({ ...attempt, kind, chain: kind === "deliver" ? destinationChain : originChain }))
    )
  )).flat()
  const spent = yield* store.spentGas.of([swap.id])
  const now = yield* Clock.currentTimeMillis

  const input = (amount: bigint) => names.amount(originChain, swap.inputToken, amount)
  const output = (amount: bigint) => names.amount(destinationChain, swap.outputToken, amount)
  const wallet = `${swap.wallet} on ${names.chain(originChain)}`
  const recipient = `${swap.recipient} on ${names.chain(destinationChain)}`
  const deadline = operation._tag === "evm" ? formatTime(operation.deadline * 1_000) : null

  /** The outcome of the swap, or what the swap is waiting for. */
  const end = () => {
    switch (swap.state) {
      case "settled":
        return [`${output(swap.output)} arrived at ${recipient} in ${swap.deliveryTxHash ?? "an unknown transaction"}.`]
      case "failed":
        return [
          `It failed: ${describeFailure(swap.failureCode)}.`,
          `No tokens moved, and none can: ${input(swap.amount)} stayed in ${wallet}.`
        ]
      case "refunded": {
        const { amount, refundAmount = amount } = swap
        const kept = amount - refundAmount
        const lines = [`It was not delivered: ${describeFailure(swap.failureCode)}.`]
        if (kept > 0n) {
          lines.push(
            `The recipient could not receive the output, so ${input(kept)} was kept to cover the network cost.`
          )
        }
        const what = kept === 0n ? `The entire input, ${input(amount)},` : `${input(refundAmount)} of the input`
        return [...lines, `${what} was refunded to ${wallet} in ${swap.refundTxHash ?? "an unknown transaction"}.`]
      }
      default:
        return [
          `It has been waiting for ${waitsFor(swap, names)} for ${formatAge(now - swap.updatedAt)}.`,
          ...adviceFor(swap, names)
        ]
    }
  }

  const terms = [
    ["Route", routeOf(names, swap)],
    ["Account", account],
    ["Wallet", wallet],
    ["Recipient", recipient],
    ["Input", `${input(swap.amount)} (${swap.amount} of ${swap.inputToken})`],
    ["Output", `${output(swap.output)} (${swap.output} of ${swap.outputToken}), at least ${output(swap.minOutput)}`],
    ["Fee", `${formatDecimal(`${swap.feeBps}`)} basis points, ${input(feeOf(swap))}`],
    ["Network cost", input(swap.networkCost)],
    ["Spent on gas", totalsOf(names, spent)],
    ["Deadline", operation._tag === "solana" ? `block height ${operation.lastValidBlockHeight}` : (deadline ?? "")],
    ["Order id", swap.orderId],
    ["Accepted", `${formatTime(swap.createdAt)}, ${formatAge(now - swap.createdAt)} ago`]
  ]
  const history = events.map(({ at, detail, state }, index) => {
    const before = events[index - 1]
    return [formatTime(at), before === undefined ? "" : formatElapsed(at - before.at), state, detail]
  })
  const sent = transactions.map((transaction) => [
    formatTime(transaction.createdAt),
    `${transaction.kind} on ${names.chain(transaction.chain)}`,
    transaction.nonce === undefined ? "" : `nonce ${transaction.nonce}`,
    transaction.hash,
    `${feesOf(transaction)}${transaction.cancels ? ", cancels the nonce" : ""}`
  ])
  const text = [
    `Swap ${swap.id} is ${swap.state}.`,
    "",
    indent(table(terms)),
    "",
    "History",
    indent(table(history)),
    "",
    "Transactions",
    sent.length === 0 ? "  None signed." : indent(table(sent)),
    ...(spent.length === 0 ? [] : ["", "Spent gas", indent(costTable(names, spent))]),
    "",
    ...end().map(oneLine)
  ].join("\n")

  const json = (raw: boolean) => ({
    ...entryOf(names, account, swap),
    accountId: swap.accountId,
    operationHash: swap.operationHash,
    terms: swap.terms,
    opensAccount: swap.opensAccount,
    deadline,
    lastValidBlockHeight: operation._tag === "solana" ? operation.lastValidBlockHeight : null,
    trace: swap.trace ?? null,
    version: swap.version,
    waitsFor: waitsFor(swap, names),
    events: events.map(({ at, detail, state, version }) => ({ at: formatTime(at), state, version, detail })),
    transactions: transactions.map((transaction) => ({
      kind: transaction.kind,
      chain: transaction.chain,
      hash: transaction.hash,
      nonce: transaction.nonce ?? null,
      maxFeePerGas: transaction.maxFeePerGas ?? null,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? null,
      lastValidBlockHeight: transaction.lastValidBlockHeight ?? null,
      cancels: transaction.cancels,
      createdAt: formatTime(transaction.createdAt),
      ...(raw && { raw: transaction.raw })
    })),
    ...costFields(spent),
    spentGas: costEntries(spent)
  })
  return { text, json }
})
