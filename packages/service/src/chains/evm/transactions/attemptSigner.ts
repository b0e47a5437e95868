/**
 * Determines who signed a stored transaction, and which vault it was signed for. Only our own transactions can be
 * compared with our nonces and events.
 */
import * as Effect from "effect/Effect"
import { type Address, getAddress } from "viem"
import { remember } from "../../../concurrency/boundedMap.js"
import type * as Config from "../../../config/Config.js"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { unavailable } from "../../quorum.js"
import { type Vaults, vaultNamedBy } from "../accounts/vaults.js"
import { parse, recoverSigner } from "./transactions.js"

/** An attempt and the relayer that signed it. */
export interface SignedAttempt extends Attempt {
  readonly signer: Address
}

/** Identifies the relayer and the nonce of an attempt. Attempts with the same slot replace each other. */
export const slotOf = ({ nonce, signer }: SignedAttempt): string => `${signer} ${nonce}`

/** The maximum number of transactions whose signers are cached. */
const capacity = 1_000

export const make = (config: Config.EvmChain, relayers: ReadonlyMap<Address, unknown>, { all }: Vaults) => {
  /**
   * The signers of the transactions that were recovered before, because the same transactions are polled repeatedly. The
   * map holds plain values: Effect's `Cache` would keep the fiber of each lookup, with all that the fiber refers to.
   */
  const signers = new Map<string, Address | undefined>()

  /** Returns the relayer that signed an attempt. Fails if it is not one of ours. */
  const signerOf = Effect.fnUntraced(function* ({ hash, raw }: Attempt) {
    const signer = signers.has(raw) ? signers.get(raw) : yield* recoverSigner(raw)
    remember(signers, raw, signer, capacity)
    if (signer !== undefined && relayers.has(signer)) return signer
    const problem = signer === undefined ? "cannot be read" : `was signed by another relayer, ${getAddress(signer)}`
    return yield* unavailable(
      config,
      `${hash} ${problem}. Run the service with the previous relayer key until its transactions have finished.`
    )
  })

  /** Adds their signers to attempts. Fails if one of them was signed by a different relayer. */
  const withSigners = (attempts: ReadonlyArray<Attempt>) =>
    Effect.forEach(attempts, (attempt) => Effect.map(signerOf(attempt), (signer) => ({ ...attempt, signer })))

  return {
    signerOf,
    withSigners,
    /**
     * Like `withSigners`, for transactions that call a vault. Also fails if one of them was signed for a wrong vault: one
     * that is not configured, or that differs from the vault of the job or of the first attempt.
     */
    withSignersFor: Effect.fnUntraced(function* (job: Job, attempts: ReadonlyArray<Attempt>) {
      const signed = yield* withSigners(attempts)
      const named = vaultNamedBy(job)
      let allowed: ReadonlyArray<Address> = named === undefined ? all : all.filter((vault) => vault === named)
      for (const attempt of attempts) {
        if (attempt.cancels) continue
        const { to } = parse(attempt)
        if (!allowed.includes(to)) {
          const problem = `${attempt.hash} was signed for another vault, ${to}.`
          return yield* unavailable(
            config,
            `${problem} Run the service with the previous configuration until the vault's swaps have finished.`
          )
        }
        allowed = [to]
      }
      return signed
    })
  }
}

export type AttemptSigners = ReturnType<typeof make>
