/** The error that a command fails with. */
import * as Schema from "effect/Schema"

/** A failure with an actionable message. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", { message: Schema.String }) {}
