/** What the included attempts of a job cost, according to their receipts. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import { remember } from "../../../concurrency/boundedMap.js"
import { type Address, toEventSelector } from "viem"
import type { Job } from "../../../domain/Job.js"
import type { TransactionCost } from "../../../domain/SpentGas.js"
import type { Outcome } from "../../Outcome.js"
import type { EvmContext } from "../context.js"
import { capacity } from "../nodes/feed.js"
import type { Node } from "../nodes/nodeQuorum.js"
import type { Receipt } from "../nodes/reads.js"
import { type SignedAttempt, slotOf } from "../transactions/attemptSigner.js"
import { isBatch, itemsOf } from "../transactions/batches.js"
import { parse } from "../transactions/transactions.js"
import { addressOf, eventOf, isEvent } from "../transactions/vaultCalls.js"

const { abi } = GeoVault

const names = ["Collected", "Delivered", "Refunded"] as const
const successes: ReadonlySet<string> = new Set(
  abi.flatMap((item) =>
    item.type === "event" && names.some((name) => name === item.name) ? [toEventSelector(item)] : []
  )
)

/** Returns how many swaps a transaction settled: the orders in the vault's events. */
const countSettled = (vault: Address, { logs }: Receipt): number => {
  const own = logs.filter(
    ({ address, topics: [event = ""] }) => addressOf(address) === addressOf(vault) && successes.has(event)
  )
  return new Set(own.map(({ topics: [, order] }) => order)).size
}

/** Returns how many swaps an attempt was signed for. The cancellation of a batch was signed for the same swaps. */
const countItems = (attempts: ReadonlyArray<SignedAttempt>, attempt: SignedAttempt): number => {
  const batch = attempts.find((one) => slotOf(one) === slotOf(attempt) && isBatch(one))
  return batch === undefined ? 1 : itemsOf(batch)
}

const costIn = (
  vault: Address,
  job: Job,
  attempts: ReadonlyArray<SignedAttempt>,
  attempt: SignedAttempt,
  receipt: Receipt,
  added: bigint
): TransactionCost | undefined => {
  const { gasPrice, gasUsed, hash, logs } = receipt
  if (gasPrice === undefined || gasUsed === undefined) return undefined
  const { gas, maxFeePerGas } = parse(attempt)
  // More than the transaction offers cannot be right.
  if (gasUsed > gas || gasPrice > maxFeePerGas) return undefined
  const cost = gasUsed * gasPrice + added
  const settled = countSettled(vault, receipt)
  const event = eventOf(vault, job)
  const isSettled = logs.some((log) => isEvent(event, log))
  const payers = isSettled ? settled : settled === 0 ? countItems(attempts, attempt) : undefined
  return { hash, gasUsed, gasPrice, cost, settled, share: payers === undefined ? 0n : cost / BigInt(payers) }
}

/**
 * Returns a receipt that a node has returned. If the nodes have returned only the vault's logs, reads the whole receipt
 * from one of them. The swaps of a batch share that read.
 */
const receiptOf = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>, hash: string) {
  const knowing = nodes.filter(({ feed: { receipts } }) => receipts.has(hash))
  for (const node of knowing) {
    const receipt = node.feed.receipts.get(hash)
    if (receipt?.isWhole === true) return { node, receipt }
  }
  const [node] = knowing
  if (node === undefined) return undefined
  const { feed } = node
  const receipt = yield* Effect.orElseSucceed(
    feed.perHead(`receipt ${hash}`, node.receiptOf(hash)),
    (): Receipt | undefined => undefined
  )
  if (receipt === undefined) return undefined
  remember(feed.receipts, hash, receipt, capacity)
  return { node, receipt }
})

/**
 * Returns what the attempts that are in final blocks cost. Call this after the outcome was observed and before its
 * receipts are forgotten. Never fails: an attempt whose cost cannot be read is omitted.
 */
export const costsOf = Effect.fnUntraced(function* (
  { collectGas, feeModel, quorum: { nodes } }: EvmContext,
  vault: Address,
  job: Job,
  attempts: ReadonlyArray<SignedAttempt>,
  outcome: Extract<Outcome, { readonly _tag: "Done" | "Dead" }>
) {
  const found = yield* Effect.forEach(
    attempts,
    Effect.fnUntraced(function* (attempt) {
      const known = yield* receiptOf(nodes, attempt.hash.toLowerCase())
      if (known === undefined) return undefined
      const { node, receipt } = known
      // If the job is done, a later block may not be final.
      if (outcome._tag === "Done" && receipt.blockNumber > outcome.block) return undefined
      const added = yield* feeModel.spent(node, receipt, attempt)
      const cost = costIn(vault, job, attempts, attempt, receipt, added)
      if (cost?.settled === 1 && job.kind === "collect" && !isBatch(attempt)) {
        collectGas.record(job, cost.gasUsed - (receipt.dataGas ?? 0n))
      }
      return cost
    })
  )
  return found.filter((cost) => cost !== undefined)
})
