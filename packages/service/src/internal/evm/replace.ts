/** Another transaction with the nonce of one that waits: the same with a higher offer, or one that does nothing. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { ChainUnavailable } from "../../Chains.js"
import type * as Config from "../../Config.js"
import type { EvmKey } from "../../Keys.js"
import type { Attempt } from "../../SwapRecord.js"
import { offer, replacement } from "./fees.js"
import { addressOf } from "./jobs.js"
import type { Reads } from "./reads.js"
import { parse, sign } from "./transactions.js"

/** What a transfer without data costs on every chain. */
const transferGas = 21_000n

export const make = (reads: Reads, config: Config.EvmChain, key: EvmKey) =>
  Effect.fnUntraced(function* (
    attempts: ReadonlyArray<Attempt>,
    cancel: boolean
  ): Effect.fn.Return<Attempt | undefined, ChainUnavailable> {
    const newest = attempts.at(-1)
    if (newest === undefined) return undefined
    const cancelsNow = cancel && !newest.cancels
    const now = yield* Clock.currentTimeMillis
    if (!cancelsNow && now - newest.createdAt < config.stuckAfterMillis) return undefined

    const { nonce, ...last } = parse(newest)
    const rivals = attempts.filter((attempt) => attempt.nonce === newest.nonce)
    const [receipts, used, current] = yield* Effect.all(
      [
        Effect.forEach(rivals, ({ hash }) => reads.receiptOf(hash), { concurrency: "unbounded" }),
        reads.nonceOf(addressOf(key.address), "latest"),
        offer(reads, config.maxFeePerGas)
      ],
      { concurrency: "unbounded" }
    )
    // Then there is nothing to replace, whatever became of it.
    if (used > nonce || receipts.some((receipt) => receipt !== undefined)) return undefined
    const fees = replacement(last, current, config.maxFeePerGas)
    if (fees === undefined) return undefined
    const transaction = cancelsNow
      ? { to: addressOf(key.address), data: "0x" as const, gas: transferGas, ...fees }
      : { ...last, ...fees }
    return yield* sign({ chainId: config.id, key }, transaction, { cancels: cancelsNow || newest.cancels, nonce })
  })
