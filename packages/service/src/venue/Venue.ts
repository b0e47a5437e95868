/** The port that price sources implement. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Asset } from "../domain/Asset.js"

/** The venue has no price for this pair of tokens. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { message: Schema.String }) {}

/** The venue did not respond, or its price is too old or implausible. */
export class VenueUnavailable extends Schema.TaggedError<VenueUnavailable>()("VenueUnavailable", {
  message: Schema.String,
  /** Whether the venue did not respond in time. */
  timeout: Schema.Boolean,
  /**
   * Whether the failure may affect only this request, for example because the venue does not quote amounts of the
   * requested size.
   */
  ofRequest: Schema.optionalKey(Schema.Boolean)
}) {}

/** The venue's price for an amount of the input token. */
export interface Price {
  /** The output, in the output token's smallest unit. */
  readonly output: bigint
  /** The values of the whole input and the whole output in US dollars. Either both are present or neither is. */
  readonly usd?: { readonly input: number; readonly output: number }
}

export interface Venue {
  readonly price: (input: Asset, output: Asset, amount: bigint) => Effect.Effect<Price, NoPrice | VenueUnavailable>
}
