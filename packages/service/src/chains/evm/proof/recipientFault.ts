/**
 * Checks whether a delivery fails because of its recipient, which is the case if the same delivery succeeds for a
 * control address in the same block.
 */
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, type Hex, keccak256, numberToHex, stringToHex } from "viem"
import type * as Config from "../../../config/Config.js"
import type { SendJob } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { ChainUnavailable } from "../../ChainError.js"
import * as Quorum from "../../quorum.js"
import type { Vaults } from "../accounts/vaults.js"
import * as Reads from "../nodes/reads.js"
import type { Nodes } from "../nodes/rpcNodes.js"
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

export const make = (nodes: Nodes, config: Config.EvmChain, relayer: Hex, vaults: Pick<Vaults, "ofJob">) => {
  const all = nodes.all.map(({ ask, host }) => ({ ask, host, reads: Reads.make(ask, config.id) }))

  const failsOnlyForRecipient = Effect.fnUntraced(function* (
    { ask, reads }: (typeof all)[number],
    vault: Address,
    job: SendJob,
    reverted: Attempt | undefined
  ): Effect.fn.Return<boolean, ChainUnavailable> {
    const { baseFeePerGas, hash, number } = yield* reads.blockAt("latest")
    const sent = reverted === undefined ? undefined : sentAs(reverted, baseFeePerGas)
    const fails = (to: string) =>
      ask("eth_call", async ({ request }) => {
        const call = formatTransactionRequest({ ...callOf(vault, { ...job, to }), ...sent, from: relayer })
        const result = await request({ method: "eth_call", params: [call, numberToHex(number)] }).catch(orRevert)
        return isRevert(result)
      })
    // Without code, a recipient cannot make a delivery fail.
    const hasCode = Effect.map(reads.codeOf(addressOf(job.to)), (code) => code !== "0x")
    const [recipientFails, controlFails] = yield* Effect.all(
      [reverted === undefined ? fails(job.to) : hasCode, fails(control)],
      { concurrency: "unbounded" }
    )
    // If a reorg happened between the two simulations, they may have used different blocks.
    if ((yield* reads.blockAt(number)).hash !== hash) {
      const message = `Block ${number} was replaced during a simulation.`
      return yield* new ChainUnavailable({ chainId: config.id, message, timeout: false })
    }
    return recipientFails && !controlFails
  })

  return (job: SendJob, reverted?: Attempt): Effect.Effect<boolean, ChainUnavailable> =>
    vaults.ofJob(job).pipe(
      Effect.flatMap((vault) =>
        Quorum.askQuorum(config, all, (node) => failsOnlyForRecipient(node, vault, job, reverted))
      ),
      Effect.map((answers) => answers.every(({ value }) => value))
    )
}
