/**
 * Checks whether a delivery fails because of its recipient, which is the case if the same delivery succeeds for a
 * control address in the same block.
 */
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, keccak256, numberToHex, stringToHex } from "viem"
import { together } from "../../../concurrency/together.js"
import type { SendJob } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { askQuorum, unavailable } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import type { Node } from "../nodes/nodeQuorum.js"
import { isRevert, orRevert } from "../transactions/reverts.js"
import { parse } from "../transactions/transactions.js"
import { addressOf, callOf } from "../transactions/vaultCalls.js"

/** An address that is derived from a hash and has no code, no known key and no balance. */
export const control = addressOf(`0x${keccak256(stringToHex("geoswap control recipient")).slice(-40)}`)

/** The gas limit of a transaction, and its fees or twice the current base fee, so that a node simulates it now. */
const sentAs = (attempt: Attempt, baseFee: bigint) => {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = parse(attempt)
  return { gas, maxPriorityFeePerGas, maxFeePerGas: maxFeePerGas > 2n * baseFee ? maxFeePerGas : 2n * baseFee }
}

const failsOnlyForRecipient = Effect.fnUntraced(function* (
  { config, relayers: [relayer] }: EvmContext,
  { ask, blockAt, codeOf }: Node,
  vault: Address,
  job: SendJob,
  reverted: Attempt | undefined
) {
  const { baseFeePerGas, hash, number } = yield* blockAt("latest")
  const sent = reverted === undefined ? undefined : sentAs(reverted, baseFeePerGas)
  const fails = (to: string) =>
    ask("eth_call", async ({ request }) => {
      const call = formatTransactionRequest({ ...callOf(vault, { ...job, to }), ...sent, from: addressOf(relayer) })
      const result = await request({ method: "eth_call", params: [call, numberToHex(number)] }).catch(orRevert)
      return isRevert(result)
    })
  // Without code, a recipient cannot make a delivery fail.
  const hasCode = Effect.map(codeOf(addressOf(job.to)), (code) => code !== "0x")
  const [recipientFails, controlFails] = yield* together([
    reverted === undefined ? fails(job.to) : hasCode,
    fails(control)
  ])
  // If a reorg happened between the two simulations, they may have used different blocks.
  if ((yield* blockAt(number)).hash !== hash) {
    return yield* unavailable(config, `Block ${number} was replaced during a simulation.`)
  }
  return recipientFails && !controlFails
})

export const make = (context: EvmContext) =>
  Effect.fnUntraced(function* (job: SendJob, reverted?: Attempt) {
    const { config, quorum, vaults } = context
    const vault = yield* vaults.ofJob(job)
    const answers = yield* askQuorum(config, quorum.nodes, (node) =>
      failsOnlyForRecipient(context, node, vault, job, reverted)
    )
    return answers.every(({ value }) => value)
  })
