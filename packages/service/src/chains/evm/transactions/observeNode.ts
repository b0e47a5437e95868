/** Observes a job's attempts on one node, based on final receipts and our vault's logs. */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import { together } from "../../../concurrency/together.js"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Outcome } from "../../Outcome.js"
import { type NodeView, unavailable } from "../../quorum.js"
import { forget } from "../nodes/feed.js"
import { type Node, nonceAt } from "../nodes/nodeQuorum.js"
import { search } from "../nodes/searchLogs.js"
import { depthFor, finalHeight, skewMillis } from "../proof/finality.js"
import { type SeenReceipt, readReceipts, type Thorough } from "../proof/reorgs.js"
import { type SignedAttempt, slotOf } from "./attemptSigner.js"
import { isBatch } from "./batches.js"
import { parse } from "./transactions.js"
import { eventOf, excessOf, isUsedCall } from "./vaultCalls.js"

/** The outcome based on the receipts alone: `Done`, `Included`, or `undefined` if the receipts show neither. */
const outcomeOf = (receipts: ReadonlyArray<SeenReceipt>): Outcome | undefined => {
  const done = receipts.find(({ stands, succeeded }) => stands === "final" && succeeded)
  if (done !== undefined) return { _tag: "Done", hash: done.hash, block: done.blockNumber }
  const included = receipts.filter(({ stands }) => stands === "included")
  const best = included.find(({ succeeded }) => succeeded) ?? included[0]
  if (best === undefined) return undefined
  const { blockNumber: block, gasUsed: gas, hash, succeeded } = best
  return { _tag: "Included", hash, succeeded, block, ...(!succeeded && gas !== undefined && { gas }) }
}

export const make = (config: Config.EvmChain) => {
  /**
   * Whether any attempt can still be included in a block. A final receipt proves that an attempt's nonce has been used.
   * For attempts without a final receipt, the node must have the state at the latest finalized block, so that their
   * relayers' nonces can be read there.
   */
  const canStillLand = Effect.fnUntraced(function* (
    node: Node,
    attempts: ReadonlyArray<SignedAttempt>,
    seen: ReadonlyArray<SeenReceipt>,
    final: bigint
  ) {
    const settled = new Set<string>(seen.filter(({ stands }) => stands === "final").map(({ hash }) => hash))
    const spent = new Set(attempts.filter(({ hash }) => settled.has(hash.toLowerCase())).map(slotOf))
    const open = attempts.filter((attempt) => !spent.has(slotOf(attempt)))
    if (open.length === 0) return attempts.length === 0
    // A nonce that is unused at the latest block is also unused at an earlier one.
    for (const at of ["latest", final] as const) {
      const nonces = yield* together(open.map(({ signer }) => nonceAt(node, signer, at)))
      if (open.some(({ nonce = Infinity }, index) => nonce >= (nonces[index] ?? 0))) return true
    }
    return false
  })

  return Effect.fnUntraced(function* (
    node: Node,
    vault: Address,
    job: Job,
    attempts: ReadonlyArray<SignedAttempt>,
    thorough?: Thorough
  ): Effect.fn.Return<NodeView, ChainUnavailable> {
    // Read the height first. The later reads may see newer blocks, so a block may appear to have fewer confirmations
    // than it has, but never more.
    const block = yield* node.feed.head
    const { number: latest } = block
    const final = yield* finalHeight(node, depthFor(config, job.atRiskUsd), block)
    const heights = { latest, final }
    const view = (outcome: Outcome): NodeView => ({ height: latest, outcome })
    const wanted = eventOf(vault, job)
    const seen = yield* readReceipts(node, wanted, attempts, heights, thorough)
    const outcome = outcomeOf(seen)
    if (outcome !== undefined) return view(outcome)
    if (yield* canStillLand(node, attempts, seen, final)) return view({ _tag: "Waiting" })

    // Every nonce has been used. Receipts may have arrived in the meantime, and the event may be in a transaction that
    // is not one of the attempts. No attempt is reported as failed based on a receipt that was read earlier.
    for (const { hash } of attempts) forget(node.feed, hash.toLowerCase())
    const since = Math.min(...attempts.map(({ createdAt }) => createdAt)) - skewMillis
    const [again, { complete, event }] = yield* together([
      readReceipts(node, wanted, attempts, heights, { sharedBlock: undefined }),
      search(node, vault, job, latest, since)
    ])
    const settled = outcomeOf(again)
    if (settled !== undefined) return view(settled)
    if (again.some(({ stands }) => stands === "stale")) {
      return yield* unavailable(config, "The node returned receipts from blocks that it does not have.")
    }
    if (event !== undefined) {
      if (again.some(({ hash }) => hash === event.hash)) {
        return yield* unavailable(config, "The node returned an event that is not in its transaction's receipt.")
      }
      return event.blockNumber > final
        ? view({ _tag: "Included", hash: event.hash, succeeded: true, block: event.blockNumber })
        : view({ _tag: "Done", hash: event.hash, block: event.blockNumber, ...excessOf(job, event) })
    }
    // If the vault has not paid the order as of the latest finalized block, no finalized block contains the event.
    if (!complete && (job.kind === "collect" || (yield* node.read(isUsedCall(vault, job), final)))) {
      return yield* unavailable(
        config,
        `The search for the ${job.kind} event did not reach back to the time of the first attempt.`
      )
    }
    const failed = again.flatMap((receipt) => {
      const attempt = attempts.find((one) => one.hash.toLowerCase() === receipt.hash)
      return attempt === undefined || attempt.cancels ? [] : [{ ...receipt, attempt }]
    })
    // Only a separate transaction shows why the job failed.
    const reverted = failed.find(({ attempt }) => !isBatch(attempt))
    const [batch] = failed
    const newest = attempts.at(-1)
    const shown = reverted ?? (batch && newest && slotOf(batch.attempt) === slotOf(newest) ? batch : undefined)
    if (shown === undefined) {
      const message = "Another transaction used the nonce, and no funds moved."
      return view({ _tag: "Dead", why: "replaced", message })
    }
    const { attempt, gasUsed, hash, time } = shown
    const gas = reverted === undefined ? gasUsed : (gasUsed ?? parse(attempt).gas)
    return view({
      _tag: "Dead",
      ...(reverted === undefined
        ? { why: "left out", message: `The batch is final without the ${job.kind}, and no funds moved.` }
        : { why: "reverted", message: `The ${job.kind} transaction is final, and no funds moved.` }),
      hash,
      ...(gas !== undefined && { gas }),
      ...(time !== undefined && { time })
    })
  })
}
