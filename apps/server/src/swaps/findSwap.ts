/** Finds a swap by its id, its order id, or the hash of one of its transactions. */
import type { Store, SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Failure } from "../output/Failure.js"
import { allSwaps } from "./allSwaps.js"

const kinds = ["collect", "deliver", "refund"] as const

/** Whether one of the swap's stored transactions has this hash. */
const hasAttempt = (store: Store.Store, { id }: SwapRecord.SwapRecord, hash: string) =>
  Effect.map(
    Effect.forEach(kinds, (kind) => store.attempts(id, kind)),
    (attempts) => attempts.flat().some((attempt) => attempt.hash === hash)
  )

const hasHash = ({ deliveryTxHash, originTxHash, refundTxHash, revertedTxHash }: SwapRecord.SwapRecord, hash: string) =>
  [originTxHash, revertedTxHash, deliveryTxHash, refundTxHash].includes(hash)

/**
 * Finds a swap by its id, its order id, or a transaction hash. Pending transactions are searched only for open swaps.
 */
export const findSwap = Effect.fnUntraced(function* (store: Store.Store, named: string) {
  const isHash = !named.includes("-")
  const direct = yield* isHash ? store.swapOfOrder(named) : store.swap(named)
  if (Option.isSome(direct)) return direct.value
  const found = isHash
    ? yield* Stream.concat(
        Stream.filterEffect(allSwaps(store, { open: true }), (swap) => hasAttempt(store, swap, named)),
        Stream.filter(allSwaps(store, { open: false }), (swap) => hasHash(swap, named))
      ).pipe(Stream.runHead)
    : Option.none()
  if (Option.isSome(found)) return found.value
  return yield* new Failure({ message: `No swap matches ${named}. List the swaps: geoswap-server swaps list` })
})
