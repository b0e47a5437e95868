/** Observes a job's attempts on one node, based on final receipts and our vault's logs. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import type { Address, Hex } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { Outcome } from "../../Outcome.js"
import type { NodeView } from "../../quorum.js"
import { forget } from "../nodes/feed.js"
import { type Node, nonceAt } from "../nodes/nodeQuorum.js"
import type { At } from "../nodes/reads.js"
import * as Search from "../nodes/searchLogs.js"
import { finalOf, skewMillis } from "../proof/finality.js"
import { type SeenReceipt, seenReceipts, type Thorough } from "../proof/reorgs.js"
import { type SignedAttempt, slotOf } from "./attemptSigner.js"
import { isBatch } from "./batches.js"
import { parse } from "./transactions.js"
import { eventOf, excessOf } from "./vaultCalls.js"

const together = { concurrency: "unbounded" } as const

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

export const make = (config: Config.EvmChain, range = Search.usualRange) => {
  const search = Search.make(range)
  const unavailable = (message: string) => new ChainUnavailable({ chainId: config.id, message, timeout: false })

  const readReceipts = seenReceipts(config)

  /**
   * Whether an order is unpaid: as of the latest finalized block, the vault has not paid it. In that case, no finalized
   * block contains the payment's event.
   */
  const isUnused = (reads: Node, vault: Address, { kind, orderId }: Job, latest: bigint) =>
    kind === "collect"
      ? Effect.succeed(false)
      : Effect.map(
          reads.read(
            { abi: GeoVault.abi, address: vault, functionName: "isUsed", args: [orderId as Hex] },
            finalOf(config, latest)
          ),
          (used) => !used
        )

  /**
   * Whether any attempt can still be included in a block. A final receipt proves that an attempt's nonce has been used.
   * For attempts without a final receipt, the node must have the state at the latest finalized block, so that their
   * relayers' nonces can be read there.
   */
  const canStillLand = Effect.fnUntraced(function* (
    node: Node,
    attempts: ReadonlyArray<SignedAttempt>,
    seen: ReadonlyArray<SeenReceipt>,
    latest: bigint
  ) {
    const final = new Set<string>(seen.filter(({ stands }) => stands === "final").map(({ hash }) => hash))
    const spent = new Set(attempts.filter(({ hash }) => final.has(hash.toLowerCase())).map(slotOf))
    const open = attempts.filter((attempt) => !spent.has(slotOf(attempt)))
    if (open.length === 0) return attempts.length === 0
    const isUnusedAt = (at: At) => (attempt: SignedAttempt) =>
      Effect.map(nonceAt(node, attempt.signer, at), (next) => (attempt.nonce ?? Infinity) >= next)
    // A nonce that is unused at the latest block is also unused at an earlier one.
    for (const at of ["latest", finalOf(config, latest)] as const) {
      if ((yield* Effect.forEach(open, isUnusedAt(at), together)).includes(true)) return true
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
    const { number: latest } = yield* node.feed.head
    const view = (outcome: Outcome): NodeView => ({ height: latest, outcome })
    const wanted = eventOf(vault, job)
    const seen = yield* readReceipts(node, wanted, attempts, latest, thorough)
    const outcome = outcomeOf(seen)
    if (outcome !== undefined) return view(outcome)
    if (yield* canStillLand(node, attempts, seen, latest)) return view({ _tag: "Waiting" })

    // Every nonce has been used. Receipts may have arrived in the meantime, and the event may be in a transaction that
    // is not one of the attempts. No attempt is reported as failed based on a receipt that was read earlier.
    for (const { hash } of attempts) forget(node.feed, hash.toLowerCase())
    const since = Math.min(...attempts.map(({ createdAt }) => createdAt)) - skewMillis
    const [again, { complete, event }] = yield* Effect.all(
      [
        readReceipts(node, wanted, attempts, latest, { sharedBlock: undefined }),
        search(node, vault, job, latest, since)
      ],
      together
    )
    const settled = outcomeOf(again)
    if (settled !== undefined) return view(settled)
    if (again.some(({ stands }) => stands === "stale")) {
      return yield* unavailable("The node returned receipts from blocks that it does not have.")
    }
    if (event !== undefined) {
      if (again.some(({ hash }) => hash === event.hash)) {
        return yield* unavailable("The node returned an event that is not in its transaction's receipt.")
      }
      return event.blockNumber > finalOf(config, latest)
        ? view({ _tag: "Included", hash: event.hash, succeeded: true, block: event.blockNumber })
        : view({ _tag: "Done", hash: event.hash, block: event.blockNumber, ...excessOf(job, event) })
    }
    if (!complete && !(yield* isUnused(node, vault, job, latest))) {
      return yield* unavailable(
        `The search for the ${job.kind} event did not reach back to the time of the first attempt.`
      )
    }
    const failed = again.flatMap(({ hash, ...receipt }) => {
      const attempt = attempts.find((one) => one.hash.toLowerCase() === hash)
      return attempt === undefined || attempt.cancels ? [] : [{ attempt, hash, ...receipt }]
    })
    // Only a separate transaction shows why the job failed.
    const reverted = failed.find(({ attempt }) => !isBatch(attempt))
    if (reverted === undefined) {
      const [batch] = failed
      const newest = attempts.at(-1)
      if (batch === undefined || newest === undefined || slotOf(batch.attempt) !== slotOf(newest)) {
        const message = "Another transaction used the nonce, and no funds moved."
        return view({ _tag: "Dead", why: "replaced", message })
      }
      const message = `The batch is final without the ${job.kind}, and no funds moved.`
      return view({
        _tag: "Dead",
        why: "left out",
        hash: batch.hash,
        message,
        ...(batch.gasUsed !== undefined && { gas: batch.gasUsed }),
        ...(batch.time !== undefined && { time: batch.time })
      })
    }
    const message = `The ${job.kind} transaction is final, and no funds moved.`
    return view({
      _tag: "Dead",
      why: "reverted",
      hash: reverted.hash,
      message,
      gas: reverted.gasUsed ?? parse(reverted.attempt).gas,
      ...(reverted.time !== undefined && { time: reverted.time })
    })
  })
}
