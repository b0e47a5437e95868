/** Best-effort writes: if such a write fails, the swap must continue. */
import * as Effect from "effect/Effect"
import type { JournalError, LedgerError } from "../SwapError.js"
import { withTimeout } from "./timeout.js"

/** Ignores a failed write to the journal or the ledger. The error message is recorded in the trace. */
export const bestEffort = <R>(
  write: Effect.Effect<unknown, JournalError | LedgerError, R>
): Effect.Effect<void, never, R> =>
  Effect.asVoid(
    Effect.catch(withTimeout(write), ({ message }) => Effect.annotateCurrentSpan({ "journal.error": message }))
  )
