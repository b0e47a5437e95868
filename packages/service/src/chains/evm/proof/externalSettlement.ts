/** Checks whether any transaction delivered or refunded an order, according to the vault and its events. */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import { together } from "../../../concurrency/together.js"
import type { SendJob } from "../../../domain/Job.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { ExternalSettlement } from "../../Outcome.js"
import { type Answers, askEnough, belowQuorum, quorumOf } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import { search } from "../nodes/searchLogs.js"
import { excessOf, isUsedCall } from "../transactions/vaultCalls.js"
import { depthFor, finalHeight } from "./finality.js"

/** How long to wait for the queries of other swaps, which share one request. Swaps in the same block become final at once. */
const sharedMillis = 25

const unclear = (message: string): ExternalSettlement => ({ _tag: "Unclear", message })

/** The settlement as one node reports it, with that node's latest finalized block. */
interface NodeView {
  readonly settlement: ExternalSettlement
  readonly final: bigint
}

const summaryOf = (answer: ExternalSettlement) =>
  answer._tag === "Done"
    ? `${answer.hash} in block ${answer.block}${answer.amount === undefined ? "" : ` of ${answer.amount} units`}`
    : answer._tag

const rank = { Unused: 0, Unclear: 1, Done: 2 }

/** Combines the results for all vaults: an order is paid if any vault has paid it. */
const combineVaults = (views: ReadonlyArray<NodeView>): NodeView =>
  views.reduce((one, other) => ({
    settlement: rank[other.settlement._tag] > rank[one.settlement._tag] ? other.settlement : one.settlement,
    final: other.final < one.final ? other.final : one.final
  }))

export const make = ({ config, quorum: { nodes }, vaults }: Pick<EvmContext, "config" | "quorum" | "vaults">) => {
  const quorum = quorumOf(config)

  const readVault = Effect.fnUntraced(function* (
    node: Node,
    vault: Address,
    job: SendJob
  ): Effect.fn.Return<NodeView, ChainUnavailable> {
    const used = yield* node.read(isUsedCall(vault, job))
    // Read the height after `isUsed`, so that the event's block is not above this height.
    const block = yield* node.blockAt("latest")
    const { number: latest } = block
    const final = yield* finalHeight(node, depthFor(config, job.atRiskUsd), block)
    if (!used) return { settlement: { _tag: "Unused" }, final }
    const { event } = yield* search(node, vault, job, latest, -Infinity)
    const noun = job.kind === "deliver" ? "delivery" : "refund"
    if (event === undefined) {
      const message = `The vault has paid order ${job.orderId}, but no event shows exactly this ${noun}. If the vault made a different or older payment, close the swap with geoswap-server swaps close.`
      return { settlement: unclear(message), final }
    }
    return {
      settlement:
        event.blockNumber > final
          ? unclear(`The ${noun} for order ${job.orderId} is in ${event.hash}, which is not final yet.`)
          : { _tag: "Done", hash: event.hash, block: event.blockNumber, ...excessOf(job, event) },
      final
    }
  })

  /**
   * Combines the nodes' responses. `Done` requires a quorum, and a node may differ from that quorum only if the
   * settlement's block is not yet final on that node. `Unused` requires a quorum, and no node may differ. Otherwise, if
   * even one node reports the order as used, the result is `Unclear`, even if too few nodes responded.
   */
  const combineNodes = (responses: Answers<NodeView>): Effect.Effect<ExternalSettlement, ChainUnavailable> => {
    const { answers } = responses
    const values = answers.map(({ value }) => value)
    const used = values.filter(({ settlement }) => settlement._tag !== "Unused")
    if (used.length === 0) {
      return values.length < quorum ? Effect.fail(belowQuorum(config, responses)) : Effect.succeed({ _tag: "Unused" })
    }
    for (const { settlement } of used) {
      if (settlement._tag !== "Done") continue
      const others = values.filter((other) => summaryOf(other.settlement) !== summaryOf(settlement))
      const areBehind = others.every((other) => other.settlement._tag !== "Done" && other.final < settlement.block)
      if (areBehind && values.length - others.length >= quorum) return Effect.succeed(settlement)
    }
    const [first] = used
    const same = new Set(values.map(({ settlement }) => summaryOf(settlement))).size === 1
    if (same && first?.settlement._tag === "Unclear") return Effect.succeed(first.settlement)
    const reports = answers.map(({ host, value }) => `${host} reports ${summaryOf(value.settlement)}`).join(", ")
    const why = same ? belowQuorum(config, responses).message : "The nodes disagree about the order."
    return Effect.succeed(unclear(`${why} ${reports}.`))
  }

  return Effect.fnUntraced(function* (job: SendJob): Effect.fn.Return<ExternalSettlement, ChainUnavailable> {
    // Fails if the job's vault is not configured.
    yield* vaults.ofJob(job)
    // Almost every order is unused, and a quorum of nodes shows this with one request each.
    const { answers } = yield* askEnough(config, nodes, ({ read }) =>
      together(vaults.all.map((vault) => read(isUsedCall(vault, job), "latest", sharedMillis)))
    )
    if (answers.length >= quorum && !answers.some(({ value }) => value.includes(true))) return { _tag: "Unused" }
    const responses = yield* askEnough(config, nodes, (node) =>
      Effect.map(together(vaults.all.map((vault) => readVault(node, vault, job))), combineVaults)
    )
    return yield* combineNodes(responses)
  })
}
