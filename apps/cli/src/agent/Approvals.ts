/** Requests for a person's approval. Each is bound to exact terms, expires, and is used at most once. */
import * as Schema from "effect/Schema"
import { Terms } from "./Terms.js"

/** A request for approval, and its answer. Times are in Unix milliseconds. */
export const Approval = Schema.Struct({
  id: Schema.String,
  terms: Terms,
  reason: Schema.String,
  requestedAt: Schema.Finite,
  expiresAt: Schema.Finite,
  state: Schema.Literals(["pending", "approved", "rejected", "used"]),
  /** How a person answered. */
  by: Schema.optionalKey(Schema.Literals(["terminal", "elicitation"])),
  /** The budget reservation that used the approval. */
  reservation: Schema.optionalKey(Schema.String)
})
export type Approval = typeof Approval.Type
