/** Looks for the payment that proves how a swap ended, with the caller's own nodes. */
import * as Effect from "effect/Effect"
import { Families } from "../Chain.js"
import { ChainReader, type PayoutQuery } from "../ChainReader.js"
import type { Flow } from "../Store.js"
import { RetrySettings } from "../RetrySettings.js"
import type { Proof, Swap } from "../Swap.js"
import { identitiesOf } from "../store/flow.js"
import { monotonicMillis, withTimeout } from "./timeout.js"
import { canProve } from "./readerOf.js"

/** The tolerance between this machine's clock and a chain's. */
const slackMillis = 60_000

const readInterval = 1_000

/**
 * How long to look for a delivery. It takes longer to become final on some chains, and a swap that the service calls
 * settled is returned as a claim until then.
 */
const deliveryTimeout = 5_000

/** A payment, and the least that it must be. */
interface Expected {
  readonly query: PayoutQuery
  readonly minimum: bigint
}

/** Returns the payments of which one would prove what the service claims: one for each order that was signed. */
const payoutsOf = (
  flow: Flow,
  { deliveryTxHash, refundTxHash, status }: Pick<Swap, "deliveryTxHash" | "refundTxHash" | "status">
): ReadonlyArray<Expected> => {
  const { createdAt, networkCost = 0n, vaults } = flow
  const { amount, destinationChain, inputToken, originChain, outputToken, recipient, walletAddress } = flow.request
  const payment =
    status === "settled"
      ? {
          kind: "delivery" as const,
          chainId: destinationChain,
          txHash: deliveryTxHash,
          vaults: vaults?.destination,
          recipient: recipient ?? walletAddress,
          token: outputToken
        }
      : {
          kind: "refund" as const,
          chainId: originChain,
          txHash: refundTxHash,
          vaults: vaults?.origin,
          recipient: walletAddress,
          token: inputToken
        }
  const { txHash, vaults: pinned, ...rest } = payment
  if ((status !== "settled" && status !== "refunded") || txHash === undefined || pinned === undefined) return []
  return identitiesOf(flow).flatMap(({ order, signedAt = createdAt }) =>
    order === undefined
      ? []
      : [
          {
            query: { ...rest, txHash, vaults: pinned, orderId: order.id, since: signedAt - slackMillis },
            minimum: status === "settled" ? order.minOutput : amount - networkCost
          }
        ]
  )
}

/** Reads one payment. A node that fails has seen nothing. */
const readPayment = Effect.fnUntraced(function* ({ minimum, query }: Expected): Effect.fn.Return<Proof | undefined> {
  const family = (yield* Families)(query.chainId)
  const payout = (yield* ChainReader)[family]?.payout
  if (payout === undefined) return undefined
  const amount = yield* Effect.catch(withTimeout(Effect.suspend(() => payout(query))), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "reader.error": message }), 0n)
  )
  const { chainId, kind: seen, txHash } = query
  return amount > 0n && amount >= minimum ? { seen, chainId, txHash, amount } : undefined
})

/** Looks for the payment that proves a settled or refunded swap, for at most this many milliseconds. */
export const awaitPayment = Effect.fnUntraced(function* (
  flow: Flow,
  swap: Swap,
  timeout: number
): Effect.fn.Return<Proof | undefined> {
  const expected = payoutsOf(flow, swap)
  const familyOf = yield* Families
  const readers = yield* ChainReader
  const readable = expected.filter(({ query: { chainId } }) => canProve(readers, familyOf(chainId), chainId))
  if (readable.length === 0) return undefined
  const { proofTimeout } = yield* RetrySettings
  const longest = Math.min(timeout, proofTimeout, swap.status === "settled" ? deliveryTimeout : Infinity)
  const until = (yield* monotonicMillis) + longest
  for (;;) {
    for (const one of readable) {
      const proof = yield* readPayment(one)
      if (proof !== undefined) return proof
    }
    if ((yield* monotonicMillis) + readInterval > until) return undefined
    yield* Effect.sleep(readInterval)
  }
})
