/** The Effect version of the transport over `fetch`. */
import { SwapError, Transport } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { fetchTransport, type FetchTransportOptions } from "./promise.js"

/** The options of a transport. The API key may be `Redacted`, as from `Config.Redacted`. */
export interface Options extends Omit<FetchTransportOptions, "apiKey"> {
  /** The key, or a function that returns it for each request, for keys that rotate. */
  readonly apiKey: FetchTransportOptions["apiKey"] | Redacted.Redacted
}

/** Makes a transport over `fetch`. Fails with `InvalidInput` if an option is invalid. */
export const make = (options: Options): Effect.Effect<Transport.Shape, SwapError.InvalidInput> =>
  Effect.suspend(() => {
    try {
      const option = options?.apiKey
      const apiKey = Redacted.isRedacted(option) ? Redacted.value(option) : option
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
