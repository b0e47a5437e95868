/** What became of a signed transaction, at finalized commitment. A second signature depends on it: in doubt, it is open. */
import type { ChainReader } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { blockTime, type Final, finalBlock, firstSlot, isValid, landedOf, listedFor } from "./answers.js"
import { type Ask, Fault } from "./jsonRpc.js"
import type { SignedTransaction } from "./signedTransaction.js"
import { fromText, parse } from "./wire.js"
import { latin1 } from "./words.js"

type State = ChainReader.SignedState

/** The clock of a chain is not ours, and runs unevenly. */
const slackMillis = 60_000
/**
 * How long after the signature a finalized block must be. A blockhash is valid for 150 blocks, a minute or two: by then it is
 * past, cannot be merely too new for the node, and the node has written down what landed with it.
 */
const lifetimeMillis = 300_000

const mostPages = 10
const mostShown = 200

/** Whether what a node shows has the same message. Its signatures may differ. */
const isSame = (text: string, { message }: SignedTransaction) =>
  Effect.try({
    try: () => latin1(parse(fromText(text)).transaction.messageBytes) === message,
    catch: () => new Fault("showed a transaction that cannot be read")
  })

/**
 * How the transaction landed, if it did at `since` or later. It is found among all that the wallet signed: its name is a
 * signature of the fee payer, who can make another one at any time. One that failed paid nothing and cannot land again.
 */
const landing = Effect.fnUntraced(function* (
  ask: Ask,
  signed: SignedTransaction,
  { slot }: Final,
  since: number
): Effect.fn.Return<State | undefined, Fault> {
  const { memo, wallet } = signed
  let before: string | undefined
  let shown = 0
  for (let page = 0; page < mostPages; page++) {
    const listed = yield* listedFor(ask, wallet, slot, before)
    for (const { failed, memo: found, signature, time } of listed) {
      const isOlder = time !== undefined && time < since
      // Nodes write memos down with their length; one that does not have them says nothing.
      const isOther = memo !== undefined && found !== undefined && !found.includes(memo)
      if (isOlder || isOther) continue
      if (++shown > mostShown) return yield* Effect.fail(new Fault("lists too many transactions of the wallet"))
      const landed = yield* landedOf(ask, signature)
      if (!(yield* isSame(landed.text, signed))) continue
      if (landed.failed !== failed) {
        return yield* Effect.fail(new Fault("says both that the transaction failed and that it did not"))
      }
      return failed ? "expired" : "used"
    }
    const last = listed.at(-1)
    if (last === undefined || (last.time !== undefined && last.time < since)) return undefined
    before = last.signature
  }
  return yield* Effect.fail(new Fault("lists too many transactions of the wallet"))
})

/** Fails unless the node has every block since then: that it knows nothing about the time before proves nothing. */
const remembers = Effect.fnUntraced(function* (
  ask: Ask,
  { height, slot }: Final,
  since: number
): Effect.fn.Return<void, Fault> {
  const forgotten = new Fault("does not have all blocks since the transaction was signed: use a node with more history")
  const first = yield* firstSlot(ask)
  if (first === undefined) return yield* Effect.fail(forgotten)
  // All blocks that the network ever had fit in these slots: it began here.
  if (height <= slot - first + 1) return
  if ((yield* blockTime(ask, first)) > since) return yield* Effect.fail(forgotten)
})

/** The state of a transaction as one node has it. Without the time of its signature, it never expires. */
export const transactionStateAt = Effect.fnUntraced(function* (
  ask: Ask,
  signed: SignedTransaction,
  signedAt: number | undefined
): Effect.fn.Return<State, Fault> {
  const { blockhash, isDurable } = signed
  const since = (signedAt ?? 0) - slackMillis
  const final = yield* finalBlock(ask)
  const time = yield* blockTime(ask, final.slot)
  const landed = yield* landing(ask, signed, final, since)
  if (landed !== undefined) return landed
  if (time > (yield* Clock.currentTimeMillis) + slackMillis) {
    return yield* Effect.fail(new Fault("has a block from the future: set the clock of this machine"))
  }
  if (isDurable || signedAt === undefined || time < signedAt + lifetimeMillis) return "open"
  if (yield* isValid(ask, blockhash, "processed", final)) return "open"
  if (yield* isValid(ask, blockhash, "finalized", final)) return "open"
  // After the search: what a node forgets it forgets for good.
  yield* remembers(ask, final, since)
  // Once more: what was written down only now is found now.
  return (yield* landing(ask, signed, final, since)) ?? "expired"
})

/** What several nodes know together: one may be behind another, but they cannot both be right about the end. */
export const combineStates = (states: ReadonlyArray<State>): State | undefined => {
  const [first] = states
  if (states.every((state) => state === first)) return first
  return states.includes("used") && states.includes("expired") ? undefined : "open"
}
