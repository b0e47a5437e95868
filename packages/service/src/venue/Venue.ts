/** The port to where prices come from. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** There is no price for this pair. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { message: Schema.String }) {}

/** The venue does not answer, or its answer cannot be trusted: too old, or absurd. */
export class VenueUnavailable extends Schema.TaggedError<VenueUnavailable>()("VenueUnavailable", {
  message: Schema.String,
  /** Whether it was too slow. */
  timeout: Schema.Boolean,
  /** Whether it may be due to this request alone, such as an amount that the venue does not price. */
  ofRequest: Schema.optionalKey(Schema.Boolean)
}) {}

/** A token as a venue knows it; the native one by its address of `Chain.nativeToken`. */
export interface Asset {
  readonly chainId: number
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** What an amount of one token gives of another. */
export interface Price {
  /** Smallest units of the output token. */
  readonly output: bigint
  /** US dollars of the whole input and of the whole output; both or none. */
  readonly usd?: { readonly input: number; readonly output: number }
}

export interface Shape {
  readonly price: (input: Asset, output: Asset, amount: bigint) => Effect.Effect<Price, NoPrice | VenueUnavailable>
}

export class Venue extends Context.Service<Venue, Shape>()("@geoswap/service/Venue") {}
