/** The transport over `fetch` for people who use Effect. */
import { SwapError, Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { fetchTransport, type FetchTransportOptions } from "./promise.js"

/** What a transport is made of; the API key may be `Redacted`, as `Config.Redacted` gives it. */
export interface Options extends Omit<FetchTransportOptions, "apiKey"> {
  /** The key, or a function that gives it anew for each request, for keys that rotate. */
  readonly apiKey: FetchTransportOptions["apiKey"] | Redacted.Redacted
}

/** A transport over `fetch`; fails where an option makes no sense. */
export const make = (options: Options): Effect.Effect<Transport.Shape, SwapError.InvalidInput> =>
  Effect.suspend(() => {
    try {
      const given = options?.apiKey
      const apiKey = Redacted.isRedacted(given) ? Redacted.value(given) : given
      return Effect.succeed(Transport.fromPromise(fetchTransport({ ...options, apiKey })))
    } catch (error) {
      return error instanceof SwapError.InvalidInput ? Effect.fail(error) : Effect.die(error)
    }
  })

/**
 * A transport over `fetch`, as a layer.
 *
 * @example
 * ```ts
 * const transport = FetchTransport.layer({ baseUrl: "https://swap.example", apiKey })
 * ```
 */
export const layer = (options: Options): Layer.Layer<Transport.Transport, SwapError.InvalidInput> =>
  Layer.effect(Transport.Transport, make(options))
