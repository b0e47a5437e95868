/** Best-effort writes: if such a write fails, the swap must continue. */
import * as Effect from "effect/Effect"
import type { StoreError } from "../SwapError.js"
import { withTimeout } from "./timeout.js"

/**
 * Ignores a failed write to the store, and returns whether the write succeeded. The error message is recorded in the
 * trace.
 */
export const bestEffort = <R>(write: Effect.Effect<unknown, StoreError, R>): Effect.Effect<boolean, never, R> =>
  Effect.catch(Effect.as(withTimeout(write), true), ({ message }) =>
    Effect.as(Effect.annotateCurrentSpan({ "store.error": message }), false)
  )
