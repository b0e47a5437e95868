/** Observes transactions. Funds move based on the result, so the result contains only what a node has reported. */
import type { Blockhash, Signature } from "@solana/kit"
import * as Effect from "effect/Effect"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Outcome } from "../../Outcome.js"
import { askQuorum, combineViews, describeViews, isTerminal, quorumOf } from "../../quorum.js"
import { type ChainContext, unavailable } from "../context.js"
import { describeError } from "../nodes/describeError.js"
import type { Pace } from "../nodes/pace.js"
import type { Node } from "../nodes/rpcNodes.js"
import { Landed, type Status, Validity } from "../nodes/rpcSchemas.js"
import * as Statuses from "../nodes/statuses.js"
import { isProven } from "../proof/balanceProof.js"
import { remembers } from "../proof/nodeHistory.js"
import { isBatch } from "./batches.js"
import { read } from "./wireTransaction.js"

/** The state of one attempt. */
type Fate =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Included"; readonly succeeded: boolean; readonly block: bigint }
  | { readonly _tag: "Done"; readonly slot: bigint }
  | { readonly _tag: "Reverted"; readonly message: string }
  | { readonly _tag: "Expired" }

/** The state of a final transaction. The node must return exactly our transaction, with its effects. */
const fateOfFinal = Effect.fnUntraced(function* (
  context: ChainContext,
  node: Node,
  job: Job,
  attempt: Attempt,
  err: unknown
): Effect.fn.Return<Fate, ChainUnavailable> {
  const { hash, raw } = attempt
  const landed = yield* node.ask("getTransaction", Landed, (rpc) =>
    rpc.getTransaction(hash as Signature, {
      commitment: "finalized",
      encoding: "base64",
      maxSupportedTransactionVersion: 1
    })
  )
  // The transaction is final, but the node has not stored it yet.
  if (landed === null) return { _tag: "Waiting" }
  const { meta, slot, transaction } = landed
  if (transaction[0] !== raw) return yield* node.invalidAnswer(`returned a transaction other than ${hash}`)
  if ((meta.err === null) !== (err === null)) {
    return yield* node.invalidAnswer(`reports both that ${hash} failed and that it succeeded`)
  }
  if (err !== null) return { _tag: "Reverted", message: describeError(meta.err) }
  return (yield* isProven(context, job, attempt, meta))
    ? { _tag: "Done", slot }
    : yield* node.invalidAnswer(`returned ${hash} without its transfer`)
})

const fateOf = (
  context: ChainContext,
  node: Node,
  job: Job,
  attempt: Attempt,
  status: Status,
  finalHeight: bigint
): Effect.Effect<Fate, ChainUnavailable> => {
  if (status?.confirmationStatus === "finalized") return fateOfFinal(context, node, job, attempt, status.err)
  if (status !== null) return Effect.succeed({ _tag: "Included", succeeded: status.err === null, block: status.slot })
  const { lastValidBlockHeight } = attempt
  const expired = lastValidBlockHeight !== undefined && finalHeight > lastValidBlockHeight
  return Effect.succeed({ _tag: expired ? "Expired" : "Waiting" })
}

/** Whether the chain still accepts a transaction, regardless of the lifetime that was reported when it was signed. */
const isStillValid = Effect.fnUntraced(function* (node: Node, { raw }: Attempt, finalSlot: bigint) {
  const compiled = read(raw)?.compiled
  if (compiled === undefined || compiled.version === 1)
    return yield* Effect.die("The stored attempt cannot be decoded.")
  const blockhash = compiled.lifetimeToken as Blockhash
  const answer = yield* node.ask("isBlockhashValid", Validity, (rpc) =>
    rpc.isBlockhashValid(blockhash, { commitment: "processed" })
  )
  return (yield* Statuses.atLeast(node, finalSlot, answer)).value
})

/** Observes a job on one node. */
const observeNode = Effect.fnUntraced(function* (
  context: ChainContext,
  job: Job,
  attempts: ReadonlyArray<Attempt>,
  node: Node,
  { final, statuses }: Statuses.Snapshot
) {
  const { absoluteSlot, blockHeight } = final
  const view = (outcome: Outcome) => ({ height: absoluteSlot, outcome })
  const seen = yield* Effect.forEach(attempts, (attempt, index) =>
    Effect.map(fateOf(context, node, job, attempt, statuses[index] ?? null, blockHeight), (fate) => ({ attempt, fate }))
  )
  for (const { attempt, fate } of seen) {
    if (fate._tag === "Done") return view({ _tag: "Done", hash: attempt.hash, block: fate.slot })
  }
  for (const { attempt, fate } of seen) {
    if (fate._tag === "Included") return view({ ...fate, hash: attempt.hash })
  }
  const last = attempts.at(-1)
  if (last === undefined || seen.some(({ fate }) => fate._tag === "Waiting")) return view({ _tag: "Waiting" })
  const expired = seen.at(-1)?.fate._tag === "Expired"
  // Only the last attempt is checked here, because each earlier attempt was checked in the same way when it was the
  // last one.
  if (expired && (yield* isStillValid(node, last, absoluteSlot))) return view({ _tag: "Waiting" })
  // Check the history after reading the statuses, because a node that loses history never gets it back.
  yield* remembers(
    node,
    final,
    seen.flatMap(({ attempt, fate }) => (fate._tag === "Expired" ? [attempt] : []))
  )
  for (const { attempt, fate } of seen) {
    if (fate._tag !== "Reverted" || isBatch(attempt)) continue
    const message = `${attempt.hash} failed: ${fate.message}.`
    return view({ _tag: "Dead", why: "reverted", hash: attempt.hash, message })
  }
  // A batch fails as a whole, so its failure proves nothing about the job.
  if (!expired) {
    const message = `${last.hash}, which several swaps share, failed.`
    return view({ _tag: "Dead", why: "left out", hash: last.hash, message })
  }
  const message = `Block height ${last.lastValidBlockHeight} is final, and no block up to that height includes the transaction.`
  return view({ _tag: "Dead", why: "expired", message })
})

/**
 * Creates the function that observes all of a job's attempts. A terminal outcome requires a quorum, because a single
 * node may be on a fork, may have lost part of its history, or may lie. If a node still reports a transaction as
 * pending, the result is that node's outcome. Jobs that are observed at the same time share requests.
 */
export const make = (
  context: ChainContext,
  pace: Pace
): ((job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<Outcome, ChainUnavailable>) => {
  const { config, nodes } = context
  const readers = new Map(nodes.all.map((node) => [node, Statuses.make(node)]))

  return Effect.fnUntraced(function* (job, attempts) {
    const hashes = attempts.map(({ hash }) => hash)
    const observeOn = Effect.fnUntraced(function* (node: Node) {
      const snapshot = yield* (readers.get(node) ?? Statuses.make(node))(hashes)
      yield* pace.saw(snapshot.final.absoluteSlot)
      return yield* observeNode(context, job, attempts, node, snapshot)
    })
    const first = yield* nodes.use(observeOn)
    if (nodes.all.length === 1 || !isTerminal(first.outcome)) return first.outcome
    const answers = yield* askQuorum(config, nodes.all, observeOn)
    const views = answers.map(({ value }) => value)
    const result = combineViews(views, quorumOf(config))
    if (result._tag !== "Contradiction") return result.outcome
    return (
      result.open ??
      (yield* unavailable(context, `The nodes disagree about the ${job.kind} transaction: ${describeViews(answers)}.`))
    )
  })
}
