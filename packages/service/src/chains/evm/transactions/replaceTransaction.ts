/** Replaces a pending transaction with the same transaction at higher fees, or with one that only uses up the nonce. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import type * as Config from "../../../config/Config.js"
import type { Attempt } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { EvmKey } from "../../Keys.js"
import { type Market, offer, replacement } from "../fees/gasFees.js"
import { type NodeQuorum, nonceAt } from "../nodes/nodeQuorum.js"
import type { AttemptSigners } from "./attemptSigner.js"
import { parse, sign, transactionGas } from "./transactions.js"

/**
 * The minimum time before a transaction can be considered lost. Pending transactions are sent again every two seconds,
 * so if the nodes still do not have a transaction after this time, they are rejecting it.
 */
const leastLostMillis = 5_000

const together = { concurrency: "unbounded" } as const

/**
 * Creates the function that replaces transactions. `describeForeign` describes an attempt that must not be replaced,
 * because it was not signed for the current configuration.
 */
export const make = <Job>(
  { askEach, first: reads, head, quorum }: NodeQuorum,
  market: Market,
  config: Config.EvmChain,
  keys: ReadonlyMap<Address, EvmKey>,
  { signerOf }: Pick<AttemptSigners, "signerOf">,
  describeForeign: (job: Job, attempts: ReadonlyArray<Attempt>) => Effect.Effect<string | undefined>
) => {
  const lostMillis = Math.max(leastLostMillis, 5 * config.pollMillis)

  /**
   * Whether the attempts are lost: a quorum of nodes reports that they have none of the attempts, and no other node
   * reports that it has one. In that case, the nonce stays unused and blocks all later nonces. A node that does not
   * respond may have an attempt.
   */
  const areLost = (sameNonce: ReadonlyArray<Attempt>) =>
    Effect.map(
      askEach(({ isKnown }) => Effect.forEach(sameNonce, ({ hash }) => isKnown(hash), together)),
      ({ answers }) => answers.length >= quorum && !answers.some(({ value }) => value.includes(true))
    )

  return Effect.fnUntraced(function* (
    job: Job,
    attempts: ReadonlyArray<Attempt>,
    cancel: boolean
  ): Effect.fn.Return<Attempt | undefined, ChainUnavailable> {
    const newest = attempts.at(-1)
    if (newest === undefined) return undefined
    const age = (yield* Clock.currentTimeMillis) - newest.createdAt
    const cancelRequested = cancel && !newest.cancels
    const mayBeLost = !cancelRequested && !newest.cancels && age > lostMillis
    if (!cancelRequested && !mayBeLost && age < config.stuckAfterMillis) return undefined
    if ((yield* describeForeign(job, attempts)) !== undefined) return undefined

    const relayer = yield* signerOf(newest)
    const key = keys.get(relayer)
    if (key === undefined) return undefined
    const { nonce, ...last } = parse(newest)
    const sameNonce = yield* Effect.filter(attempts, (attempt) =>
      attempt.nonce === newest.nonce
        ? Effect.map(signerOf(attempt), (signer) => signer === relayer)
        : Effect.succeed(false)
    )
    const [node] = yield* head
    const used = yield* nonceAt(node, relayer, "latest")
    // The nonce has been used, so there is nothing to replace.
    if (used > nonce) return undefined
    const lost = mayBeLost ? yield* node.feed.perHead(`lost ${newest.hash}`, areLost(sameNonce)) : false
    const cancelsNow = cancelRequested || lost
    // A transaction that is queued behind another transaction does not need higher fees, because it is waiting for that
    // transaction. If a transaction is lost, all later transactions wait for it.
    if (!cancelsNow && (nonce > used || age < config.stuckAfterMillis)) return undefined
    const [receipts, current] = yield* Effect.all(
      [Effect.forEach(sameNonce, ({ hash }) => reads.receiptOf(hash), together), offer(market, config.maxFeePerGas)],
      together
    )
    if (receipts.some((receipt) => receipt !== undefined)) return undefined

    const cancels = cancelsNow || newest.cancels
    // A cancellation may exceed the fee limit. Otherwise, if the last offer is already at the limit, the nonce could
    // never be used up.
    const limit = cancels ? (config.maxFeePerGas * 125n) / 100n : config.maxFeePerGas
    const fees = replacement(last, current, limit)
    if (fees === undefined) return undefined
    const nothing = { to: relayer, data: "0x" as const, gas: transactionGas, ...fees }
    return yield* sign({ chainId: config.id, key }, cancelsNow ? nothing : { ...last, ...fees }, { cancels, nonce })
  })
}
