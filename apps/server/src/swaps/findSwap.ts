/** Finds a swap by its id, its order id, or the hash of one of its transactions. */
import type { Store, SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Failure } from "../output/Failure.js"

const page = 1_000

const kinds = ["collect", "deliver", "refund"] as const

/** Whether one of the swap's stored transactions has this hash. */
const hasAttempt = (store: Store.Store, { id }: SwapRecord.SwapRecord, hash: string) =>
  Effect.map(
    Effect.forEach(kinds, (kind) => store.attempts(id, kind)),
    (attempts) => attempts.flat().some((attempt) => attempt.hash === hash)
  )

const hasHash = ({ deliveryTxHash, originTxHash, refundTxHash, revertedTxHash }: SwapRecord.SwapRecord, hash: string) =>
  [originTxHash, revertedTxHash, deliveryTxHash, refundTxHash].includes(hash)

/** Searches swaps, newest first, one page at a time. */
const search = Effect.fnUntraced(function* <E>(
  store: Store.Store,
  open: boolean,
  fits: (swap: SwapRecord.SwapRecord) => Effect.Effect<boolean, E>
) {
  let after: SwapRecord.SwapRecord | undefined
  for (;;) {
    const swaps = yield* store.list({ open, after, limit: page })
    for (const swap of swaps) if (yield* fits(swap)) return swap
    if (swaps.length < page) return undefined
    after = swaps.at(-1)
  }
})

/**
 * Finds a swap by its id, its order id, or a transaction hash. Pending transactions are searched only for open swaps.
 */
export const findSwap = Effect.fnUntraced(function* (store: Store.Store, named: string) {
  const isHash = !named.includes("-")
  const direct = yield* isHash ? store.swapOfOrder(named) : store.swap(named)
  if (Option.isSome(direct)) return direct.value
  const found = isHash
    ? ((yield* search(store, true, (swap) => hasAttempt(store, swap, named))) ??
      (yield* search(store, false, (swap) => Effect.succeed(hasHash(swap, named)))))
    : undefined
  return (
    found ?? (yield* new Failure({ message: `No swap matches ${named}. List the swaps: geoswap-server swaps list` }))
  )
})
