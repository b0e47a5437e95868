/** The port to the source of prices. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** There is no price for this pair. */
export class NoPrice extends Schema.TaggedError<NoPrice>()("NoPrice", { message: Schema.String }) {}

/** The venue does not answer, or its price is too old or implausible. */
export class VenueUnavailable extends Schema.TaggedError<VenueUnavailable>()("VenueUnavailable", {
  message: Schema.String,
  /** Whether it was too slow. */
  timeout: Schema.Boolean,
  /** Whether only this request may be affected, for example by an amount that the venue does not price. */
  ofRequest: Schema.optionalKey(Schema.Boolean)
}) {}

/** A token for a venue. The native token has the address in `Chain.nativeToken`. */
export interface Asset {
  readonly chainId: number
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** The price of an amount. */
export interface Price {
  /** Smallest units of the output token. */
  readonly output: bigint
  /** The value of the whole input and output in US dollars. Both or none. */
  readonly usd?: { readonly input: number; readonly output: number }
}

export interface Shape {
  readonly price: (input: Asset, output: Asset, amount: bigint) => Effect.Effect<Price, NoPrice | VenueUnavailable>
}

export class Venue extends Context.Service<Venue, Shape>()("@geoswap/service/Venue") {}
