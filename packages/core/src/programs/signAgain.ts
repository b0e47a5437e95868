/** Decides whether a swap may be signed again while an earlier signature can still be used. */
import * as Effect from "effect/Effect"
import { sameAddress } from "../Chain.js"
import type { Flow, Signed } from "../Journal.js"
import { unsafe } from "../Operation.js"
import type { UnsafeOperation } from "../SwapError.js"
import type { Built } from "./endpoints.js"
import type { Execution } from "./execution.js"
import { awaitSignedState, signaturesOf } from "./signedState.js"

/**
 * Whether the new operation and all earlier signed operations share the wallet, the delegate and the nonce, so that the
 * chain can execute at most one of them. A signature has an `operation` only if the signer verified the operation
 * against its hash.
 */
const isMutuallyExclusive = (signatures: ReadonlyArray<Signed>, built: Built): boolean => {
  const geoOp = built.kind === "evm" ? built.geoOp : undefined
  return signatures.every(
    ({ operation }) =>
      geoOp !== undefined &&
      operation !== undefined &&
      operation.nonce === geoOp.nonce &&
      sameAddress("evm", operation.delegate, geoOp.delegate)
  )
}

/**
 * Waits for the caller's own node to show that none of the flow's signatures can be used. Returns whether the node
 * has shown this.
 */
export const haveExpired = Effect.fnUntraced(function* (execution: Execution, flow: Flow): Effect.fn.Return<boolean> {
  execution.signedState = yield* awaitSignedState(flow)
  if (execution.signedState !== "expired") return false
  execution.live = undefined
  return true
})

/** Fails if an operation could be executed in addition to an operation that has already been signed. */
export const ensureSafeToSignAgain = Effect.fnUntraced(function* (
  execution: Execution,
  built: Built,
  checked: boolean
): Effect.fn.Return<void, UnsafeOperation> {
  const { live } = execution
  if (!live || (checked && isMutuallyExclusive(signaturesOf(live), built))) return
  if (yield* haveExpired(execution, live)) return
  return yield* unsafe("nonce", "the refused operation's nonce", "another nonce")
})
