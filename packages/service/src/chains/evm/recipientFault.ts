/**
 * Checks whether a delivery fails because of its recipient, which is the case if the same delivery succeeds for a
 * control address in the same block.
 */
import * as Effect from "effect/Effect"
import { type Address, formatTransactionRequest, type Hex, keccak256, numberToHex, stringToHex } from "viem"
import type * as Config from "../../config/Config.js"
import { ChainUnavailable, type SendJob } from "../Chains.js"
import * as Quorum from "../quorum.js"
import { addressOf, callOf } from "./jobs.js"
import * as Reads from "./reads.js"
import { isRevert, orRevert } from "./reverts.js"
import type { Nodes } from "./rpcNodes.js"
import type { Vaults } from "./vaults.js"

/** An address that is derived from a hash and has no code, no known key and no balance. */
export const control = addressOf(`0x${keccak256(stringToHex("geoswap control recipient")).slice(-40)}`)

export const make = (nodes: Nodes, config: Config.EvmChain, relayer: Hex, vaults: Pick<Vaults, "ofJob">) => {
  const all = nodes.all.map(({ ask, host }) => ({ ask, host, reads: Reads.make(ask, config.id) }))

  const failsOnlyForRecipient = Effect.fnUntraced(function* (
    { ask, reads }: (typeof all)[number],
    vault: Address,
    job: SendJob
  ): Effect.fn.Return<boolean, ChainUnavailable> {
    const { hash, number } = yield* reads.blockAt("latest")
    const fails = (to: string) =>
      ask("eth_call", async ({ request }) => {
        const call = formatTransactionRequest({ ...callOf(vault, { ...job, to }), from: relayer })
        const result = await request({ method: "eth_call", params: [call, numberToHex(number)] }).catch(orRevert)
        return isRevert(result)
      })
    const [recipientFails, controlFails] = yield* Effect.all([fails(job.to), fails(control)], {
      concurrency: "unbounded"
    })
    // If a reorg happened between the two simulations, they may have used different blocks.
    if ((yield* reads.blockAt(number)).hash !== hash) {
      const message = `Block ${number} was replaced during a simulation.`
      return yield* new ChainUnavailable({ chainId: config.id, message, timeout: false })
    }
    return recipientFails && !controlFails
  })

  return (job: SendJob): Effect.Effect<boolean, ChainUnavailable> =>
    vaults.ofJob(job).pipe(
      Effect.flatMap((vault) => Quorum.askQuorum(config, all, (node) => failsOnlyForRecipient(node, vault, job))),
      Effect.map((answers) => answers.every(({ value }) => value))
    )
}
