/** The refusal that a call returns if the storage does not respond. */
import { type Refusal, refuse } from "../domain/Refusal.js"

/**
 * Creates the refusal. The last write may or may not have happened. Submissions are idempotent, so the caller can
 * repeat the request.
 */
export const storeRefusal = (): Refusal =>
  refuse(
    "UNAVAILABLE",
    "The service cannot reach its storage at the moment. Send the same request again in a few seconds.",
    { retryAfter: 1 }
  )
