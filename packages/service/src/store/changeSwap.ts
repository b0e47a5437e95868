/** Changes a swap by compare-and-set. Writes its event, intent and reservation in the same database transaction. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { addressKey } from "../chains/addressKey.js"
import type { IntentWrite } from "./changes/SwapWrite.js"
import type { Dialect } from "./dialect.js"
import * as OperationNonces from "./operationNonces.js"
import * as Releases from "./reservationReleases.js"
import * as Rows from "./rows.js"
import { Conflict, type Intent, type Store } from "./Store.js"
import { unavailable } from "./storeUnavailable.js"
import { isTerminal, type State } from "./SwapRecord.js"

/** Whether the output of a swap in the given state may still be delivered. */
const delivers = (state: State): boolean => !isTerminal(state) && state !== "refund_prepared" && state !== "refund_sent"

const intentWrite = ({ attempt, chainId, kind, signer }: Intent): Effect.Effect<IntentWrite> =>
  Effect.map(Rows.encodeAttempt(attempt), (row) => ({
    kind,
    chainId,
    signer: addressKey(signer),
    nonce: attempt.nonce ?? null,
    attempt: row
  }))

export const make = ({ transaction, writeSwap, writesInOneStatement }: Dialect): Pick<Store, "change"> => ({
  change: Effect.fn("Store.change")(function* (change) {
    const { intent, owner, paidAmount, refundAmount, revertedTxHash, swap, to } = change
    const releases = change.releases === true || !delivers(to)
    const now = yield* Clock.currentTimeMillis
    // A new collection transaction is not in a block yet.
    const originBlock = to === "origin_prepared" ? null : change.originBlock
    const write = writeSwap({
      id: swap.id,
      version: swap.version,
      owner,
      to,
      now,
      detail: change.detail,
      originTxHash: change.originTxHash ?? null,
      deliveryTxHash: change.deliveryTxHash ?? null,
      refundTxHash: change.refundTxHash ?? null,
      failureCode: change.failureCode ?? null,
      releases,
      refundAmount: refundAmount?.toString(),
      originBlock: originBlock === undefined ? undefined : (originBlock?.toString() ?? null),
      revertedTxHash,
      paidAmount: paidAmount?.toString(),
      nonce: to === "origin_final" ? OperationNonces.nonceOf(swap) : undefined,
      intent: intent === undefined ? undefined : yield* intentWrite(intent),
      release: Releases.releaseOf(swap, to, change.block)
    })
    const changing = Effect.flatMap(write, (written) => {
      switch (written._tag) {
        case "Changed":
          return Effect.succeed(written.swap)
        case "Stale":
          return new Conflict({
            message: `The swap is no longer at version ${swap.version}, or another worker has claimed it. Read it again.`
          })
        case "NonceTaken":
          return new Conflict({
            message: `Nonce ${intent?.attempt.nonce} is not the relayer's next nonce. Read the next nonce again.`,
            nonce: true
          })
      }
    })
    const changed = yield* writesInOneStatement && intent === undefined ? changing : transaction(changing)
    // The row was returned before the other tables were written, so the row lacks the values from those tables.
    const { originBlock: before, ...rest } = changed
    const block = originBlock === undefined ? before : (originBlock ?? undefined)
    return {
      ...rest,
      ...(to === "origin_final" && { collectedAt: rest.collectedAt ?? now }),
      ...(block !== undefined && { originBlock: block }),
      ...(refundAmount !== undefined && { refundAmount }),
      ...(revertedTxHash !== undefined && { revertedTxHash }),
      ...(paidAmount !== undefined && { paidAmount }),
      ...(releases && { reserved: false })
    }
  }, unavailable("change the swap"))
})
