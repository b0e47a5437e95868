/** Replaces a pending transaction with the same transaction at higher fees, or with one that only uses up the nonce. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { together } from "../../../concurrency/together.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import { askEach, quorumOf } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { offer, replacement } from "../fees/gasFees.js"
import { nonceAt } from "../nodes/nodeQuorum.js"
import { type SignedAttempt, slotOf } from "./attemptSigner.js"
import { parse, sign, transactionGas } from "./transactions.js"

/**
 * The minimum time before a transaction can be considered lost. Pending transactions are sent again every two seconds,
 * so if the nodes still do not have a transaction after this time, they are rejecting it.
 */
const leastLostMillis = 5_000

/** Creates the function that replaces transactions that were signed for the current configuration. */
export const make = (context: EvmContext) => {
  const { config, market, quorum } = context
  const lostMillis = Math.max(leastLostMillis, 5 * config.pollMillis)

  /**
   * Whether the attempts are lost: a quorum of nodes reports that they have none of the attempts, and no other node
   * reports that it has one. In that case, the nonce stays unused and blocks all later nonces. A node that does not
   * respond may have an attempt.
   */
  const areLost = (sameNonce: ReadonlyArray<Attempt>) =>
    Effect.map(
      askEach(quorum.nodes, ({ isKnown }) => together(sameNonce.map(({ hash }) => isKnown(hash)))),
      ({ answers }) => answers.length >= quorumOf(config) && !answers.some(({ value }) => value.includes(true))
    )

  return Effect.fnUntraced(function* (attempts: ReadonlyArray<SignedAttempt>, cancel: boolean) {
    const newest = attempts.at(-1)
    if (newest === undefined) return undefined
    const age = (yield* Clock.currentTimeMillis) - newest.createdAt
    const cancelRequested = cancel && !newest.cancels
    // The nodes do not see a pending transaction that was sent to a private relay.
    const mayBeLost = config.sendUrls === undefined && !cancelRequested && !newest.cancels && age > lostMillis
    if (!cancelRequested && !mayBeLost && age < config.stuckAfterMillis) return undefined

    const { signer: relayer } = newest
    const { nonce, ...last } = parse(newest)
    const sameNonce = attempts.filter((attempt) => slotOf(attempt) === slotOf(newest))
    const [node] = yield* quorum.head
    const used = yield* nonceAt(node, relayer, "latest")
    // The nonce has been used, so there is nothing to replace.
    if (used > nonce) return undefined
    const lost = mayBeLost ? yield* node.feed.perHead(`lost ${newest.hash}`, areLost(sameNonce)) : false
    const cancelsNow = cancelRequested || lost
    // A transaction that is queued behind another transaction does not need higher fees, because it is waiting for that
    // transaction. If a transaction is lost, all later transactions wait for it.
    if (!cancelsNow && (nonce > used || age < config.stuckAfterMillis)) return undefined
    const [receipts, current] = yield* together([
      together(sameNonce.map(({ hash }) => quorum.first.receiptOf(hash))),
      offer(market, config.maxFeePerGas)
    ])
    if (receipts.some((receipt) => receipt !== undefined)) return undefined

    const cancels = cancelsNow || newest.cancels
    // A cancellation may exceed the fee limit. Otherwise, if the last offer is already at the limit, the nonce could
    // never be used up.
    const limit = cancels ? (config.maxFeePerGas * 125n) / 100n : config.maxFeePerGas
    const fees = replacement(last, current, limit)
    if (fees === undefined) return undefined
    const nothing = { to: relayer, data: "0x" as const, gas: transactionGas }
    return yield* sign(context, relayer, { ...(cancelsNow ? nothing : last), ...fees }, nonce, cancels)
  })
}
