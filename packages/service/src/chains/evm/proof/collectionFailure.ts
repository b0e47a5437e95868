/** Finds out why a batch has left a collection out, by a simulation in the block that includes the batch. */
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, type Hex, numberToHex } from "viem"
import type * as Config from "../../../config/Config.js"
import type { CollectJob } from "../../../domain/Job.js"
import type { ChainUnavailable, Impossible } from "../../ChainError.js"
import type { EvmChain } from "../../Chains.js"
import * as Quorum from "../../quorum.js"
import type { Vaults } from "../accounts/vaults.js"
import * as Reads from "../nodes/reads.js"
import type { Nodes } from "../nodes/rpcNodes.js"
import { explain, insufficientFunds, isRevert, orRevert } from "../transactions/reverts.js"
import { callOf } from "../transactions/vaultCalls.js"

export const make = (
  nodes: Nodes,
  config: Config.EvmChain,
  relayer: Hex,
  vaults: Pick<Vaults, "ofJob">
): EvmChain["failureAt"] => {
  const all = nodes.all.map(({ ask, host }) => ({ ask, host, reads: Reads.make(ask, config.id) }))

  const failureOn = Effect.fnUntraced(function* (
    { ask, reads }: (typeof all)[number],
    vault: Address,
    job: CollectJob,
    block: bigint
  ): Effect.fn.Return<Impossible | undefined, ChainUnavailable> {
    const call = formatTransactionRequest({ ...callOf(vault, job), from: relayer })
    const result = yield* ask("eth_call", ({ request }) =>
      request({ method: "eth_call", params: [call, numberToHex(block)] }).then(() => undefined, orRevert)
    )
    if (!isRevert(result)) return undefined
    const reason = explain(config.id, job, result)
    if (reason.code !== "REVERTED") return reason
    // Many tokens revert without a reason.
    const balance = yield* reads.balanceOf(job.token, job.wallet, block)
    return balance < job.amount ? insufficientFunds(config.id, job) : reason
  })

  return Effect.fnUntraced(function* (job, block) {
    const vault = yield* vaults.ofJob(job)
    const answers = yield* Quorum.askQuorum(config, all, (node) => failureOn(node, vault, job, block))
    return answers.every(({ value }) => value !== undefined) ? answers[0]?.value : undefined
  })
}
