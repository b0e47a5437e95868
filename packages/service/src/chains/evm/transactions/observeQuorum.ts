/**
 * Observes a job on a quorum of nodes, because a single node may be on a fork, may have lost its history, or may lie.
 */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { Outcome } from "../../Outcome.js"
import { askQuorum, combineViews, describeViews, isTerminal, quorumOf, unavailable } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { costsOf } from "../fees/transactionCosts.js"
import { forget } from "../nodes/feed.js"
import { sharedBlockOf } from "../nodes/receipts.js"
import type { SignedAttempt } from "./attemptSigner.js"
import { isBatch } from "./batches.js"
import * as ObserveNode from "./observeNode.js"

/**
 * A node that is more than this many blocks behind is assumed not to be catching up, so the operator must intervene.
 */
const maxBehind = 64n

export const make = (context: EvmContext) => {
  const {
    config,
    quorum: { head, nodes },
    signers,
    vaults
  } = context
  const observeNode = ObserveNode.make(config)

  const forgetAll = (attempts: ReadonlyArray<Attempt>) => {
    for (const { feed } of nodes) for (const { hash } of attempts) forget(feed, hash.toLowerCase())
  }
  /**
   * Adds the costs to a terminal outcome. Forgets the receipts of attempts that are not observed again. The other swaps
   * of a batch still need its receipt.
   */
  const settled = Effect.fnUntraced(function* (
    vault: Address,
    job: Job,
    attempts: ReadonlyArray<SignedAttempt>,
    outcome: Outcome
  ): Effect.fn.Return<Outcome> {
    if (outcome._tag !== "Done" && outcome._tag !== "Dead") return outcome
    const costs = yield* costsOf(context, vault, job, attempts, outcome)
    forgetAll(attempts.filter((attempt) => !isBatch(attempt)))
    return { ...outcome, costs }
  })

  return Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>) {
    const signed = yield* signers.withSignersFor(job, attempts)
    const vault = yield* vaults.ofJob(job, attempts)
    const [first] = yield* head
    const { outcome } = yield* observeNode(first, vault, job, signed)
    if (nodes.length === 1 || !isTerminal(outcome)) return yield* settled(vault, job, signed, outcome)
    const sharedBlock = outcome._tag === "Done" ? sharedBlockOf(first, outcome.hash) : undefined
    // If the nodes do not agree, the next observation reads everything again.
    const answers = yield* Effect.tapError(
      askQuorum(config, nodes, (node) => observeNode(node, vault, job, signed, { sharedBlock })),
      () => Effect.sync(() => forgetAll(attempts))
    )
    const views = answers.map(({ value }) => value)
    const result = combineViews(views, quorumOf(config), maxBehind)
    if (result._tag !== "Contradiction") return yield* settled(vault, job, signed, result.outcome)
    forgetAll(attempts)
    return yield* unavailable(
      config,
      `The nodes disagree about the ${job.kind} transaction: ${describeViews(answers)}. If any nodes return wrong data or do not follow the chain, remove them from rpcUrls.`
    )
  })
}
