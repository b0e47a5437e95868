/**
 * Observes a job on a quorum of nodes, because a single node may be on a fork, may have lost its history, or may lie.
 */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { Outcome } from "../../Outcome.js"
import { combineViews, describeViews, isTerminal } from "../../quorum.js"
import type { Vaults } from "../accounts/vaults.js"
import { costsOf } from "../fees/transactionCosts.js"
import { forget } from "../nodes/feed.js"
import type { NodeQuorum } from "../nodes/nodeQuorum.js"
import { sharedBlockOf } from "../nodes/receipts.js"
import type { AttemptSigners, SignedAttempt } from "./attemptSigner.js"
import { isBatch } from "./batches.js"
import * as ObserveNode from "./observeNode.js"

/**
 * A node that is more than this many blocks behind is assumed not to be catching up, so the operator must intervene.
 */
const maxBehind = 64n

export const make = (
  { askQuorum, count, head, nodes, quorum }: NodeQuorum,
  config: Config.EvmChain,
  { describeForeign, signerOf }: AttemptSigners,
  vaults: Vaults
) => {
  const observeNode = ObserveNode.make(config)
  const unavailable = (message: string) => new ChainUnavailable({ chainId: config.id, message, timeout: false })

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
    const costs = yield* costsOf(nodes, vault, job, attempts, outcome)
    forgetAll(attempts.filter((attempt) => !isBatch(attempt)))
    return { ...outcome, costs }
  })

  return Effect.fnUntraced(function* (
    job: Job,
    attempts: ReadonlyArray<Attempt>
  ): Effect.fn.Return<Outcome, ChainUnavailable> {
    const foreignAttempt = yield* describeForeign(job, attempts)
    if (foreignAttempt !== undefined) return yield* unavailable(foreignAttempt)
    const vault = yield* vaults.ofJob(job, attempts)
    const signed = yield* Effect.forEach(attempts, (attempt) =>
      Effect.map(signerOf(attempt), (signer): SignedAttempt => ({ ...attempt, signer }))
    )
    const [first] = yield* head
    const { outcome } = yield* observeNode(first, vault, job, signed)
    if (count === 1 || !isTerminal(outcome)) return yield* settled(vault, job, signed, outcome)
    const sharedBlock = outcome._tag === "Done" ? sharedBlockOf(first, outcome.hash) : undefined
    // If the nodes do not agree, the next observation reads everything again.
    const answers = yield* Effect.tapError(
      askQuorum((node) => observeNode(node, vault, job, signed, { sharedBlock })),
      () => Effect.sync(() => forgetAll(attempts))
    )
    const views = answers.map(({ value }) => value)
    const result = combineViews(views, quorum, maxBehind)
    if (result._tag !== "Contradiction") return yield* settled(vault, job, signed, result.outcome)
    forgetAll(attempts)
    const problem = `The nodes disagree about the ${job.kind} transaction: ${describeViews(answers)}.`
    return yield* unavailable(
      `${problem} If any nodes return wrong data or do not follow the chain, remove them from rpcUrls.`
    )
  })
}
