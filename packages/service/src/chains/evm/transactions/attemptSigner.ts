/**
 * Determines who signed a stored transaction, and which vault it was signed for. Only our own transactions can be
 * compared with our nonces and events.
 */
import * as Effect from "effect/Effect"
import { type Address, getAddress } from "viem"
import type { Job } from "../../../domain/Job.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { ChainUnavailable } from "../../ChainError.js"
import type { Vaults } from "../accounts/vaults.js"
import { parse, signerOf } from "./transactions.js"
import { addressOf } from "./vaultCalls.js"

/** An attempt and the relayer that signed it. */
export interface SignedAttempt extends Attempt {
  readonly signer: Address
}

/** Identifies the relayer and the nonce of an attempt. Attempts with the same slot replace each other. */
export const slotOf = ({ nonce, signer }: SignedAttempt): string => `${signer} ${nonce}`

export interface AttemptSigners {
  /**
   * Describes the first attempt that was signed by a different relayer or for a wrong vault. A vault is wrong if it is
   * not configured, or if it differs from the vault of the job or of the first attempt. Returns `undefined` if there is
   * no such attempt.
   */
  readonly describeForeign: (job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<string | undefined>
  /** Returns the relayer that signed an attempt. Fails if it is not one of ours. */
  readonly signerOf: (attempt: Attempt) => Effect.Effect<Address, ChainUnavailable>
  /** Like `describeForeign`, for transactions that do not call a vault. */
  readonly describeOtherSigner: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<string | undefined>
}

/** The maximum number of transactions whose signers are cached. */
const capacity = 1_000

/**
 * Recovers signers. Results are cached, because the same transactions are polled repeatedly. The cache holds plain
 * values: Effect's `Cache` would keep the fiber of each lookup, with all that the fiber refers to.
 */
const makeRecovery = () => {
  const signers = new Map<string, Address | undefined>()
  return (raw: string): Effect.Effect<Address | undefined> =>
    Effect.suspend(() => {
      if (signers.has(raw)) return Effect.succeed(signers.get(raw))
      return Effect.map(signerOf(raw), (signer) => {
        signers.set(raw, signer)
        const [oldest] = signers.size > capacity ? signers.keys() : []
        if (oldest !== undefined) signers.delete(oldest)
        return signer
      })
    })
}

export const make = (
  chainId: number,
  relayers: ReadonlyArray<Address>,
  { all }: Pick<Vaults, "all">
): AttemptSigners => {
  const recoverSigner = makeRecovery()

  const signerProblem = Effect.fnUntraced(function* (attempt: Attempt) {
    const signer = yield* recoverSigner(attempt.raw)
    if (signer === undefined) return "cannot be read"
    return relayers.includes(signer) ? undefined : `was signed by another relayer, ${getAddress(signer)}`
  })

  const advice = "Run the service with the previous relayer key until its transactions have finished."

  return {
    signerOf: Effect.fnUntraced(function* (attempt) {
      const signer = yield* recoverSigner(attempt.raw)
      const problem = yield* signerProblem(attempt)
      if (signer !== undefined && problem === undefined) return signer
      return yield* new ChainUnavailable({ chainId, message: `${attempt.hash} ${problem}. ${advice}`, timeout: false })
    }),
    describeOtherSigner: Effect.fnUntraced(function* (attempts) {
      for (const attempt of attempts) {
        const problem = yield* signerProblem(attempt)
        if (problem === undefined) continue
        return `${attempt.hash} ${problem}. ${advice}`
      }
      return undefined
    }),
    describeForeign: Effect.fnUntraced(function* (job, attempts) {
      const named = job.vault && addressOf(job.vault)
      let allowed: ReadonlyArray<Address> = named ? all.filter((vault) => vault === named) : all
      for (const attempt of attempts) {
        let problem = yield* signerProblem(attempt)
        if (problem === undefined && !attempt.cancels) {
          const { to } = parse(attempt)
          if (!allowed.includes(to)) problem = `was signed for another vault, ${to}`
          allowed = [to]
        }
        if (problem === undefined) continue
        return `${attempt.hash} ${problem}. Run the service with the previous configuration until the vault's swaps have finished.`
      }
      return undefined
    })
  }
}
