/**
 * Checks whether an operation's input was collected, according to a quorum of nodes. Only the vaults' events are
 * accepted as proof.
 */
import * as Effect from "effect/Effect"
import { together } from "../../../concurrency/together.js"
import type { CollectJob } from "../../../domain/Job.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Collection } from "../../Outcome.js"
import { type Answer, askQuorum, quorumOf, unavailable } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import type { Block } from "../nodes/reads.js"
import { search } from "../nodes/searchLogs.js"
import { depthFor, finalHeight, skewMillis } from "./finality.js"

/** The longest time between building an operation and its deadline. */
const longestLifetimeMillis = 180_000

/** The collection as one node reports it, with that node's latest finalized block. */
interface NodeView {
  readonly collection:
    | Extract<Collection, { readonly _tag: "Collected" | "Open" }>
    | { readonly _tag: "Never" }
    /** The event is in a block that is not final. */
    | { readonly _tag: "Included"; readonly hash: string }
  readonly final: Block
}

const summaryOf = ({ collection, final }: NodeView): string =>
  collection._tag === "Collected"
    ? `Collected by ${collection.hash} in block ${collection.block}`
    : `${collection._tag} at finalized block ${final.number}`

export const make = ({ config, quorum: { nodes }, vaults }: Pick<EvmContext, "config" | "quorum" | "vaults">) => {
  const quorum = quorumOf(config)

  const readNode = Effect.fnUntraced(function* (
    node: Node,
    job: CollectJob,
    deadline: number
  ): Effect.fn.Return<NodeView, ChainUnavailable> {
    const block = yield* node.blockAt("latest")
    const { number: latest } = block
    const final = yield* node.blockAt(yield* finalHeight(node, depthFor(config, job.atRiskUsd), block))
    const isOver = final.timestamp > deadline
    const since = deadline * 1000 - longestLifetimeMillis - skewMillis
    // Search every vault, so that "never" does not depend on which vault the job belongs to.
    const searched = yield* together(vaults.all.map((vault) => search(node, vault, job, latest, since)))
    const event = searched.find((one) => one.event !== undefined)?.event
    const complete = searched.every((one) => one.complete)
    if (event !== undefined) {
      const { blockNumber: block, hash } = event
      return {
        collection: block > final.number ? { _tag: "Included", hash } : { _tag: "Collected", hash, block },
        final
      }
    }
    if (!complete) {
      return yield* unavailable(
        config,
        `The search for the payment of order ${job.orderId} did not reach back to the time when the order was built.`
      )
    }
    const message = `Order ${job.orderId} has not been paid as of block ${final.number}, and its deadline has not passed.`
    return { collection: isOver ? { _tag: "Never" } : { _tag: "Open", message }, final }
  })

  /**
   * Combines the nodes' responses. A node that returns a different response contradicts the other nodes only if the
   * block that they report is already final on that node.
   */
  const combineNodes = (answers: ReadonlyArray<Answer<NodeView>>): Effect.Effect<Collection, ChainUnavailable> => {
    const views = answers.map(({ value }) => value)
    const reports = answers.map(({ host, value }) => `${host} reports ${summaryOf(value)}`).join(", ")
    const contradiction = unavailable(config, `The nodes disagree about the payment: ${reports}.`)
    const collected = views.flatMap(({ collection }) => (collection._tag === "Collected" ? [collection] : []))
    const never = answers.filter(({ value }) => value.collection._tag === "Never")
    const [paid] = collected
    if (paid !== undefined) {
      const isBehind = ({ collection, final }: NodeView) =>
        (collection._tag === "Open" || collection._tag === "Included") && final.number < paid.block
      const others = views.filter(
        ({ collection }) =>
          collection._tag !== "Collected" || collection.hash !== paid.hash || collection.block !== paid.block
      )
      if (!others.every(isBehind)) return Effect.fail(contradiction)
      return Effect.succeed(
        collected.length >= quorum
          ? { _tag: "Collected", hash: paid.hash, block: paid.block }
          : { _tag: "Open", message: `Too few nodes report the payment as final: ${reports}.` }
      )
    }
    if (never.length > 0) {
      // A node that has the event in any block contradicts the nodes that do not have the event at all.
      if (views.some(({ collection }) => collection._tag === "Included")) return Effect.fail(contradiction)
      const [lowest] = never.map(({ value }) => value.final).toSorted((a, b) => (a.number < b.number ? -1 : 1))
      if (lowest !== undefined && never.length >= quorum) {
        const nodes = never.map(({ host }) => host)
        return Effect.succeed({ _tag: "Never", block: lowest.number, time: lowest.timestamp, nodes })
      }
    }
    return Effect.succeed({ _tag: "Open", message: `It is not yet certain whether the payment was made: ${reports}.` })
  }

  return (job: CollectJob): Effect.Effect<Collection, ChainUnavailable> => {
    const { operation } = job
    if (operation._tag !== "evm") return Effect.die(new TypeError("A Solana operation cannot be paid on an EVM chain."))
    // Fails if the operation's vault is not configured.
    return vaults
      .ofJob(job)
      .pipe(
        Effect.andThen(askQuorum(config, nodes, (node) => readNode(node, job, operation.deadline))),
        Effect.flatMap(combineNodes)
      )
  }
}
