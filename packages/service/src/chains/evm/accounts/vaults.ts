/** A chain's vaults, and which of them is used for a job. */
import { GeoVault } from "@geoswap/contracts"
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { Reads } from "../nodes/reads.js"
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

export interface Vaults {
  /** All vaults, in order of preference. */
  readonly all: readonly [Address, ...ReadonlyArray<Address>]
  /** Returns the vault that accepts wallets with this delegate, if any. The result is cached for a minute. */
  readonly ofDelegate: (delegate: Address) => Effect.Effect<Address | undefined, ChainUnavailable>
  /** Returns the vault for a job with these attempts. Fails if that vault is not configured. */
  readonly ofJob: (job: Job, attempts?: ReadonlyArray<Attempt>) => Effect.Effect<Address, ChainUnavailable>
}

export const make: (reads: Reads, config: Config.EvmChain) => Effect.Effect<Vaults> = Effect.fnUntraced(function* (
  reads,
  { id, vaults: [current, ...older] }
) {
  const all = [addressOf(current.address), ...older.map(({ address }) => addressOf(address))] as const
  const configured = [current, ...older]

  const findVault = Effect.fnUntraced(function* (delegate: Address) {
    const accepted = yield* Effect.forEach(
      all,
      (address) => reads.read({ abi: GeoVault.abi, address, functionName: "isDelegate", args: [delegate] }),
      { concurrency: "unbounded" }
    )
    return all[accepted.indexOf(true)]
  })
  const found = yield* Cache.makeWith(findVault, {
    capacity: 1_000,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 minute" : 0)
  })

  const unavailable = (problem: string) =>
    new ChainUnavailable({
      chainId: id,
      message: `${problem}. Run the service with the previous configuration until the vault's swaps have finished.`,
      timeout: false
    })

  /** The vault for an operation that does not name a vault. The operation's delegate pays only one vault. */
  const ofOperation = Effect.fnUntraced(function* (delegate: Address) {
    const named = configured.find((vault) => addressOf(vault.delegate) === delegate)
    if (named !== undefined) return addressOf(named.address)
    return (
      (yield* Cache.get(found, delegate)) ??
      (yield* unavailable(`The wallet's delegate ${delegate} pays a vault that is not configured`))
    )
  })

  return {
    all,
    ofDelegate: (delegate) => Cache.get(found, delegate),
    ofJob: Effect.fnUntraced(function* (job, attempts = []) {
      const named = job.vault ?? vaultOf(attempts)
      if (named !== undefined) {
        const vault = all.find((address) => address === addressOf(named))
        return (
          vault ??
          (yield* unavailable(
            `The ${job.kind} transaction for order ${job.orderId} belongs to another vault, ${named}`
          ))
        )
      }
      return job.kind === "collect" && job.operation._tag === "evm"
        ? yield* ofOperation(addressOf(job.operation.delegate))
        : all[0]
    })
  }
})
