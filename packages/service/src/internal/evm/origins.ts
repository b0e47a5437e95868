/** Who signed a stored transaction, and for which vault: only our own can be held against our own nonces and events. */
import * as Cache from "effect/Cache"
import * as Effect from "effect/Effect"
import { type Address, recoverTransactionAddress, type TransactionSerialized } from "viem"
import type * as Config from "../../Config.js"
import type { Attempt } from "../../SwapRecord.js"
import { addressOf } from "./jobs.js"
import { parse } from "./transactions.js"

export interface Origins {
  /** What is wrong with the first attempt that is of another key or vault than the configured ones, in words. */
  readonly foreign: (attempts: ReadonlyArray<Attempt>) => Effect.Effect<string | undefined>
}

/** Whose signature a transaction carries. Recovering it is dear, and a transaction is looked at often. */
const signersOf = Cache.make({
  capacity: 1_000,
  lookup: (raw: string) =>
    Effect.orElseSucceed(
      Effect.tryPromise(() => recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })),
      () => undefined
    )
})

export const make: (config: Config.EvmChain, relayer: Address) => Effect.Effect<Origins> = Effect.fnUntraced(
  function* (config, relayer) {
    const signers = yield* signersOf
    const vault = addressOf(config.vault)

    const strangenessOf = Effect.fnUntraced(function* (attempt: Attempt) {
      const signer = yield* Cache.get(signers, attempt.raw)
      if (signer === undefined) return "cannot be read"
      if (addressOf(signer) !== relayer) return `was signed by another relayer, ${signer}`
      const to = attempt.cancels ? vault : parse(attempt).to
      return to === vault ? undefined : `was signed for another vault, ${to}`
    })

    return {
      foreign: Effect.fnUntraced(function* (attempts) {
        for (const attempt of attempts) {
          const strangeness = yield* strangenessOf(attempt)
          if (strangeness === undefined) continue
          return `${attempt.hash} ${strangeness}: run with that configuration until its swaps have ended.`
        }
        return undefined
      })
    }
  }
)
