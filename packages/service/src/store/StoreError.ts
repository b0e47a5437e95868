/** What can go wrong with the store. */
import * as Schema from "effect/Schema"

/** The database did not respond. The last write may or may not have happened. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  message: Schema.String
}) {}

/** Another worker has changed or claimed the swap since it was read. Nothing was written. Read the swap again. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  message: Schema.String,
  /** Another transaction took the relayer's nonce first. The swap did not change. */
  nonce: Schema.optionalKey(Schema.Boolean),
  /** The swap that has changed. It is needed if one change is made to several swaps. */
  swapId: Schema.optionalKey(Schema.String)
}) {}
