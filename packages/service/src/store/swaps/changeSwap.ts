/** Changes a swap by compare-and-set. Writes its event, intent and claims in the same database transaction. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { addressKey } from "../../domain/addressKey.js"
import { endedBy, type Phase } from "../../domain/Claim.js"
import { forgetIn } from "../../domain/LostCollection.js"
import type { SwapRecord } from "../../domain/SwapRecord.js"
import * as OperationNonces from "../acceptance/operationNonces.js"
import * as Releases from "../acceptance/releases.js"
import type { Dialect } from "../sql/dialect.js"
import * as Rows from "../sql/rows.js"
import { unavailable } from "../sql/storeUnavailable.js"
import type { Store } from "../Store.js"
import { Conflict } from "../StoreError.js"
import type { Change, Intent } from "./Change.js"
import type { IntentWrite, SwapWrite, Written } from "./SwapWrite.js"

/** The phases whose claims a change releases. */
const endsOf = ({ releases, to }: Change): ReadonlyArray<Phase> =>
  releases === true && !endedBy[to].includes("delivery") ? [...endedBy[to], "delivery"] : endedBy[to]

/** A new collection transaction is not in a block yet. */
const originBlockOf = ({ originBlock, to }: Change) => (to === "origin_prepared" ? null : originBlock)

/** A transaction in the form in which it is stored. */
export const intentWrite = ({ attempt, chainId, kind, signer }: Intent): Effect.Effect<IntentWrite> =>
  Effect.map(Rows.encodeAttempt(attempt), (row) => ({
    kind,
    chainId,
    signer: addressKey(signer),
    nonce: attempt.nonce ?? null,
    attempt: row
  }))

/** A change in the form in which it is stored. */
export const swapWrite = (change: Change, now: number, intent: IntentWrite | undefined): SwapWrite => {
  const { swap, to } = change
  const originBlock = originBlockOf(change)
  const includedAt = to === "origin_final" && change.block !== undefined ? change.block : originBlock
  return {
    id: swap.id,
    version: swap.version,
    owner: change.owner,
    to,
    now,
    detail: change.detail,
    originTxHash: change.originTxHash ?? null,
    deliveryTxHash: change.deliveryTxHash ?? null,
    refundTxHash: change.refundTxHash ?? null,
    failureCode: change.failureCode ?? null,
    ends: endsOf(change),
    includedAt: includedAt === undefined ? undefined : (includedAt?.toString() ?? null),
    refundAmount: change.refundAmount?.toString(),
    originBlock: originBlock === undefined ? undefined : (originBlock?.toString() ?? null),
    revertedTxHash: change.revertedTxHash,
    paidAmount: change.paidAmount?.toString(),
    nonce: to === "origin_final" ? OperationNonces.nonceOf(swap) : undefined,
    intent,
    forgetsLosses: forgetIn.includes(to),
    release: Releases.releaseOf(to, change.block)
  }
}

/** Returns the row that was written, or why nothing may be written. */
export const changedOr = (
  { swap: { id, version } }: Change,
  nonce: number | undefined,
  written: Written
): Effect.Effect<SwapRecord, Conflict> => {
  switch (written._tag) {
    case "Changed":
      return Effect.succeed(written.swap)
    case "Stale":
      return new Conflict({
        message: `The swap is no longer at version ${version}, or another worker has claimed it. Read it again.`,
        swapId: id
      })
    case "NonceTaken":
      return new Conflict({
        message: `Nonce ${nonce} is not the relayer's next nonce. Read the next nonce again.`,
        nonce: true
      })
  }
}

/** The changed swap. Its row was returned before the other tables were written, so it lacks the values from those. */
export const withFacts = (change: Change, now: number, changed: SwapRecord): SwapRecord => {
  const { paidAmount, refundAmount, revertedTxHash, to } = change
  const { originBlock: before, ...rest } = changed
  const originBlock = originBlockOf(change)
  const block = originBlock === undefined ? before : (originBlock ?? undefined)
  return {
    ...rest,
    ...(to === "origin_final" && { collectedAt: rest.collectedAt ?? now }),
    ...(block !== undefined && { originBlock: block }),
    ...(refundAmount !== undefined && { refundAmount }),
    ...(revertedTxHash !== undefined && { revertedTxHash }),
    ...(paidAmount !== undefined && { paidAmount }),
    ...(endsOf(change).includes("delivery") && { reserved: false })
  }
}

export const make = ({ transaction, writeSwap, writesInOneStatement }: Dialect): Pick<Store, "change"> => ({
  change: Effect.fn("Store.change")(function* (change) {
    const { intent } = change
    const now = yield* Clock.currentTimeMillis
    const write = swapWrite(change, now, intent === undefined ? undefined : yield* intentWrite(intent))
    const changing = Effect.flatMap(writeSwap(write), (written) => changedOr(change, intent?.attempt.nonce, written))
    const changed = yield* writesInOneStatement && intent === undefined ? changing : transaction(changing)
    return withFacts(change, now, changed)
  }, unavailable("change the swap"))
})
