/** Reads a signed transaction's state at finalized commitment. When in doubt, the state is "open". */
import type { ChainReader } from "@geoswap/core"
import { NodeError, type RpcCall } from "@geoswap/core/adapters"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { toLatin1 } from "./bytes.js"
import type { SignedTransaction } from "./parseSignedTransaction.js"
import { messageAfterSignatures } from "./parseTransaction.js"
import {
  type FinalizedBlock,
  getBlockTime,
  getFinalizedBlock,
  getFirstSlot,
  getSignaturesForAddress,
  getTransaction,
  isBlockhashValid
} from "./rpcMethods.js"

type State = ChainReader.SignedState

/** Tolerance for the chain's clock, which runs unevenly. */
const slackMillis = 60_000
/**
 * The minimum time that must pass between the signature and the finalized block before a transaction can be reported as
 * expired. A blockhash is valid for 150 blocks, which is a minute or two. After the minimum time, a blockhash that the
 * node considers invalid has expired rather than being too new for the node. By then, the node has also indexed every
 * transaction that landed with that blockhash.
 */
const lifetimeMillis = 300_000

const maxPages = 10
const maxInspected = 200

/**
 * Whether a transaction from the node has the same message as the signed transaction, which has version 0. The signatures
 * may differ. Only the bytes are compared, because the wallet's other transactions can have any version.
 */
const isSame = (text: string, { message }: SignedTransaction) =>
  Effect.try({
    try: () => toLatin1(messageAfterSignatures(fromBase64(text)) ?? []) === message,
    catch: () => new NodeError("returned a transaction that cannot be decoded")
  })

/**
 * Searches all of the wallet's transactions since `since`. If the signed transaction landed, returns its state. The
 * transaction cannot be looked up by its id, because the id is a signature by the fee payer, who can make another
 * signature at any time. A failed transaction paid nothing and cannot land again.
 */
const findLanded = Effect.fnUntraced(function* (
  call: RpcCall,
  signed: SignedTransaction,
  { slot }: FinalizedBlock,
  since: number
): Effect.fn.Return<State | undefined, NodeError> {
  const { memo, wallet } = signed
  let before: string | undefined
  let inspected = 0
  for (let page = 0; page < maxPages; page++) {
    const listed = yield* getSignaturesForAddress(call, wallet, slot, before)
    for (const { failed, memo: found, signature, time } of listed) {
      const isOlder = time !== undefined && time < since
      // Nodes list memos with a length prefix. Some nodes omit memos.
      const isOther = memo !== undefined && found !== undefined && !found.includes(memo)
      if (isOlder || isOther) continue
      if (++inspected > maxInspected)
        return yield* Effect.fail(new NodeError("lists too many transactions for the wallet"))
      const landed = yield* getTransaction(call, signature)
      if (landed === "newer" || !(yield* isSame(landed.text, signed))) continue
      if (landed.failed !== failed) {
        return yield* Effect.fail(new NodeError("contradicts itself about whether the transaction failed"))
      }
      return failed ? "expired" : "used"
    }
    const last = listed.at(-1)
    if (last === undefined || (last.time !== undefined && last.time < since)) return undefined
    before = last.signature
  }
  return yield* Effect.fail(new NodeError("lists too many transactions for the wallet"))
})

/**
 * Fails unless the node has every block since `since`. If blocks are missing, not finding a transaction proves nothing.
 */
const checkHistory = Effect.fnUntraced(function* (
  call: RpcCall,
  { height, slot }: FinalizedBlock,
  since: number
): Effect.fn.Return<void, NodeError> {
  const missingHistory = new NodeError(
    "does not have all blocks since the transaction was signed: use a node with more history"
  )
  const first = yield* getFirstSlot(call)
  if (first === undefined) return yield* Effect.fail(missingHistory)
  // All of the network's blocks fit into the slots since the node's first block, so the node's history is complete.
  if (height <= slot - first + 1) return
  if ((yield* getBlockTime(call, first)) > since) return yield* Effect.fail(missingHistory)
})

/** Reads a transaction's state from one node. Without `signedAt`, a transaction that did not land is always "open". */
export const readTransactionState = Effect.fnUntraced(function* (
  call: RpcCall,
  signed: SignedTransaction,
  signedAt: number | undefined
): Effect.fn.Return<State, NodeError> {
  const { blockhash, isDurable } = signed
  const since = (signedAt ?? 0) - slackMillis
  const final = yield* getFinalizedBlock(call)
  const time = yield* getBlockTime(call, final.slot)
  const landed = yield* findLanded(call, signed, final, since)
  if (landed !== undefined) return landed
  if (time > (yield* Clock.currentTimeMillis) + slackMillis) {
    return yield* Effect.fail(new NodeError("has a block from the future: check this machine's clock"))
  }
  if (isDurable || signedAt === undefined || time < signedAt + lifetimeMillis) return "open"
  if (yield* isBlockhashValid(call, blockhash, "processed", final)) return "open"
  if (yield* isBlockhashValid(call, blockhash, "finalized", final)) return "open"
  // Check the history after the search, since a node never regains pruned blocks.
  yield* checkHistory(call, final, since)
  // Search again to find transactions that were indexed in the meantime.
  return (yield* findLanded(call, signed, final, since)) ?? "expired"
})
