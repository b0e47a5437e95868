/** Why a command ended without doing what it was asked to. */
import * as Schema from "effect/Schema"

/** In words that somebody can act on. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", { message: Schema.String }) {}
