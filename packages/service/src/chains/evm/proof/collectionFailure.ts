/** Finds out why a batch has left a collection out, by a simulation in the block that includes the batch. */
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, numberToHex } from "viem"
import type { CollectJob } from "../../../domain/Job.js"
import { askQuorum } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import { explain, insufficientFunds, isRevert, orRevert } from "../transactions/reverts.js"
import { addressOf, callOf } from "../transactions/vaultCalls.js"

const failureOn = Effect.fnUntraced(function* (
  { config, relayers: [relayer] }: EvmContext,
  node: Node,
  vault: Address,
  job: CollectJob,
  block: bigint
) {
  const call = formatTransactionRequest({ ...callOf(vault, job), from: addressOf(relayer) })
  const result = yield* node.ask("eth_call", ({ request }) =>
    request({ method: "eth_call", params: [call, numberToHex(block)] }).then(() => undefined, orRevert)
  )
  if (!isRevert(result)) return undefined
  const reason = explain(config.id, job, result)
  if (reason.code !== "REVERTED") return reason
  // Many tokens revert without a reason.
  const balance = yield* node.balanceOf(job.token, job.wallet, block)
  return balance < job.amount ? insufficientFunds(config.id, job) : reason
})

export const make = (context: EvmContext) =>
  Effect.fnUntraced(function* (job: CollectJob, block: bigint) {
    const { config, quorum, vaults } = context
    const vault = yield* vaults.ofJob(job)
    const answers = yield* askQuorum(config, quorum.nodes, (node) => failureOn(context, node, vault, job, block))
    return answers.every(({ value }) => value !== undefined) ? answers[0]?.value : undefined
  })
