/** A chain's vaults, and which of them is used for a job. */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import { unavailable } from "../../quorum.js"
import { parse } from "../transactions/transactions.js"
import { addressOf } from "../transactions/vaultCalls.js"

/**
 * Returns the vault that stored attempts use: the recipient of the first attempt that does not cancel the job. The
 * vault never changes, because another vault has no record of what this vault has paid for the order, and could pay the
 * order again.
 */
export const vaultOf = (attempts: ReadonlyArray<Attempt>): Address | undefined => {
  const first = attempts.find(({ cancels }) => !cancels)
  return first && parse(first).to
}

/** Returns the vault that a job names: the one that the wallet pays, or the one that pays. */
export const vaultNamedBy = (job: Job): Address | undefined => {
  const { vault } = job.kind !== "collect" ? job : job.operation._tag === "evm" ? job.operation : {}
  return vault === undefined ? undefined : addressOf(vault)
}

export const make = (config: Config.EvmChain) => {
  const [first, ...older] = config.vaults
  /** All vaults, in order of preference. */
  const all = [addressOf(first.address), ...older.map(({ address }) => addressOf(address))] as const
  return {
    all,
    /** Returns the vault for a job with these attempts. Fails if that vault is not configured. */
    ofJob: (job: Job, attempts: ReadonlyArray<Attempt> = []): Effect.Effect<Address, ChainUnavailable> => {
      const named = vaultNamedBy(job) ?? vaultOf(attempts) ?? all[0]
      if (all.includes(named)) return Effect.succeed(named)
      const problem = `The ${job.kind} transaction for order ${job.orderId} belongs to another vault, ${named}.`
      return Effect.fail(
        unavailable(
          config,
          `${problem} Run the service with the previous configuration until the vault's swaps have finished.`
        )
      )
    }
  }
}

export type Vaults = ReturnType<typeof make>
