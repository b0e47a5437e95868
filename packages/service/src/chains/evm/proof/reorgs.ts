/**
 * Reorgs: whether the block of a receipt can still be reorged out, is final, or has been reorged out since the receipt was
 * read. `execution/transactions/reorgs.ts` handles a collection whose block was reorged out.
 */
import * as Effect from "effect/Effect"
import type { Address } from "viem"
import { together } from "../../../concurrency/together.js"
import type { ChainUnavailable } from "../../ChainError.js"
import { forget } from "../nodes/feed.js"
import { type Node, nonceAt } from "../nodes/nodeQuorum.js"
import type { Receipt } from "../nodes/reads.js"
import { receiptsOf } from "../nodes/receipts.js"
import type { SignedAttempt } from "../transactions/attemptSigner.js"
import { type Event, isEvent } from "../transactions/vaultCalls.js"

/** A quorum observation, which does not depend on the relayers' nonces. */
export interface Thorough {
  /** The block that contains the transaction and many others, if one node reports it. */
  readonly sharedBlock: bigint | undefined
}

/** A receipt and the state of its block, which can still be reorged out, is final, or has already been reorged out. */
export interface SeenReceipt extends Receipt {
  readonly stands: "included" | "final" | "stale"
  readonly succeeded: boolean
  /** The time of a final block, in Unix seconds. */
  readonly time?: number
}

/** The heights of a node's latest block, and of its latest final block. */
export interface Heights {
  readonly latest: bigint
  readonly final: bigint
}

/** Reads the receipts of attempts from a node, each with the state of its block. */
export const readReceipts = Effect.fnUntraced(function* (
  node: Node,
  event: Event,
  attempts: ReadonlyArray<SignedAttempt>,
  { final, latest }: Heights,
  thorough: Thorough | undefined
) {
  const { feed } = node
  const always = () => Effect.succeed(Infinity)
  const latestNonce = (signer: Address) => Effect.orElseSucceed(nonceAt(node, signer, "latest"), () => Infinity)
  const known = {
    vault: event.address,
    latest,
    // If the nonce cannot be read, the receipts decide.
    nonceOf: thorough === undefined ? latestNonce : always,
    sharedBlock: thorough?.sharedBlock,
    again: thorough !== undefined
  }
  const blockAt = (number: bigint) => feed.perHead(`block ${number}`, node.blockAt(number))
  const check = Effect.fnUntraced(function* (receipt: Receipt): Effect.fn.Return<SeenReceipt, ChainUnavailable> {
    // The transaction's status proves nothing. Only the event is proof.
    const succeeded = receipt.logs.some((log) => isEvent(event, log))
    if (receipt.blockNumber > final) return { ...receipt, succeeded, stands: "included" }
    const { hash, timestamp } = yield* blockAt(receipt.blockNumber)
    return { ...receipt, succeeded, stands: hash === receipt.blockHash ? "final" : "stale", time: timestamp }
  })
  const seen = yield* together((yield* receiptsOf(node, attempts, known)).map(check))
  const stale = seen.filter(({ stands }) => stands === "stale")
  if (stale.length === 0) return seen
  // The block was replaced since the receipt was read.
  for (const { hash } of stale) forget(feed, hash)
  const again = yield* receiptsOf(node, attempts, { ...known, nonceOf: always, sharedBlock: undefined, again: true })
  return yield* together(again.map(check))
})
