/** Reads the receipts of pending transactions from one node, as few of them as possible. */
import * as Effect from "effect/Effect"
import { remember } from "../../../concurrency/boundedMap.js"
import type { Address } from "viem"
import { together } from "../../../concurrency/together.js"
import type { ChainUnavailable } from "../../ChainError.js"
import { type SignedAttempt, slotOf } from "../transactions/attemptSigner.js"
import { capacity } from "./feed.js"
import type { Node } from "./nodeQuorum.js"
import type { Receipt } from "./reads.js"

/** If at least this many transactions are in the same blocks, their logs are read in one request. */
const manyTransactions = 3
/** The maximum number of blocks whose logs are read in one request. */
const longestRange = 32n

/** What is known about the attempts before their receipts are read. */
export interface Known {
  readonly vault: Address
  /** The node's latest block. */
  readonly latest: bigint
  /** Reads a relayer's nonce at that block. A receipt is read only if its nonce has been used. */
  readonly nonceOf: (relayer: Address) => Effect.Effect<number, ChainUnavailable>
  /** The block that contains these and many other transactions according to another node. */
  readonly sharedBlock: bigint | undefined
  /** Whether a receipt must be read again even if it was read at that block, for example for another swap of a batch. */
  readonly again: boolean
}

/**
 * Reads a receipt, with only the vault's logs, from the logs of several blocks. Returns `undefined` if there are none.
 * All transactions in these blocks share one request.
 */
const fromLogs = (node: Node, vault: Address, hash: string, from: bigint, to: bigint) =>
  node.feed
    .perHead(`logs ${vault} ${from} ${to}`, node.logsOf({ address: vault, topics: [], data: "0x" }, from, to))
    .pipe(
      Effect.map((logs): Receipt | undefined => {
        const own = logs.filter((log) => log.hash === hash)
        const [first] = own
        return first?.blockHash === undefined
          ? undefined
          : { hash: first.hash, blockHash: first.blockHash, blockNumber: first.blockNumber, logs: own }
      }),
      // A node may limit the number of logs.
      Effect.orElseSucceed(() => undefined)
    )

/**
 * Returns the receipts of the attempts. A receipt that the node has returned before is not read again, because a block
 * with the same hash always has the same receipts.
 */
export const receiptsOf = Effect.fnUntraced(function* (
  node: Node,
  attempts: ReadonlyArray<SignedAttempt>,
  { again, latest, nonceOf, sharedBlock, vault }: Known
) {
  const { receipts, waiting } = node.feed
  const known = attempts.flatMap(({ hash }) => receipts.get(hash.toLowerCase()) ?? [])
  const included = new Set(attempts.filter(({ hash }) => receipts.has(hash.toLowerCase())).map(slotOf))
  const open = attempts.filter((attempt) => !included.has(slotOf(attempt)))
  if (open.length === 0) return known
  const isMany = waiting.size >= manyTransactions

  const read = Effect.fnUntraced(function* (hash: string) {
    const since = waiting.get(hash)
    const from = sharedBlock ?? (since === undefined || !isMany ? undefined : since + 1n)
    const to = sharedBlock ?? latest
    const found =
      from === undefined || from > to || to - from >= longestRange
        ? undefined
        : yield* fromLogs(node, vault, hash, from, to)
    if (found !== undefined) return found
    const receipt = node.receiptOf(hash)
    return yield* again ? receipt : node.feed.perHead(`receipt ${hash}`, receipt)
  })

  const found = yield* together(
    open.map(
      Effect.fnUntraced(function* (attempt: SignedAttempt) {
        const hash = attempt.hash.toLowerCase()
        if ((attempt.nonce ?? 0) < (yield* nonceOf(attempt.signer))) return yield* read(hash)
        remember(waiting, hash, latest, capacity)
        return undefined
      })
    )
  )
  const fresh = found.filter((receipt) => receipt !== undefined)
  for (const receipt of fresh) remember(receipts, receipt.hash, receipt, capacity)
  return [...known, ...fresh]
})

/** Returns the block of a transaction if it contains many pending transactions, according to a node. */
export const sharedBlockOf = ({ feed: { receipts } }: Node, hash: string): bigint | undefined => {
  const block = receipts.get(hash.toLowerCase())?.blockNumber
  if (block === undefined) return undefined
  let count = 0
  for (const { blockNumber } of receipts.values()) {
    if (blockNumber === block && ++count >= manyTransactions) return block
  }
  return undefined
}
