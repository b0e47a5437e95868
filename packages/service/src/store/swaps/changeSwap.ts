/** Changes a swap by compare-and-set. Writes its event, intent and claims in the same database transaction. */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { addressKey } from "../../domain/addressKey.js"
import { endedBy } from "../../domain/Claim.js"
import { forgetIn } from "../../domain/LostCollection.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import { releaseOf } from "../acceptance/releases.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import { Conflict } from "../StoreError.js"
import type { Change, Intent } from "./Change.js"
import type { IntentWrite, WriteSwap } from "./writeSwap.js"

/** A transaction in the form in which it is stored. */
export const intentWrite = ({ attempt, chainId, kind, signer }: Intent): IntentWrite => ({
  kind,
  chainId,
  signer: addressKey(signer),
  nonce: attempt.nonce ?? null,
  attempt: Rows.attempts.encode(attempt)
})

/** The fields of a change that are fields of the swap. A change that lacks one keeps the swap's value. */
const kept = [
  "originTxHash",
  "revertedTxHash",
  "deliveryTxHash",
  "refundTxHash",
  "refundAmount",
  "paidAmount",
  "failureCode"
] as const

/** Writes a change, and returns the changed swap. Its other fields are as they were read, because its version is. */
export const writeChange = Effect.fnUntraced(function* (
  writeSwap: WriteSwap,
  change: Change,
  now: number,
  intent: IntentWrite | undefined
): Effect.fn.Return<SwapRecord, Conflict | SqlError> {
  const { block, detail, owner, swap, to } = change
  const { originBlock: before, ...rest } = swap
  // A new collection transaction is not in a block yet.
  const included = to === "origin_prepared" ? null : change.originBlock
  const originBlock = included === undefined ? before : included
  const ends = change.releases === true ? Arr.union(endedBy[to], ["delivery"] as const) : endedBy[to]
  const includedAt = to === "origin_final" && block !== undefined ? block : included
  const given = Object.fromEntries(kept.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])))
  const changed: SwapRecord = {
    ...rest,
    ...given,
    ...(originBlock !== undefined && originBlock !== null && { originBlock }),
    ...(to === "origin_final" && { collectedAt: swap.collectedAt ?? now }),
    state: to,
    version: swap.version + 1,
    updatedAt: now,
    reserved: swap.reserved && !ends.includes("delivery")
  }
  const written = yield* writeSwap({
    swap: changed,
    owner,
    detail,
    ends,
    includedAt: includedAt === undefined ? undefined : (includedAt?.toString() ?? null),
    intent,
    forgetsLosses: forgetIn.includes(to),
    release: releaseOf(to, block)
  })
  switch (written) {
    case "Changed":
      return changed
    case "Stale":
      return yield* new Conflict({
        message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`,
        swapId: swap.id
      })
    case "NonceTaken":
      return yield* new Conflict({
        message: `Nonce ${intent?.nonce} is not the relayer's next nonce. Read the next nonce again.`,
        nonce: true
      })
  }
})

export const make = ({ engine, transaction }: Dialect, writeSwap: WriteSwap): Pick<Store, "change"> => ({
  change: Effect.fn("Store.change")(function* (change) {
    const now = yield* Clock.currentTimeMillis
    const intent = change.intent && intentWrite(change.intent)
    const changing = writeChange(writeSwap, change, now, intent)
    // One statement does not need a transaction, unless it may have to be rolled back.
    return yield* engine === "postgres" && intent === undefined ? changing : transaction(changing)
  }, unavailable("change the swap"))
})
