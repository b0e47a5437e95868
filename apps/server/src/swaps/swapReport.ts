/** The report on one swap, as text and as JSON. The report never contains what the wallet signed. */
import type { SpentGas, Store, SwapRecord } from "@geoswap/service"
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

interface Transaction extends SwapRecord.Attempt {
  readonly kind: SwapRecord.Kind
  readonly chain: number
}

const indent = (text: string) => text.replaceAll(/^/gm, "  ")

const deadlineOf = ({ operation }: SwapRecord.SwapRecord) =>
  operation._tag === "evm" ? formatTime(operation.deadline * 1_000) : `block height ${operation.lastValidBlockHeight}`

const feesOf = ({ lastValidBlockHeight, maxFeePerGas, maxPriorityFeePerGas }: Transaction) => {
  if (lastValidBlockHeight !== undefined) return `until block height ${lastValidBlockHeight}`
  const gwei = (wei: bigint | undefined) => formatWhole(wei ?? 0n, 9)
  return `at most ${gwei(maxFeePerGas)} gwei, tip ${gwei(maxPriorityFeePerGas)} gwei`
}

const terms = (
  names: Names,
  account: string,
  swap: SwapRecord.SwapRecord,
  spent: ReadonlyArray<SpentGas.SpentGas>,
  now: number
) => {
  const { destinationChain, inputToken, originChain, outputToken } = swap
  const input = (amount: bigint) => names.amount(originChain, inputToken, amount)
  const output = (amount: bigint) => names.amount(destinationChain, outputToken, amount)
  return table([
    ["Route", routeOf(names, swap)],
    ["Account", account],
    ["Wallet", `${swap.wallet} on ${names.chain(originChain)}`],
    ["Recipient", `${swap.recipient} on ${names.chain(destinationChain)}`],
    ["Input", `${input(swap.amount)} (${swap.amount} of ${inputToken})`],
    ["Output", `${output(swap.output)} (${swap.output} of ${outputToken}), at least ${output(swap.minOutput)}`],
    ["Fee", `${formatDecimal(`${swap.feeBps}`)} basis points, ${input(feeOf(swap))}`],
    ["Network cost", input(swap.networkCost)],
    ["Spent on gas", totalsOf(names, spent)],
    ["Deadline", deadlineOf(swap)],
    ["Order id", swap.orderId],
    ["Accepted", `${formatTime(swap.createdAt)}, ${formatAge(now - swap.createdAt)} ago`]
  ])
}

const historyOf = (events: ReadonlyArray<SwapRecord.Event>) =>
  table(
    events.map(({ at, detail, state }, index) => {
      const before = events[index - 1]
      return [formatTime(at), before === undefined ? "" : formatElapsed(at - before.at), state, detail]
    })
  )

const transactionsOf = (names: Names, transactions: ReadonlyArray<Transaction>) =>
  table(
    transactions.map((transaction) => [
      formatTime(transaction.createdAt),
      `${transaction.kind} on ${names.chain(transaction.chain)}`,
      transaction.nonce === undefined ? "" : `nonce ${transaction.nonce}`,
      transaction.hash,
      `${feesOf(transaction)}${transaction.cancels ? ", cancels the nonce" : ""}`
    ])
  )

/** The outcome of a swap, or what the swap is waiting for. */
const endOf = (names: Names, swap: SwapRecord.SwapRecord, now: number): ReadonlyArray<string> => {
  const input = names.amount(swap.originChain, swap.inputToken, swap.amount)
  const output = names.amount(swap.destinationChain, swap.outputToken, swap.output)
  switch (swap.state) {
    case "settled":
      return [
        `${output} arrived at ${swap.recipient} on ${names.chain(swap.destinationChain)} in ${swap.deliveryTxHash ?? "an unknown transaction"}.`
      ]
    case "failed":
      return [
        `It failed: ${describeFailure(swap.failureCode)}.`,
        `No tokens moved, and none can: ${input} stayed in ${swap.wallet} on ${names.chain(swap.originChain)}.`
      ]
    case "refunded": {
      const { amount, refundAmount = amount } = swap
      const kept = amount - refundAmount
      const returned = names.amount(swap.originChain, swap.inputToken, refundAmount)
      const what = kept === 0n ? `The entire input, ${input}, was refunded` : `${returned} of the input was refunded`
      return [
        `It was not delivered: ${describeFailure(swap.failureCode)}.`,
        ...(kept === 0n
          ? []
          : [
              `The recipient could not receive the output, so ${names.amount(swap.originChain, swap.inputToken, kept)} was kept to cover the network cost.`
            ]),
        `${what} to ${swap.wallet} on ${names.chain(swap.originChain)} in ${swap.refundTxHash ?? "an unknown transaction"}.`
      ]
    }
    default:
      return [
        `It has been waiting for ${waitsFor(swap, names)} for ${formatAge(now - swap.updatedAt)}.`,
        ...adviceFor(swap, names)
      ]
  }
}

/** Reads everything that is stored about a swap. */
export const swapReport = Effect.fnUntraced(function* (
  store: Store.Store,
  names: Names,
  account: string,
  swap: SwapRecord.SwapRecord
) {
  const events = yield* store.events(swap.id)
  const transactions = (yield* Effect.forEach(kinds, (kind) =>
    Effect.map(store.attempts(swap.id, kind), (attempts) =>
      attempts.map((attempt) => ({
        ...attempt,
        kind,
        chain: kind === "deliver" ? swap.destinationChain : swap.originChain
      }))
    )
  )).flat()
  const spent = yield* store.spentGas.of([swap.id])
  const now = yield* Clock.currentTimeMillis

  const text = [
    `Swap ${swap.id} is ${swap.state}.`,
    "",
    indent(terms(names, account, swap, spent, now)),
    "",
    "History",
    indent(historyOf(events)),
    "",
    "Transactions",
    transactions.length === 0 ? "  None signed." : indent(transactionsOf(names, transactions)),
    ...(spent.length === 0 ? [] : ["", "Spent gas", indent(costTable(names, spent))]),
    "",
    ...endOf(names, swap, now).map(oneLine)
  ].join("\n")

  const json = (raw: boolean) => ({
    ...entryOf(names, account, swap),
    accountId: swap.accountId,
    operationHash: swap.operationHash,
    terms: swap.terms,
    opensAccount: swap.opensAccount,
    deadline: swap.operation._tag === "evm" ? deadlineOf(swap) : null,
    lastValidBlockHeight: swap.operation._tag === "solana" ? swap.operation.lastValidBlockHeight : null,
    trace: swap.trace ?? null,
    version: swap.version,
    waitsFor: waitsFor(swap, names),
    events: events.map(({ at, detail, state, version }) => ({ at: formatTime(at), state, version, detail })),
    transactions: transactions.map((transaction) => ({
      kind: transaction.kind,
      chain: transaction.chain,
      hash: transaction.hash,
      nonce: transaction.nonce ?? null,
      maxFeePerGas: transaction.maxFeePerGas?.toString() ?? null,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGas?.toString() ?? null,
      lastValidBlockHeight: transaction.lastValidBlockHeight?.toString() ?? null,
      cancels: transaction.cancels,
      createdAt: formatTime(transaction.createdAt),
      ...(raw && { raw: transaction.raw })
    })),
    ...costFields(spent),
    spentGas: costEntries(spent)
  })
  return { text, json }
})
