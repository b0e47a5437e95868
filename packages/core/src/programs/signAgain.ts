/** Decides whether a swap may be signed again while an earlier signature can still be used. */
import * as Effect from "effect/Effect"
import type { Flow } from "../Store.js"
import { unsafe } from "../Operation.js"
import type { UnsafeOperation } from "../SwapError.js"
import type { Built } from "./endpoints.js"
import type { Execution } from "./execution.js"
import { excludes, identityOf } from "./signatureIdentity.js"
import { signaturesOf } from "../store/flow.js"
import { awaitSignedState } from "./signedState.js"

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

/**
 * Fails if an operation could be executed in addition to an operation that has already been signed. Two signatures
 * exclude each other only if they have the same method, wallet, nonce and, with a delegation, the same delegate. A
 * signature has an identity only if the signer verified the operation against its hash.
 */
export const ensureSafeToSignAgain = Effect.fnUntraced(function* (
  execution: Execution,
  built: Built,
  checked: boolean
): Effect.fn.Return<void, UnsafeOperation> {
  const { live } = execution
  if (!live) return
  const identity = identityOf(built)
  if (checked && signaturesOf(live).every((signed) => excludes(signed, identity))) return
  if (yield* haveExpired(execution, live)) return
  return yield* unsafe("nonce", "the refused operation's nonce", "another nonce")
})
