/** What became of a signed transaction, at finalized commitment. A second signature depends on it: in doubt, it is open. */
import type { ChainReader } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fromBase64 } from "./base64.js"
import { toLatin1 } from "./bytes.js"
import { NodeError, type RpcCall } from "./jsonRpc.js"
import type { SignedTransaction } from "./parseSignedTransaction.js"
import { decodeTransaction } from "./parseTransaction.js"
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

/** The clock of a chain is not ours, and runs unevenly. */
const slackMillis = 60_000
/**
 * How long after the signature a finalized block must be. A blockhash is valid for 150 blocks, a minute or two: by then it is
 * past, cannot be merely too new for the node, and the node has written down what landed with it.
 */
const lifetimeMillis = 300_000

const maxPages = 10
const maxInspected = 200

/** Whether what a node shows has the same message. Its signatures may differ. */
const isSame = (text: string, { message }: SignedTransaction) =>
  Effect.try({
    try: () => toLatin1(decodeTransaction(fromBase64(text)).transaction.messageBytes) === message,
    catch: () => new NodeError("showed a transaction that cannot be read")
  })

/**
 * How the transaction landed, if it did at `since` or later. It is found among all that the wallet signed: its name is a
 * signature of the fee payer, who can make another one at any time. One that failed paid nothing and cannot land again.
 */
const findLanded = Effect.fnUntraced(function* (
  call: RpcCall,
  signed: SignedTransaction,
  { slot }: FinalizedBlock,
  since: number
): Effect.fn.Return<State | undefined, NodeError> {
  const { memo, wallet } = signed
  let before: string | undefined
  let shown = 0
  for (let page = 0; page < maxPages; page++) {
    const listed = yield* getSignaturesForAddress(call, wallet, slot, before)
    for (const { failed, memo: found, signature, time } of listed) {
      const isOlder = time !== undefined && time < since
      // Nodes write memos down with their length; one that does not have them says nothing.
      const isOther = memo !== undefined && found !== undefined && !found.includes(memo)
      if (isOlder || isOther) continue
      if (++shown > maxInspected) return yield* Effect.fail(new NodeError("lists too many transactions of the wallet"))
      const landed = yield* getTransaction(call, signature)
      if (!(yield* isSame(landed.text, signed))) continue
      if (landed.failed !== failed) {
        return yield* Effect.fail(new NodeError("says both that the transaction failed and that it did not"))
      }
      return failed ? "expired" : "used"
    }
    const last = listed.at(-1)
    if (last === undefined || (last.time !== undefined && last.time < since)) return undefined
    before = last.signature
  }
  return yield* Effect.fail(new NodeError("lists too many transactions of the wallet"))
})

/** Fails unless the node has every block since then: that it knows nothing about the time before proves nothing. */
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
  // All blocks that the network ever had fit in these slots: it began here.
  if (height <= slot - first + 1) return
  if ((yield* getBlockTime(call, first)) > since) return yield* Effect.fail(missingHistory)
})

/** The state of a transaction as one node has it. Without the time of its signature, it never expires. */
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
    return yield* Effect.fail(new NodeError("has a block from the future: set the clock of this machine"))
  }
  if (isDurable || signedAt === undefined || time < signedAt + lifetimeMillis) return "open"
  if (yield* isBlockhashValid(call, blockhash, "processed", final)) return "open"
  if (yield* isBlockhashValid(call, blockhash, "finalized", final)) return "open"
  // After the search: what a node forgets it forgets for good.
  yield* checkHistory(call, final, since)
  // Once more: what was written down only now is found now.
  return (yield* findLanded(call, signed, final, since)) ?? "expired"
})

/** What several nodes know together: one may be behind another, but they cannot both be right about the end. */
export const combineStates = (states: ReadonlyArray<State>): State | undefined => {
  const [first] = states
  if (states.every((state) => state === first)) return first
  return states.includes("used") && states.includes("expired") ? undefined : "open"
}
