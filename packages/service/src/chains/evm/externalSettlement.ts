/** Whether an order was delivered or refunded by any transaction: the vault knows, and its event says which. */
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import type { Address, Hex } from "viem"
import type { ChainUnavailable, Elsewhere, SendJob } from "../Chains.js"
import type * as Config from "../../config/Config.js"
import { finalOf } from "./finality.js"
import type { Answers } from "../quorum.js"
import type { NodeQuorum } from "./nodeQuorum.js"
import type { Reads } from "./reads.js"
import * as Search from "./searchLogs.js"
import type { Vaults } from "./vaults.js"

const unclear = (message: string): Elsewhere => ({ _tag: "Unclear", message })

/** What one node knows, and its newest final block at that time. */
interface View {
  readonly elsewhere: Elsewhere
  readonly final: bigint
}

const gistOf = (answer: Elsewhere) => (answer._tag === "Done" ? `${answer.hash} in block ${answer.block}` : answer._tag)

/** What several vaults know together: an order that one of them has paid is paid. */
const combine = (views: readonly [View, ...ReadonlyArray<View>]): View => ({
  elsewhere: (
    views.find(({ elsewhere }) => elsewhere._tag === "Done") ??
    views.find(({ elsewhere }) => elsewhere._tag === "Unclear") ??
    views[0]
  ).elsewhere,
  final: views.reduce((lowest, { final }) => (final < lowest ? final : lowest), views[0].final)
})

export const make = (
  { askEach, belowQuorum, quorum }: NodeQuorum,
  config: Config.EvmChain,
  vaults: Pick<Vaults, "all" | "ofJob">,
  range = Search.usualRange
) => {
  const search = Search.make(range)

  const look = Effect.fnUntraced(function* (
    reads: Reads,
    vault: Address,
    job: SendJob
  ): Effect.fn.Return<View, ChainUnavailable> {
    const isUsed = { abi: GeoVault.abi, address: vault, functionName: "isUsed", args: [job.orderId as Hex] } as const
    const used = yield* reads.read(isUsed)
    // The height comes after it: the event is not above it.
    const latest = yield* reads.height
    const final = finalOf(config, latest)
    if (!used) return { elsewhere: { _tag: "Unused" }, final }
    const { event } = yield* search(reads, vault, job, latest, -Infinity)
    if (event === undefined) {
      const message = `The vault has sent something for order ${job.orderId}, and no event shows that it was exactly this ${job.kind}. If it was another payment, or one of long ago, an operator ends the swap: geoswap-server swaps close.`
      return { elsewhere: unclear(message), final }
    }
    return {
      elsewhere:
        event.blockNumber > final
          ? unclear(`The ${job.kind} of order ${job.orderId} is in ${event.hash}, which is not final yet.`)
          : { _tag: "Done", hash: event.hash, block: event.blockNumber },
      final
    }
  })

  /**
   * `Done` needs a quorum, and no other answer but of nodes where that block is not final. `Unused` needs a quorum and
   * no other answer. One node that says "used" is enough to wait, even below the quorum.
   */
  const agree = (asked: Answers<View>): Effect.Effect<Elsewhere, ChainUnavailable> => {
    const { answers } = asked
    const values = answers.map(({ value }) => value)
    const used = values.filter(({ elsewhere }) => elsewhere._tag !== "Unused")
    if (used.length === 0) {
      return values.length < quorum ? Effect.fail(belowQuorum(asked)) : Effect.succeed({ _tag: "Unused" })
    }
    for (const { elsewhere } of used) {
      if (elsewhere._tag !== "Done") continue
      const others = values.filter((other) => gistOf(other.elsewhere) !== gistOf(elsewhere))
      const areBehind = others.every((other) => other.elsewhere._tag !== "Done" && other.final < elsewhere.block)
      if (areBehind && values.length - others.length >= quorum) return Effect.succeed(elsewhere)
    }
    const [first] = used
    const same = new Set(values.map(({ elsewhere }) => gistOf(elsewhere))).size === 1
    if (same && first?.elsewhere._tag === "Unclear") return Effect.succeed(first.elsewhere)
    const reports = answers.map(({ host, value }) => `${host} says ${gistOf(value.elsewhere)}`).join(", ")
    const why = same ? belowQuorum(asked).message : "The nodes do not say the same about the order."
    return Effect.succeed(unclear(`${why} ${reports}.`))
  }

  return Effect.fnUntraced(function* (job: SendJob): Effect.fn.Return<Elsewhere, ChainUnavailable> {
    // Fails if the job's own vault is not among those that can be asked.
    yield* vaults.ofJob(job)
    const asked = yield* askEach((reads) =>
      Effect.map(
        Effect.forEach(vaults.all, (vault) => look(reads, vault, job), { concurrency: "unbounded" }),
        combine
      )
    )
    return yield* agree(asked)
  })
}
